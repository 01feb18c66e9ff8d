"""The inspection of built pages: a good site has no fault."""

from pages import broken_links, missing_pages, pages, repeated_ids

from edition.book import book


def test_the_site_is_whole(html, site_root):
    parsed = pages(html)
    assert missing_pages(book(site_root).values(), html) == []
    assert broken_links(parsed) == []
    assert repeated_ids(parsed) == []
