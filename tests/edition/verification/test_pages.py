"""The inspection of built pages: a good site has no fault."""

from pages import broken_links, pages, repeated_ids

from edition.book import book
from edition.publishing.build import missing_pages


def test_the_site_is_whole(html, site_root):
    parsed = pages(html)
    assert missing_pages(book(site_root).values(), html) == []
    assert broken_links(parsed) == []
    assert repeated_ids(parsed) == []
