"""The glossary: what of the chapters leads to it, and its table of symbols."""

import re
from collections import Counter

import pytest
from small_site import page

from edition.book import ROOT, book, renamed
from edition.sphinx_ext.glossary import FORMULA, normal, pattern_of

PARTS = ("linear", "layers", "companions", "beyond")


@pytest.fixture(scope="module")
def glossary():
    """Return the names of each entry, and the rows of symbols, as they are written."""
    text = (ROOT / "chapters" / "glossary.md").read_text(encoding="utf-8")
    (terms,) = re.findall(r"```\{glossary\}\n(.*?)\n```", text, re.DOTALL)
    tables = re.findall(r"```\{symbols\}\n(.*?)\n```", text, re.DOTALL)
    names = [[line for line in entry.splitlines() if line[0] != " "] for entry in terms.split("\n\n")]
    return names, [line.split(" | ") for table in tables for line in table.splitlines()]


def test_the_first_mention_of_a_term_or_symbol_in_each_section_leads_to_its_entry(html):
    links = page(html, "linear/words").select("a.term-link, a.symbol-link")
    assert [(" ".join(link.text.split()), link["href"].removeprefix("../glossary.html#")) for link in links] == [
        ("K1", "symbol-K"),
        ("spins", "term-spin"),
        ("Spin numbers", "term-total-spin"),
        ("spin", "term-spin"),
        ("K", "symbol-K-2"),
    ]


def test_headings_code_links_tables_boxes_and_titles_are_not_linked(html):
    links = page(html, "linear/words").select("a.term-link, a.symbol-link")
    assert all(link.parent.name == "p" for link in links)
    assert [
        link for link in links if link.find_parent(class_="admonition") and not link.find_parent(class_="proof")
    ] == []


def test_only_chapters_are_linked_and_only_where_the_page_means_the_symbol(html):
    linked = {
        path.relative_to(html / "chapters").as_posix()
        for path in html.rglob("*.html")
        if "-link reference" in path.read_text()
    }
    assert linked == {"linear/words.html"}


def test_the_table_shows_each_symbol_with_its_meaning_its_shape_and_where_it_is_introduced(html):
    head, *rows = page(html, "glossary").select(".symbols-table tr")
    assert [cell.text for cell in head.select("th")] == ["Symbol", "Meaning", "Unit or shape", "Where"]
    assert [row["id"] for row in rows] == ["symbol-K", "symbol-K-2", "symbol-mathcal-S"]
    cells = [" ".join(cell.text.split()) for cell in rows[1].select("th, td")]
    assert cells == ["K", "the number of S < 3", "integer", "(E1), Property 3"]


def test_on_paper_there_are_the_entries_and_no_links_to_them(latex):
    (document,) = latex.glob("*.tex")
    text = document.read_text()
    assert "Half of" in text
    assert r"the number of \(\mathcal{S}\)" in text
    assert "term-link" not in text


def test_a_term_is_found_as_a_whole_word_in_the_plural_across_lines_and_the_longest_of_several():
    found = pattern_of({"spin": "", "total spin": ""}).findall(
        "Spin, total\nspins; spinning, spin-free, anti-spin, a_spin"
    )
    assert found == ["Spin", "total\nspin"]


@pytest.mark.whole
def test_no_page_has_two_meanings_of_a_symbol_and_every_page_that_a_row_names_is_there(glossary):
    meanings = Counter((normal(s), p) for row in glossary[1] for s in FORMULA.findall(row[0]) for p in row[4].split())
    assert [pair for pair, count in meanings.items() if count > 1] == []
    assert {renamed().get(place, place) for _, place in meanings} <= {*book(), *PARTS}
