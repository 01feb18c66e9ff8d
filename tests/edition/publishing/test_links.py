"""What leads out of a part of the book, or of one chapter, becomes words; all else stays as it is."""

import nbformat
import pytest

from edition.publishing.links import ELSEWHERE, figure, labels, unlinked


def of_part(text, **options):
    return unlinked(
        text, {"own"}, stays=lambda page: page == "here.md", words_only=("explorer",), mark=" (*)", **options
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[two](there.md), [three](../a/there.md#own)", "two (*), three (*)"),
        ("[one](here.md), [](here.md#own), [page](https://example.org/there.md)", None),
        ("[](there.md)", ELSEWHERE),
        ("[next](#other) and [this](#own)", "next (*) and [this](#own)"),
        ("{eq}`own`, {ref}`that <own>`, {term}`gain`", None),
        ("{eq}`linear-eq-16`, {prf:ref}`linear-thm-1`, {ref}`that <other>`", "(16) (*), Theorem 1 (*), that (*)"),
        ("{eq}`other`", ELSEWHERE),
        ("{explorer}`two <tiled.32.2.sunspots>`", "two (*)"),
    ],
)
def test_what_leads_elsewhere_becomes_words_with_a_mark(text, words):
    assert of_part(text) == (text if words is None else words)


def test_words_are_a_link_where_the_address_of_the_page_elsewhere_is_known():
    there = {"there.md": "https://a.example/there.html"}.get
    assert of_part("[two](there.md#a), [](there.md)", address=there) == (
        f"[two](https://a.example/there.html#a) (*), {ELSEWHERE}"
    )


@pytest.mark.whole
def test_nothing_leads_out_of_the_whole_book(chapters):
    cells = [cell for chapter in chapters.values() for cell in chapter.notebook()[0].cells]
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"] + [
        figure(c).get("caption", "") for c in cells
    ]
    found = labels([*cells, *map(nbformat.v4.new_markdown_cell, texts)])
    for text in texts:
        assert unlinked(text, found, stays=lambda page: True, words_only=()) == text
