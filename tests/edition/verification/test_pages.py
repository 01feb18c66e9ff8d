"""The inspection of built pages: a good site has no fault, and each fault is noticed."""

from edition.book import book
from edition.publishing.build import missing_pages
from edition.verification.pages import broken_links, outside_requests, pages, repeated_ids


def test_the_site_is_whole(html, site_root):
    parsed = pages(html)
    assert missing_pages(book(site_root).values(), html) == []
    assert broken_links(parsed) == []
    assert repeated_ids(parsed) == []


def test_what_is_wrong_with_a_site_is_noticed(tmp_path):
    text = (
        '<article><p id="a"><p id="a"><a href="#b"><a href="no.html"></article><script src="https://x.org/"></script>'
    )
    (tmp_path / "one.html").write_text(text)
    parsed = pages(tmp_path)
    assert missing_pages([], tmp_path)[0] == tmp_path / "index.html"
    assert broken_links(parsed) == [("one.html", "#b"), ("one.html", "no.html")]
    assert repeated_ids(parsed) == [("one.html", "a")]
    assert outside_requests(parsed) == [("one.html", "https://x.org/")]
