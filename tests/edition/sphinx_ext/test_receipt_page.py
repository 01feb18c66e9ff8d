"""The page that says how a copy was made."""

from small_site import page


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
