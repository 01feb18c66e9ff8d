"""What fills a page is added up pixel by pixel, told in a table; a browser measures it elsewhere."""

import pytest
from click.testing import CliRunner
from small_books import write_book

from edition.cli import main
from edition.verification.page_measures import KINDS, built_site, describe, measure, shares


def page(height=1000, text=0.5, first=100):
    seen = {
        "height": height + 50,
        "article": height,
        "shares": dict.fromkeys(KINDS, 0.0) | {"text": text, "space": 1 - text},
        "first figure": first,
        "words": 7,
        "code cells": 2,
        "code blocks cut": 1,
        "formulas cut": 0,
        "figures that scroll sideways": 3,
    }
    return {"desk": seen, "phone": seen | {"height": 3000}, "bytes": 12_400}


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([], {"space": 1}),
        ([("text", 0, 100)], {"text": 1}),
        ([("text", 10, 90), ("code", 20, 40), ("figures", 40, 50)], {"text": 0.5, "code": 0.2, "figures": 0.1}),
        ([("headings", -20, 10), ("folds", 90, 200)], {"headings": 0.1, "folds": 0.1}),
        ([("text", 0, 50), ("tables", 0, 25)], {"text": 0.25, "tables": 0.25}),
    ],
)
def test_each_pixel_belongs_to_the_innermost_block_that_covers_it(blocks, expected):
    found = shares(100, blocks)
    rest = 1 - sum(share for kind, share in expected.items() if kind != "space")
    assert found == pytest.approx(dict.fromkeys(KINDS, 0) | expected | {"space": rest if blocks else 1})
    assert list(found) == list(KINDS)


def test_an_article_without_height_has_no_shares():
    assert shares(0, [("text", 0, 0)]) == dict.fromkeys(KINDS, 0)


def test_the_table_has_the_chapters_in_their_order_and_their_shares_by_height():
    found = {"a.html": page(first=None), "c.html": page(1000, 0.5), "b.html": page(3000, 0.9, 900)}
    table = describe(found, ["c.html", "b.html"]).splitlines()
    rows = [line.replace("all chapters", "all").split() for line in table[1:-1]]
    assert [row[0] for row in rows] == ["c.html", "b.html", "all", "a.html"]
    assert [row[1:3] for row in rows] == [["1050", "50.0%"], ["3050", "90.0%"], ["4100", "80.0%"], ["1050", "50.0%"]]
    assert [row[9:] for row in rows] == [
        ["100*", "2", "1", "7", "12", "3000", "0", "1", "3"],
        ["900", "2", "1", "7", "12", "3000", "0", "1", "3"],
        ["-", "4", "2", "14", "25", "6000", "0", "2", "6"],
        ["-", "2", "1", "7", "12", "3000", "0", "1", "3"],
    ]


def test_the_book_at_the_papers_values_comes_before_the_quick_one(tmp_path):
    with pytest.raises(ValueError, match="expected a built book, found none; make book, or make quick"):
        built_site(tmp_path)
    for name in ("html-quick", "html"):
        (tmp_path / "_build" / name).mkdir(parents=True)
        (tmp_path / "_build" / name / "index.html").touch()
        assert built_site(tmp_path) == tmp_path / "_build" / name


def test_a_page_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"expected the pages no\.html, found none; make book"):
        measure(tmp_path, ["no.html"])


def test_the_command_says_which_site_it_measures(tmp_path, monkeypatch):
    root = write_book(tmp_path / "book", {"intro": "# Book\n"})
    command = ["--root", str(root), "reading"]
    missing = CliRunner().invoke(main, command)
    assert missing.exit_code == 1
    assert "found none; make book, or make quick" in missing.output
    site = tmp_path / "elsewhere"
    site.mkdir()
    monkeypatch.setattr("edition.verification.page_measures.measure", lambda site: {"chapters/intro.html": page()})
    done = CliRunner().invoke(main, [*command, str(site)])
    assert done.exit_code == 0
    assert f"the site: {site}" in done.output
    assert "chapters/intro.html" in done.output
