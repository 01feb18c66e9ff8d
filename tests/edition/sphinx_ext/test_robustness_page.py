"""The table of what became of the claims under variations."""

from small_site import page


def test_each_kind_of_variation_has_a_row_with_the_claims_that_came_out_differently(html):
    (head,) = [each for each in page(html, "claims").select(".claims-table th") if each.text == "Comparisons"]
    table = head.find_parent("table")
    rows = [[entry.text.strip() for entry in row.select("td")] for row in table.select("tbody tr")]
    assert [row[1:] for row in rows] == [["1", "3", "none"], ["2", "5", "linear/prop-3"], ["0", "0", "none"]]
    assert [link["href"] for link in table.select("a")] == ["linear/one.html#claim-linear-prop-3"]
