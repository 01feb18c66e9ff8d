"""The coverage of the sources: claims and reasons by section, neighbours in one row."""

from small_site import page


def test_neighbouring_sentences_share_a_row_and_claims_are_linked(html):
    found = page(html, "receipt").select_one("section#coverage")
    (table,) = found.select("details:not([open]) > :is(.claims-table, :has(> .claims-table))")
    rows = [[entry.text.strip() for entry in row.select("td")] for row in table.select("tbody tr")]
    assert rows == [["1", "1 to 2", "background"], ["1", "3", "linear/prop-3"], ["2", "1", "background"]]
    assert table.select("a")[0]["href"] == "linear/one.html#claim-linear-prop-3"
    assert "Paper 1: 4 sentences; claims check 1 of them" in found.text


def test_each_kind_of_variation_has_a_row_with_the_claims_that_came_out_differently(html):
    (head,) = [each for each in page(html, "claims").select(".claims-table th") if each.text == "Comparisons"]
    table = head.find_parent("table")
    rows = [[entry.text.strip() for entry in row.select("td")] for row in table.select("tbody tr")]
    assert [row[1:] for row in rows] == [["1", "3", "none"], ["2", "5", "linear/prop-3"], ["0", "0", "none"]]
    assert [link["href"] for link in table.select("a")] == ["linear/one.html#claim-linear-prop-3"]
