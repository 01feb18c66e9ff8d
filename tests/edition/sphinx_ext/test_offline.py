"""Nothing is asked of other sites."""

from edition.verification.pages import outside_requests, pages


def test_no_page_asks_anything_of_other_sites(html):
    parsed = pages(html)
    assert outside_requests(parsed) == []
    scripts = {tag["src"].rpartition("/")[2] for page in parsed.values() for tag in page.select("script[src]")}
    assert "tex-chtml-full.js" in scripts
    assert (html / "_static" / "mathjax" / "tex-chtml-full.js").is_file()


def test_the_pages_with_formulas_and_no_others_load_what_shows_them(html):
    for path, page in pages(html).items():
        loads = any("tex-chtml" in tag.get("src", "") or "window.MathJax" in tag.text for tag in page.select("script"))
        assert loads == bool(page.select("article .math")), path
