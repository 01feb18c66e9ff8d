"""The part of a page that says how to cite."""

from small_site import page

from edition.citation import origin


def test_the_citations_are_those_of_this_copy_and_of_the_papers(html):
    entries = [entry.text for entry in page(html, "rerun").select("article .highlight-bibtex")]
    keys = [entry.split("{")[1].split(",")[0] for entry in entries]
    assert keys == ["capacity-allocation", "donier2019capacity", "donier2019layers", "raghu2016survey"]
    assert f"version = {{{origin()['version']}}}" in entries[0]
    assert "arXiv:1902.08572" in page(html, "rerun").select_one("article").text


def test_the_author_of_the_papers_is_named_as_that_only(html):
    footer = page(html, "linear/one").select_one("footer.bd-footer-content")
    assert "Donier" not in footer.select_one(".component-author").text
    assert "independent of Jonathan Donier" in footer.text
