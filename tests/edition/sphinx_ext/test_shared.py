"""What is folded, on a page and on paper."""

from small_site import page


def test_what_is_folded_is_there_in_full_below_the_line_that_opens_it(html):
    (found,) = [each for each in page(html, "receipt").select("details.quiet") if "Item" in each.summary.text]
    assert (found.summary.text, found.p.text) == ("Item *by* item", "Asked and answered.")
