"""Claims collected from the pages: their verdicts at statements, the counts, the ledger and the errata."""

import json

from small_site import page


def test_a_statement_shows_the_verdict_of_the_claim_that_has_its_label(html):
    titles = page(html, "linear/one").select(".proof .admonition-title")
    assert [link["href"] for title in titles for link in title.select("a.claim")] == ["#claim-linear-prop-3"]


def test_the_counts_lead_to_the_ledger(html):
    badges = page(html, "counts").select(".claims-summary a")
    assert [(badge.text, badge["href"]) for badge in badges] == [
        ("✓ 2 hold", "claims.html"),
        ("✎ 1 holds with a correction", "claims.html"),
    ]


def test_the_ledger_lists_every_claim_and_the_errata_the_corrected_ones(html):
    rows = [row.text.split("\n") for row in page(html, "claims").select(".claims-table")[2].select("tbody tr")]
    assert len(rows) == 3
    assert {link["href"] for link in page(html, "claims").select(".claims-table a")} == {
        "linear/one.html#claim-linear-prop-3",
        "linear/one.html#claim-linear-eq-16",
        "linear/one.html#claim-linear-fig-5-round",
    }
    assert [link.text for link in page(html, "errata").select(".claims-table a")] == ["Equation (16)"]
    counts = json.loads((html / "claims.json").read_text())["counts"]
    assert (counts["holds"], counts["holds with a correction"]) == (2, 1)
