"""The way from notebooks to a site: warnings fail it, and it replaces the former one as a whole."""

import os
import shutil
from pathlib import Path

import pytest
from small_books import cell, write_book

from edition.book import book
from edition.execution.all_chapters import execute
from edition.publishing.site import build_html, publish, stage


@pytest.mark.usefixtures("imported_once")
def test_a_warning_fails_the_build_and_names_the_line_of_the_text(tmp_path):
    text = "# One\n\n" + cell("a = 1") + "\nWords.\n\nAnd {eq}`nowhere`.\n"
    root = write_book(tmp_path, {"intro": "# Book\n", "one": text})
    chapters = book(root)
    executed = {"one": execute(chapters["one"], {}, tmp_path / "one.ipynb")}
    positions = stage(list(chapters.values()), executed, tmp_path / "stage", root=root)
    line = (root / "chapters" / "one.md").read_text().splitlines().index("And {eq}`nowhere`.") + 1
    with pytest.raises(RuntimeError, match=rf"chapters/one\.md:{line}: WARNING: equation not found: nowhere"):
        build_html(tmp_path / "stage", positions)


@pytest.mark.usefixtures("imported_once")
def test_pages_are_kept_where_nothing_changed_and_made_anew_otherwise(tmp_path):
    root, folder = write_book(tmp_path / "book", {"intro": "# Book\n", "one": "# One\n"}), tmp_path / "stage"

    def written():
        page = build_html(folder, stage(list(book(root).values()), {}, folder, root=root)) / "chapters" / "one.html"
        return page.stat().st_mtime_ns

    first = written()
    (folder / "left.md").write_text("# Left")
    assert written() == first
    assert not (folder / "left.md").exists()
    (root / "chapters" / "one.md").write_text("# Another\n")
    assert written() > first


@pytest.mark.parametrize(
    ("module", "function", "call", "there"),
    [
        ("shutil", "copytree", 1, {"old.html"}),
        ("pathlib.Path", "replace", 1, {"old.html"}),
        ("pathlib.Path", "replace", 2, None),
        ("shutil", "rmtree", 3, {"new.html", "more.html"}),
    ],
)
def test_publishing_that_is_cut_short_is_made_good_by_the_next(tmp_path, monkeypatch, module, function, call, there):
    built, site = tmp_path / "built", tmp_path / "html"
    half = tmp_path / ".html.new" / "half.html"
    for path in (built / "new.html", built / "more.html", site / "old.html", half):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    owner, calls = {"shutil": shutil, "pathlib.Path": Path}[module], []
    original = getattr(owner, function)

    def cut(*args, **options):
        calls.append(function)
        if len(calls) == call:
            raise KeyboardInterrupt
        return original(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, function, cut)
        with pytest.raises(KeyboardInterrupt):
            publish(built, site)
    assert (names(site) if site.exists() else None) == there
    publish(built, site)
    assert names(site) == {"new.html", "more.html"}
    assert names(tmp_path) == {"built", "html"}


def test_a_full_disk_leaves_the_former_pages_and_nothing_half_written(tmp_path, monkeypatch):
    def full(_, destination, **__):
        Path(destination).write_text("hal")
        raise OSError(28, os.strerror(28), str(destination))

    for path in (tmp_path / "built" / "new.html", tmp_path / "html" / "old.html"):
        path.parent.mkdir()
        path.write_text("")
    with monkeypatch.context() as patch:
        patch.setattr(shutil.copytree, "__defaults__", (False, None, full, False, False))
        with pytest.raises(shutil.Error, match="No space left"):
            publish(tmp_path / "built", tmp_path / "html")
    assert names(tmp_path) == {"built", "html"}
    assert names(tmp_path / "html") == {"old.html"}


def names(folder):
    return {path.name for path in folder.iterdir()}
