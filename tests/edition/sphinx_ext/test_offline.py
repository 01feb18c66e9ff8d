"""Nothing is asked of other sites."""

from edition.verification.pages import outside_requests, pages


def test_no_page_asks_anything_of_other_sites(html):
    parsed = pages(html)
    assert outside_requests(parsed) == []
    scripts = {tag["src"].rpartition("/")[2] for page in parsed.values() for tag in page.select("script[src]")}
    assert "tex-chtml-full.js" in scripts
    assert (html / "_static" / "mathjax" / "tex-chtml-full.js").is_file()
