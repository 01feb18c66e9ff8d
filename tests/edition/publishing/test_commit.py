"""A commit changes nothing that pages are built from, and stands in the published ones as if it did."""

import json

import pytest
from small_books import write_book

from edition.book import book
from edition.metadata import figure_entry, hosted
from edition.publishing import site
from edition.publishing.commit import ORIGIN, awaiting, fill_in, staged_origin

SHARED = {"title": "Book", "authors": ["Doe, Jane"], "version": "1", "repository": "https://example.org/book"}
FIGURE = {"name": "linear-fig-5", "chapter": "linear/one"}


def page(shared):
    """Return what a page says of the commit: an address, an entry to copy, and the words themselves."""
    said = f"made with {shared['commit']}" if "commit" in shared else "made"
    return "\n".join([hosted(shared, "chapters/one.md", 3), figure_entry(FIGURE, "5", shared), said])


@pytest.mark.parametrize("known", [{}, {"commit": "1f2e"}, {"commit": "1f2e with changes"}])
def test_published_pages_say_of_the_commit_what_they_would_if_it_had_been_known_to_them(tmp_path, known):
    shared = SHARED | known
    for name in ("inner/one.html", "figures.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(page(awaiting(shared)))
    (tmp_path / "picture.svg").write_bytes(b"\xff\x00")
    fill_in(tmp_path, shared)
    assert (tmp_path / "inner/one.html").read_text() == page(shared)
    assert (tmp_path / "figures.json").read_text() == page(shared)
    assert (tmp_path / "picture.svg").read_bytes() == b"\xff\x00"


def test_of_what_is_staged_a_commit_changes_the_origin_only(tmp_path, monkeypatch):
    root = write_book(tmp_path / "book", {"intro": "# Book\n"})
    staged = []
    for commit in ("1f2e", "3a4b with changes"):
        monkeypatch.setattr(site, "origin", lambda _, commit=commit: SHARED | {"commit": commit})
        folder = tmp_path / commit[:4]
        site.stage(list(book(root).values()), {}, folder, root=root)
        assert staged_origin(folder)["commit"] == commit
        staged.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    first, second = staged
    assert [path.name for path in first if first[path] != second[path]] == [ORIGIN]
    assert json.loads(first[next(path for path in first if path.name == "figures.json")])["edition"]["version"] == "1"


def test_a_book_that_the_edition_did_not_stage_has_no_origin(tmp_path):
    assert staged_origin(tmp_path) == {}
