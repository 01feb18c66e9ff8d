"""The pages that say how a copy was made, how to cite it, and where to get it."""

from small_site import page

from edition.citation import origin


def test_the_receipt_says_what_each_chapter_took_and_what_is_not_known(html):
    row, total = page(html, "receipt").select("details.receipt:not([open]) .claims-table tbody tr")
    chapter, *took = row.select("td")
    assert [cell.text.strip() for cell in took] == ["2.5", "not known", "4", "3"]
    title, *figures, command = chapter.select("p")
    assert (title.text, command.text) == ("One", "make run CHAPTER=linear/one")
    links = [link["href"] for paragraph in figures for link in paragraph.select("a")]
    assert links
    assert all(link.startswith("linear/one.html#") for link in links)
    assert [cell.text.strip() for cell in total.select("td")][1:] == ["2.5", "0", "4", "3"]


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
