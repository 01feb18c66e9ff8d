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


def test_neighbouring_sentences_share_a_row_and_claims_are_linked(html):
    found = page(html, "receipt").select_one("section#coverage")
    (table,) = found.select("details:not([open]) > :is(.claims-table, :has(> .claims-table))")
    rows = [[entry.text.strip() for entry in row.select("td")] for row in table.select("tbody tr")]
    assert rows == [["1", "1 to 2", "background"], ["1", "3", "linear/prop-3"], ["2", "1", "background"]]
    assert table.select("a")[0]["href"] == "linear/one.html#claim-linear-prop-3"
    assert "Paper 1 has 4 sentences; claims check 1 of them" in found.text


def test_what_a_page_folds_is_there_in_full_below_the_line_that_opens_it(html):
    (found,) = [each for each in page(html, "receipt").select("details.quiet") if "Item" in each.summary.text]
    assert (found.summary.text, found.p.text) == ("Item *by* item", "Asked and answered.")
