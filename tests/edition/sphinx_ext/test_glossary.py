"""The glossary: what of the chapters leads to it, its table of symbols, and whether it has what the chapters use."""

import re
from collections import Counter

import pytest
from small_site import page

from edition.book import ROOT
from edition.sphinx_ext.glossary import BY_HAND, FORMULA, normal, pattern_of

PARTS = ("linear", "layers", "companions", "beyond")
NOT_PROSE = re.compile(
    r"```\{(?:code-cell|math)\}.*?^```$|^:::\{claim\}.*?^:::$|\$\$.*?\$\$|\A---.*?^---$", re.DOTALL | re.MULTILINE
)
MARKS = r"(?:(?:_|\^(?!\d))(?:\{[^{}]*\}|\\?\w+|\*)|')"  # an index, or what is raised and no number
SYMBOL = re.compile(rf"(?:\\(?:tilde|hat|mathcal) ?)?(?:\{{\w\}}|\\[A-Za-z]+|[A-Za-z]){MARKS}*")
LOCAL = {  # letters that count, or that stand for something else wherever they occur
    *(
        "i",
        "j",
        "k",
        "l",
        "r",
        "s",
        "u",
        "w",
        "y",
        "B",
        "C",
        "N",
        "w_1",
        "w_2",
        "g_i",
        "x",
        "x_1",
        "e_1",
        "e_2",
        r"\theta_1",
        "z^k",
    ),
    r"\square",  # the end of a proof
}


def prose(path):
    """Return the text of a chapter without code and displayed formulas."""
    return NOT_PROSE.sub("", path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def chapters():
    """Return the prose of all pages that may be linked, by part and name."""
    paths = [
        ROOT / "chapters" / "intro.md",
        *(path for part in PARTS for path in (ROOT / "chapters" / part).glob("*.md")),
    ]
    return {path.relative_to(ROOT / "chapters").with_suffix("").as_posix(): prose(path) for path in paths}


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
        (r"\(K_1\)", "symbol-K"),
        ("spins", "term-spin"),
        ("Spin numbers", "term-total-spin"),
        ("spin", "term-spin"),
        (r"\(K\)", "symbol-K-2"),
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


def test_every_link_leads_to_an_entry(html):
    ids = {tag["id"] for tag in page(html, "glossary").select("[id]")}
    found = page(html, "linear/words").select("a.term-link, a.symbol-link")
    assert {link["href"].partition("#")[2] for link in found} <= ids


def test_the_table_shows_each_symbol_with_its_meaning_its_shape_and_where_it_is_introduced(html):
    head, *rows = page(html, "glossary").select(".symbols-table tr")
    assert [cell.text for cell in head.select("th")] == ["Symbol", "Meaning", "Unit or shape", "Where"]
    assert [row["id"] for row in rows] == ["symbol-K", "symbol-K-2", "symbol-mathcal-S"]
    cells = [" ".join(cell.text.split()) for cell in rows[1].select("th, td")]
    assert cells == [r"\(K\)", r"the number of \(\mathcal{S}\) < 3", "integer", "(E1), Property 3"]
    assert rows[0].th is not None


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


def test_every_entry_has_a_name_that_the_chapters_use(glossary, chapters):
    text = "\n".join(chapters.values()).replace("*", "")
    assert [names for names in glossary[0] if not pattern_of(names).search(text)] == []


def test_every_term_that_is_left_to_its_role_is_one(glossary):
    assert {name for names in glossary[0] for name in names} >= BY_HAND


def test_entries_are_in_alphabetical_order_and_no_term_has_two(glossary):
    first = [names[0].lower() for names in glossary[0]]
    assert first == sorted(first)
    assert max(Counter(name for names in glossary[0] for name in names).values()) == 1


def test_every_symbol_that_stands_alone_three_times_is_in_the_table_or_local(glossary, chapters):
    listed = {normal(symbol) for row in glossary[1] for symbol in FORMULA.findall(row[0])}
    alone = Counter(normal(f) for text in chapters.values() for f in FORMULA.findall(text) if SYMBOL.fullmatch(f))
    assert {symbol for symbol, count in alone.items() if count >= 3} - listed - LOCAL == set()
    assert alone[r"\tilde\Sigma"] > 3


def test_no_page_has_two_meanings_of_a_symbol_and_every_page_that_a_row_names_is_there(glossary, chapters):
    meanings = Counter((normal(s), p) for row in glossary[1] for s in FORMULA.findall(row[0]) for p in row[-1].split())
    assert [pair for pair, count in meanings.items() if count > 1] == []
    assert {place for _, place in meanings} <= {*chapters, *PARTS}
