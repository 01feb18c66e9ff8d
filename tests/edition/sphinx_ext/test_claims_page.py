"""The ledger, the counts, the errata and the former claims of the executed chapters."""

import json
from types import SimpleNamespace

import pytest
from docutils import nodes
from small_site import page

from edition.sphinx_ext import claims_page
from edition.sphinx_ext.claims_page import LISTED, changed, check_errata, faults, wrong_lists


def test_each_claim_is_listed_once_and_leads_to_its_cell(html):
    rows = page(html, "claims").select(".claims-ledger tbody tr")
    assert sorted(row.select_one("a[href*='#claim-']")["href"] for row in rows) == [
        "linear/one.html#claim-linear-eq-16",
        "linear/one.html#claim-linear-fig-5-round",
        "linear/one.html#claim-linear-prop-3",
    ]


def test_what_needs_a_correction_comes_before_what_holds(html):
    (correction, *others) = page(html, "claims").select(".claims-ledger tbody tr")
    assert {"verdict-holds-with-a-correction", "source-paper-1", "kind-result"} <= set(correction["class"])
    assert all("verdict-holds" in row["class"] for row in others)
    assert [words.text for words in correction.select(".claim-words")] == ["It is b", "Here: Twice b."]


def test_what_holds_is_folded_by_chapter_and_the_rest_is_not(html):
    shown = page(html, "claims")
    (group,) = shown.select(".claims-source.source-paper-1 details.claims-group")
    assert group.summary.text == "One 2"
    assert not group.has_attr("open")
    assert len(group.select("tbody tr")) == 2
    assert shown.select_one("table#verdict-holds-with-a-correction").find_parent("details") is None


def test_the_evidence_is_folded_and_names_the_claim(html):
    (row,) = page(html, "claims").select(".verdict-holds-with-a-correction")
    assert row.select_one("details.claim-fold > p").text == "2, as expected; as stated 1. linear/eq-16"


def test_a_row_names_the_paper_because_tables_mix_several(html):
    row = page(html, "claims").select_one(".verdict-holds-with-a-correction")
    assert (row.td.a.text, row.td.a["href"]) == ("paper 1, Equation (16)", "linear/one.html#claim-linear-eq-16")


def test_a_verdict_without_claims_says_so(html):
    assert page(html, "claims").select_one("#verdict-does-not-hold").text == "No claim."


def test_the_faults_under_which_a_claim_fails_are_said_in_words():
    def said(caught, reason=None):
        return faults({"faults": {"caught": caught, "reason": reason}})

    assert (faults({}), said(0)) == ("", "")
    assert (said(1), said(3)) == ("Fails under 1 planted fault", "Fails under 3 planted faults")
    assert said(0, "it is text") == "No planted fault makes it fail: it is text"


RECORDS = [
    {"id": "linear/eq-1", "verdict": "holds", "source": "paper 1, Equation (1)"},
    {"id": "linear/eq-2", "verdict": "holds with a correction", "source": "paper 1, Equation (2)"},
    {"id": "linear/eq-3", "verdict": "does not hold", "source": "paper 1, Equation (3)"},
    {"id": "linear/eq-4", "verdict": "does not hold", "source": "this book"},
    {"id": "layers/eq-5", "verdict": "does not hold", "source": "paper 2, Equation (5)"},
]


def test_a_statement_shows_the_verdict_of_the_claim_that_has_its_label(html):
    titles = page(html, "linear/one").select(".proof .admonition-title")
    assert [link["href"] for title in titles for link in title.select("a.claim")] == ["#claim-linear-prop-3"]


