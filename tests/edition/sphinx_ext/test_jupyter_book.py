"""Pages ask nothing of other sites."""

from pages import outside_requests, pages


def test_no_page_asks_anything_of_other_sites(html):
    assert outside_requests(pages(html)) == []
