"""The ledger: every claim in the list of its verdict, its evidence folded, with the classes that the filter uses."""

from small_site import page

from edition.sphinx_ext.ledger_page import faults


def test_each_claim_is_listed_once_and_leads_to_its_cell(html):
    rows = page(html, "claims").select(".claims-ledger tbody tr")
    assert sorted(row.select_one("a[href*='#claim-']")["href"] for row in rows) == [
        "linear/one.html#claim-linear-eq-16",
        "linear/one.html#claim-linear-fig-5-round",
        "linear/one.html#claim-linear-prop-3",
    ]


def test_what_needs_a_correction_comes_before_what_holds(html):
    (correction, *others) = page(html, "claims").select(".claims-ledger tbody tr")
    assert {"verdict-holds-with-a-correction", "part-linear", "kind-result"} <= set(correction["class"])
    assert all("verdict-holds" in row["class"] for row in others)
    assert [words.text for words in correction.select(".claim-words")] == ["It is b", "Here: Twice b."]


def test_what_holds_is_folded_by_chapter_and_the_rest_is_not(html):
    shown = page(html, "claims")
    (group,) = shown.select(".claims-part.part-linear details.claims-group")
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