@pytest.mark.parametrize(
    ("title", "label", "shown"),
    [
        ("Capacity", "linear-eq-2", "✎ corrected here"),
        ("Growth, as printed", "linear-eq-2", "✎ holds with a correction"),
        ("Sums", "linear-eq-1", "✓ holds"),
        ("Redundancy", "linear-eq-3", "✗ does not hold"),
    ],
)
def test_a_statement_that_is_restated_with_its_correction_says_so(monkeypatch, title, label, shown):
    records = [record | {"statement": "", "kind": "result", "chapter": "linear/one"} for record in RECORDS]
    monkeypatch.setattr(claims_page, "recorded", lambda env: records)
    builder = SimpleNamespace(format="html", name="html", get_relative_uri=lambda _, to: f"{to}.html")
    app = SimpleNamespace(env=None, builder=builder)
    statement = nodes.admonition("", nodes.title("", title), realtype="definition", label=label)
    document = nodes.container("", statement)
    claims_page.add_verdicts(app, document, "chapters/linear/one")
    assert document.next_node(nodes.title).astext() == f"{title} {shown}"


def test_the_counts_lead_to_what_the_ledger_has_of_their_source_and_verdict(html):
    (line,) = page(html, "counts").select(".claims-summary")
    assert line.strong.text == "Paper 1"
    assert [(badge.text, badge["href"]) for badge in line.select("a")] == [
        ("✓ 2 hold", "claims.html?verdict=holds&source=paper-1#verdict-holds"),
        (
            "✎ 1 holds with a correction",
            "claims.html?verdict=holds-with-a-correction&source=paper-1#verdict-holds-with-a-correction",
        ),
    ]
    assert "of its own" not in page(html, "counts").text  # it has none


def test_what_needs_a_change_is_counted_among_what_the_papers_say_and_can_be_tested(html):
    untestable = {"id": "linear/eq-6", "verdict": "not testable as stated", "source": "paper 1, Equation (6)"}
    assert changed([*RECORDS, untestable], ["linear"]) == "2 of 3 (67 %)"
    assert changed([*RECORDS, untestable], ["linear", "layers"]) == "3 of 4 (75 %)"
    assert "To change: 1 of " in page(html, "counts").text


def test_the_errata_show_where_what_is_said_what_it_should_be_and_the_evidence(html):
    (table,) = page(html, "errata").select(".claims-table")
    head = [cell.text for cell in table.select("thead th")]
    assert head == ["Where", "What it says, in our words", "Should be", "Evidence"]
    where, said, correct, evidence = table.select("tbody td")
    assert (where.a.text, where.a["href"]) == ("Equation (16)", "linear/one.html#claim-linear-eq-16")
    assert "It is" in said.text
    assert "in numbers: 1" in said.text
    assert "Twice" in correct.text
    assert evidence.text.strip() == "2, as expected"
    assert "No correction was needed so far." in page(html, "errata").text


@pytest.mark.parametrize(
    ("listed", "problems"),
    [
        (["linear/eq-3", "linear/eq-2"], ""),
        (["linear/eq-3"], "not listed: linear/eq-2"),
        (["linear/eq-2", "linear/eq-3", "linear/eq-2"], "listed twice: linear/eq-2"),
        (["linear/eq-1", "linear/eq-4"], "not listed: linear/eq-2, linear/eq-3; no errata: linear/eq-1, linear/eq-4"),
    ],
)
def test_the_lists_of_a_page_name_every_erratum_of_a_paper_once_and_nothing_else(listed, problems):
    assert wrong_lists(RECORDS, "linear", listed) == problems


def test_a_page_with_wrong_lists_of_errata_is_warned_of_by_name(tmp_path, monkeypatch):
    (tmp_path / "claims.json").write_text(json.dumps({"claims": RECORDS}))
    env = SimpleNamespace(srcdir=tmp_path, docname="errata", temp_data={LISTED: {"linear": ["linear/eq-2"]}})
    said = []
    monkeypatch.setattr(claims_page.logger, "warning", lambda text, *values, location: said.append(text % values))
    check_errata(SimpleNamespace(env=env), None)
    env.temp_data[LISTED]["linear"].append("linear/eq-3")
    check_errata(SimpleNamespace(env=env), None)
    problem = "expected each erratum of paper 1 once, got not listed: linear/eq-3; edit the lists"
    assert said == [f"claims-errata linear: {problem}"]
