"""The page of the receipt."""

from small_site import page


def test_the_receipt_says_what_each_chapter_took_and_what_is_not_known(html):
    row, total = page(html, "receipt").select(".claims-table tbody tr")
    assert [cell.text.strip() for cell in row.select("td")] == ["One", "2.5", "not known", "4", "3"]
    assert [cell.text.strip() for cell in total.select("td")][1:] == ["2.5", "0", "4", "3"]
