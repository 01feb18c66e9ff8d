"""A new chapter is written from the template: it builds without a warning, and its claims hold."""

import jupytext
import nbformat
import pytest
from small_books import write_book

from edition.book import book
from edition.claims.ledger import collect
from edition.execution.all_chapters import execute
from edition.new_chapter import new_chapter
from edition.publishing.site import build_html, stage


@pytest.fixture
def root(tmp_path):
    return write_book(tmp_path / "book", {"intro": "# Book\n", "beyond/first": "# First\n", "linear/one": "# One\n"})


@pytest.mark.usefixtures("imported_once")
def test_a_new_chapter_builds_and_passes_as_it_is(root):
    text = new_chapter("beyond/my-page", root).read_text()
    assert jupytext.writes(jupytext.reads(text, "md:myst"), "md:myst") == text
    chapters = book(root)
    assert [*chapters] == ["intro", "beyond/first", "beyond/my-page", "linear/one"]
    executed = {"beyond/my-page": execute(chapters["beyond/my-page"], {}, root / "my-page.ipynb")}
    notebooks = {name: nbformat.read(path, as_version=4) for name, path in executed.items()}
    assert [(claim["id"], claim["verdict"]) for claim in collect(notebooks)] == [("beyond/my-page/total", "holds")]
    html = build_html(root / "stage", stage(list(chapters.values()), executed, root / "stage", root=root))
    assert 'id="my-page-figure"' in (html / "chapters" / "beyond" / "my-page.html").read_text()


@pytest.mark.parametrize(
    "name", ["mine", "api/mine", "elsewhere/mine", "beyond/../mine", "beyond/Mine", "beyond/first"]
)
def test_names_that_are_none_or_taken_are_refused_and_nothing_is_written(root, name):
    before = {path: path.read_text() for path in root.rglob("*.*") if path.is_file()}
    with pytest.raises(ValueError, match=r"expected a name .*; (got|choose another)"):
        new_chapter(name, root)
    assert {path: path.read_text() for path in root.rglob("*.*") if path.is_file()} == before
