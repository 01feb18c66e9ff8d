"""Checks on a page: what of a section is folded in its line, and what stays in the text."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from small_site import page

from edition.claims.claim import CORRECTED, FAILS, HOLDS, UNTESTABLE, Claim
from edition.sphinx_ext.checks import arrange, fold, place, summary_of, total_of
from edition.sphinx_ext.claim_nodes import checked, claim_node

MADE = Claim("linear/eq-1", "It is b", "paper 1, Equation (1)", "identity", HOLDS, reading="2, as expected")
FIRST = SimpleNamespace(root_doc="first")
HTML = SimpleNamespace(builder=SimpleNamespace(format="html"), config=FIRST)
PAPER = SimpleNamespace(builder=SimpleNamespace(format="latex"), config=FIRST)


def cell(code, *shown, tags=()):
    """Return a cell as MyST-NB makes it."""
    source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    output = [nodes.container("", *shown, nb_element="cell_code_output")] if shown else []
    return nodes.container("", source, *output, nb_element="cell_code", classes=["cell", *tags])


def checks(code, *claims):
    """Return the cell that checks some claims."""
    records = [node["record"] for node in claims]
    return cell(code, *(checked("", id=record["id"], record={}) for record in records), tags=["tag_checks"])


def made(number, **changes):
    """Return the node of a claim."""
    return claim_node(replace(MADE, id=f"linear/eq-{number}", **changes), lambda text: [nodes.Text(text)])


def section(*content):
    return nodes.section("", nodes.title("", "Title"), *content)


def text(words="Words."):
    return nodes.paragraph("", words)


def arranged(*content, app=HTML, name="page"):
    """Return the first section of a page with this content."""
    document = new_document("page")
    document += section(*content)
    arrange(app, document, name)
    return document[0]


def folds(node, *classes):
    return [each for each in node.findall(fold) if set(classes) <= set(each["classes"])]


def words(node):
    """Return the texts of what a section has of its own, in order."""
    return [each.astext() for each in node if not isinstance(each, nodes.title)]


def test_each_section_ends_with_one_line_of_its_own_checks_in_the_order_of_the_code():
    listed = [made(1), made(2), made(3)]
    inner = section(text("Inside."), listed[2], checks("three", listed[2]))
    cells = checks("one", listed[1]), checks("two", listed[0])
    outer = arranged(text("Before."), *listed[:2], *cells, inner)
    line = folds(outer, "checks")[0]
    assert list(outer[1:]) == [outer[1], line, inner]
    assert [line["summary"], folds(inner, "checks")[0]["summary"]] == ["2 checks hold", "1 check holds"]
    assert inner[-1] is folds(inner, "checks")[0]
    assert [id for node in line.findall() if isinstance(node, nodes.Element) for id in node["ids"]] == [
        "claim-linear-eq-2",
        "claim-linear-eq-1",
    ]
    assert line.astext().startswith("✓ holds It is b" + "identity, paper 1, Equation (1); 2, as expected")
    (code,) = folds(line[0])
    assert [block.astext() for block in code.findall(nodes.literal_block)] == ["one", "two"]


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": CORRECTED, "correction": "It is c."},
        {"verdict": FAILS, "correction": "It is c."},
        {"problem": "it is d"},
    ],
)
def test_what_does_not_simply_hold_speaks_in_the_text_and_has_its_evidence_in_the_line(changes):
    told = made(2, **changes)
    outer = arranged(text(), told, text("After."), one := made(1), checks("code", one, told))
    _, spoken, after, line = outer[1:]
    assert after.astext() == "After."
    assert " It is b " in spoken.astext() + " "
    assert changes.get("correction", "") in spoken.astext()
    assert ("under these parameters, it is d" in spoken.astext()) == ("problem" in changes)
    assert spoken.astext().endswith("Evidence and code")
    assert "claim-linear-eq-2" in [id for node in spoken.findall(nodes.inline) for id in node["ids"]]
    (reference,) = spoken.findall(nodes.reference)
    (evidence,) = (node for node in line.findall(nodes.paragraph) if node["ids"])
    assert reference["refuri"] == f"#{evidence['ids'][0]}"
    assert "code" in line.astext()


def test_what_cannot_be_tested_stays_in_the_text_and_is_counted():
    outer = arranged(made(2, verdict=UNTESTABLE, correction="Who knows?"), one := made(1), checks("code", one))
    assert "Who knows?" in outer[1].astext()
    assert outer[2]["summary"] == "1 check holds, 1 not testable"


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


def test_the_first_page_has_the_line_of_its_setup_below_its_first_words():
    shown, inner = cell("print(n)", nodes.literal_block("2", "2")), section(text())
    outer = arranged(text(), cell("import a"), shown, text("Ways."), inner, name="first")
    assert [each for each in outer[1:] if not isinstance(each, fold)][1:] == [shown, outer[3], inner]
    assert outer[-2]["summary"] == "Parameters and setup"


def test_on_paper_everything_stays_where_it_is():
    outer = arranged(text(), cell("import a"), made(1), checks("code", made(1)), app=PAPER)
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
        ([HOLDS], "1 statement of paper 1 checked: it holds"),
        ([HOLDS] * 2, "2 statements of paper 1 checked: both hold"),
        ([HOLDS] * 7, "7 statements of paper 1 checked: all hold"),
        ([HOLDS, CORRECTED, HOLDS, UNTESTABLE], "4 statements of paper 1 checked, 1 with a correction, 1 not testable"),
    ],
)
def test_a_page_counts_its_statements_and_names_what_does_not_simply_hold(verdicts, said):
    assert total_of([replace(MADE, verdict=verdict) for verdict in verdicts]) == said


def test_what_a_page_says_itself_is_counted_apart():
    sources = ["this book", "paper 1, Section 2", "the survey, Section 1", "this book"]
    assert total_of([replace(MADE, source=source) for source in sources]) == (
        "1 statement of paper 1 checked: it holds; 1 statement of other sources checked: it holds; "
        "2 statements of this book checked: both hold"
    )


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
    assert not any("check(" in cell.text for cell in one.select("details.hide"))


def test_a_page_with_claims_ends_with_their_number(html):
    (line,) = page(html, "linear/one").select(".checks-of-page")
    assert line.text == "3 statements of paper 1 checked, 1 with a correction."
    assert line.find_next_sibling() is None


def test_on_a_page_the_code_of_a_figure_is_below_it(html):
    for below in page(html, "linear/one").select("figure + .below-output"):
        assert [summary.text for summary in below.select("summary")] == [
            "Code of this figure",
            "Source, data and citation of this figure",
        ]
        assert re.search("SVG|slider", below.select_one("pre").text)
    assert len(page(html, "linear/one").select("figure + .below-output")) == 2
