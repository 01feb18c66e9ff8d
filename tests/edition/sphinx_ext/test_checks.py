"""Checks beside the text: what leaves the flow of the text, where it goes, and what stays."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from small_site import page

from edition.claims.claim import CORRECTED, FAILS, HOLDS, UNTESTABLE, Claim
from edition.sphinx_ext.checks import arrange, fold, place, shown, summary_of, total_of
from edition.sphinx_ext.claim_nodes import checked, claim, claim_node

MADE = Claim("linear/eq-1", "It is b", "paper 1, Equation (1)", "identity", HOLDS, reading="2, as expected")
HTML = SimpleNamespace(builder=SimpleNamespace(format="html"))
PAPER = SimpleNamespace(builder=SimpleNamespace(format="latex"))


def cell(code, *shown, tags=()):
    """Return a cell as MyST-NB makes it; the claims that it checks are kept for `section`."""
    claims = [node for node in shown if isinstance(node, claim)]
    shown = [checked("", id=n["record"]["id"], record={}) if n in claims else n for n in shown]
    source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    output = [nodes.container("", *shown, nb_element="cell_code_output")] if shown else []
    made = nodes.container("", source, *output, nb_element="cell_code", classes=["cell", *tags])
    made.claims = claims
    return made


def made(number, **changes):
    """Return the node of a claim."""
    return claim_node(replace(MADE, id=f"linear/eq-{number}", **changes), lambda text: [nodes.Text(text)])


def section(*content):
    """Return a section in which the claims that a cell checks are stated before it, after what else it shows."""
    stated = []
    for node in content:
        claims = getattr(node, "claims", [])
        stated += [node, *claims] if claims and shown(node) else [*claims, node]
    return nodes.section("", nodes.title("", "Title"), *stated)


def text(words="Words."):
    return nodes.paragraph("", words)


def arranged(*content, app=HTML):
    """Return the first section of a page with this content."""
    document = new_document("page")
    document += section(*content)
    arrange(app, document, "page")
    return document[0]


def folds(node, *classes):
    return [each for each in node.findall(fold) if set(classes) <= set(each["classes"])]


def words(node):
    """Return the texts of what a section has of its own, in order, marks in the margin apart."""
    return [
        each.astext() for each in node if "check-marks" not in each["classes"] and not isinstance(each, nodes.title)
    ]


def test_each_section_ends_with_one_line_of_its_own_checks_in_their_order():
    inner = section(text("Inside."), cell("three", made(3)))
    outer = arranged(text("Before."), cell("one", made(1)), text("Between."), cell("two", made(2)), inner)
    line = folds(outer, "checks")[0]
    assert outer[outer.index(inner) - 1] is line
    assert [line["summary"], folds(inner, "checks")[0]["summary"]] == ["2 checks hold", "1 check holds"]
    assert inner[-1] is folds(inner, "checks")[0]
    assert [id for node in line.findall() if isinstance(node, nodes.Element) for id in node["ids"]] == [
        "claim-linear-eq-1",
        "claim-linear-eq-2",
    ]
    assert words(outer)[:2] == ["Before.", "Between."]
    for code, evidence in zip(("one", "two"), line):
        assert code in folds(evidence)[0].astext()
        assert evidence.astext().startswith("✓ holds It is b" + "identity, paper 1, Equation (1); 2, as expected")


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": CORRECTED, "correction": "It is c."},
        {"verdict": FAILS, "correction": "It is c."},
        {"verdict": UNTESTABLE, "correction": "Nobody knows b."},
        {"problem": "it is d"},
    ],
)
def test_what_does_not_simply_hold_speaks_in_the_text_and_has_its_evidence_in_the_line(changes):
    outer = arranged(text(), cell("code", made(1), made(2, **changes)), text("After."))
    _, spoken, after, line = (each for each in outer[1:] if "check-marks" not in each["classes"])
    assert after.astext() == "After."
    assert spoken.astext().startswith(made(2, **changes)[0].astext())
    assert " It is b " in spoken.astext() + " "
    assert changes.get("correction", "") in spoken.astext()
    assert spoken.astext().endswith("Evidence and code")
    assert "claim-linear-eq-2" in [id for node in spoken.findall(nodes.inline) for id in node["ids"]]
    (reference,) = spoken.findall(nodes.reference)
    (evidence,) = (node for node in line.findall(nodes.paragraph) if node["ids"])
    assert reference["refuri"] == f"#{evidence['ids'][0]}"
    assert "code" in line.astext()
    assert "code" not in [node.astext() for node in spoken.findall(nodes.literal_block)]


def test_the_problem_of_a_claim_is_told_where_it_stands():
    spoken = arranged(text(), cell("code", made(1, problem="it is d")))[2]
    assert "under these parameters, it is d" in spoken.astext()


def test_the_code_of_what_is_shown_besides_claims_is_folded_below_it():
    outer = arranged(text(), cell("code", made(1), nodes.literal_block("printed", "printed")))
    shown, line = (each for each in outer[2:] if "check-marks" not in each["classes"])
    (code,) = folds(shown)
    assert shown.astext().strip().startswith("printed")
    assert (code.astext(), code["summary"]) == ("code", "Code")
    assert [link["refuri"] for link in line.findall(nodes.reference)] == [f"#{code['ids'][0]}"]
    assert "code" not in [node.astext() for node in line.findall(nodes.literal_block)]


def test_a_mark_stands_beside_what_has_the_label_of_the_claim_or_beside_the_text_before():
    equation = nodes.math_block("", "a = b", label="linear-eq-1")
    twice = (made(1), made("1/again", source="paper 1, Equation (1)"))
    outer = arranged(text(), equation, text("Then."), cell("one", *twice), cell("two", made(2, source="this book")))
    found = [(each.astext(), outer[outer.index(each) + 1]) for each in outer if "check-marks" in each["classes"]]
    assert [(marks, beside.astext()) for marks, beside in found] == [
        ("✓ Equation 1 (2)", "a = b"),
        ("✓ our own", "Then."),
    ]


def test_what_names_the_next_section_stays_with_it_even_where_a_claim_comes_first():
    target = nodes.target("", "", refid="next")
    outer = arranged(cell("code", made(1)), target, section(text()))
    assert [type(each).__name__ for each in outer] == ["title", "paragraph", "fold", "target", "section"]


@pytest.mark.parametrize(
    ("changes", "place"), [({}, "claim"), ({"verdict": FAILS, "correction": "c."}, "evidence-claim")]
)
def test_the_code_of_a_figure_leads_to_the_check_that_defines_what_it_uses(changes, place):
    figure = nodes.figure("", nodes.image(alt="A dot."))
    checked = cell("a = c = 1", made(1, **changes))
    outer = arranged(text(), checked, cell("b = 1"), cell("plot(a, b, c)", figure))
    (code,) = (found for found in folds(outer) if found["summary"] == "Code of this figure")
    assert code[-1].astext() == "Defined elsewhere: a, c in a check."
    (link,) = code.findall(nodes.reference)
    assert link["refuri"] == f"#{place}-linear-eq-1"
    targets = [id for node in outer.findall() if isinstance(node, nodes.Element) for id in node["ids"]]
    assert link["refuri"][1:] in targets


def test_parameters_and_imports_before_the_first_that_is_shown_are_one_line():
    opening = [cell("n = 1", tags=["tag_parameters"]), cell("n = 2", tags=["tag_injected-parameters"])]
    computed, imports = cell("m = n"), cell("import numpy as np\nrng = np.random.default_rng()")
    shown, later = cell("print(n)", nodes.literal_block("2", "2")), cell("import late")
    outer = arranged(text(), *opening, text("Then."), imports, text("And."), computed, shown, later)
    line = outer[2]
    assert line["summary"] == "Parameters and setup"
    assert [each.astext() for each in line] == ["n = 1", "n = 2", imports.astext()]
    assert words(outer)[2:4] == ["Then.", "And."]
    assert outer[5:] == [computed, shown, later]


def test_on_paper_everything_stays_where_it_is():
    outer = arranged(text(), cell("import a"), cell("code", made(1)), app=PAPER)
    assert [each.astext() for each in outer[1:]] == ["Words.", "import a", made(1).astext(), "code\n\n"]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([HOLDS], "1 check holds"),
        ([HOLDS] * 7, "7 checks hold"),
        ([HOLDS, CORRECTED, HOLDS], "2 checks hold, 1 with a correction"),
        ([CORRECTED, CORRECTED], "2 checks hold with a correction"),
        ([FAILS, UNTESTABLE], "1 check does not hold, 1 not testable"),
    ],
)
def test_the_line_says_how_many_come_out_how(verdicts, said):
    assert summary_of([replace(MADE, verdict=verdict) for verdict in verdicts]) == said


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([HOLDS], "1 statement checked: it holds"),
        ([HOLDS] * 2, "2 statements checked: both hold"),
        ([HOLDS] * 7, "7 statements checked: all hold"),
        ([HOLDS, CORRECTED, HOLDS, UNTESTABLE], "4 statements checked, 1 with a correction, 1 not testable"),
    ],
)
def test_a_page_counts_its_statements_and_names_what_does_not_simply_hold(verdicts, said):
    assert total_of([replace(MADE, verdict=verdict) for verdict in verdicts]) == said


def test_a_claim_that_is_not_as_recorded_is_not_counted_as_holding():
    assert summary_of([MADE, replace(MADE, problem="it is d")]) == "1 check holds, 1 not as recorded"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("paper 1, Property 3", "Property 3"),
        ("paper 2, Section 3.3, footnote 4", "Section 3.3"),
        ("this book", "our own"),
    ],
)
def test_the_place_of_a_claim_is_short(source, said):
    assert place(replace(MADE, source=source)) == said


def test_on_a_page_claims_that_hold_are_folded_at_the_end_with_their_code_and_others_speak(html):
    one = page(html, "linear/one")
    (line,) = one.select("section > details.checks")
    assert line.find("summary").text == "2 checks hold, 1 with a correction"
    assert "open" not in line.attrs
    assert not line.find_next_siblings("div", class_="cell")
    assert [claim["id"] for claim in line.select("[id^=claim-]")] == ["claim-linear-fig-5-round", "claim-linear-prop-3"]
    assert "from capacity_studies import check" in line.select_one("details pre").text
    assert len(one.select("[id^=claim-]")) == 3
    spoken = one.select_one("#claim-linear-eq-16").find_parent("p")
    assert spoken.find_parent("details") is None
    assert line.select_one(spoken.select_one("a[href^='#evidence-']")["href"].replace("/", "")) is not None
    assert not one.select("details.hide")


def test_a_page_with_claims_ends_with_their_number(html):
    (line,) = page(html, "linear/one").select(".checks-of-page")
    assert line.text == "3 statements checked, 1 with a correction."
    assert line.find_next_sibling() is None


def test_on_a_page_marks_lead_to_the_claims_and_replace_the_badge_of_a_title(html):
    one = page(html, "linear/one")
    marks = {link.text: (link["href"], link.parent.find_next_sibling()) for link in one.select(".check-marks a")}
    assert marks["✓ Property 3"][0] == "#claim-linear-prop-3"
    assert (
        marks["✓ Property 3"][1]
        .select_one(".admonition-title .also-in-margin")["href"]
        .endswith(marks["✓ Property 3"][0])
    )
    assert marks["✓ Figure 5"][0] == "#claim-linear-fig-5-round"
    assert marks["✓ Figure 5"][1].find("figure") is not None


def test_on_a_page_the_code_of_a_figure_is_below_it(html):
    for below in page(html, "linear/one").select("figure + .below-output"):
        assert [summary.text for summary in below.select("summary")] == [
            "Code of this figure",
            "Source, data and citation of this figure",
        ]
        assert re.search("SVG|slider", below.select_one("pre").text)
    assert len(page(html, "linear/one").select("figure + .below-output")) == 2
