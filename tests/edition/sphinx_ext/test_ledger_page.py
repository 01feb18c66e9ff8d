"""The ledger: every claim in the list of its verdict, its evidence folded, with the classes that the filter uses."""

from small_site import page


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
