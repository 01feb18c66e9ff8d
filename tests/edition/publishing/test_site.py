"""The way from notebooks to a site: warnings fail it, and it replaces the former one as a whole."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_books import cell, write_book

from edition.book import book
from edition.execution.all_chapters import execute
from edition.publishing import site
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


def rewritten(path, old, new):
    path.write_text(path.read_text().replace(old, new))


MADE_FROM = {
    "words of a page": lambda staged, _: rewritten(staged / "chapters" / "one.md", "One", "Two"),
    "the name of a page": lambda staged, _: (staged / "chapters" / "one.md").rename(staged / "chapters" / "two.md"),
    "a page more": lambda staged, _: (staged / "chapters" / "two.md").write_text("# Two\n"),
    "a page fewer": lambda staged, _: (staged / "chapters" / "one.md").unlink(),
    "the settings": lambda staged, _: rewritten(staged / "_config.yml", "title:", "title: another"),
    "the contents": lambda staged, _: rewritten(staged / "_toc.yml", "root: chapters/intro", "root: chapters/one"),
    "a work": lambda staged, _: (staged / "references.bib").write_text("@book{a, title={A}}"),
    "a style sheet": lambda staged, _: (staged / "edition" / "static" / "type.css").write_text("a {}"),
    "a figure": lambda staged, _: (staged / site.EXTRA / "one.svg").write_text("<svg/>"),
    "the claims": lambda staged, _: (staged / "claims.json").write_text("{}"),
    "code and packages": lambda _, patch: patch.setattr(site, "sources", lambda: "others"),
    "Python": lambda _, patch: patch.setattr("sys.version", "another"),
}


@pytest.mark.parametrize("change", MADE_FROM.values(), ids=MADE_FROM)
def test_any_one_of_these_has_the_pages_made_anew(tmp_path, monkeypatch, change):
    root = write_book(tmp_path / "book", {"intro": "# Book\n", "one": "# One\n"})
    staged = tmp_path / site.MADE / "stage"  # as where books are built
    stage(list(book(root).values()), {}, staged, root=root)
    made = []

    def build(folder, _positions, _builder, _options, basis):
        made.append(basis)
        (folder / site.MADE).mkdir(exist_ok=True)
        (folder / site.MADE / site.NOTE).write_text(basis)

    monkeypatch.setattr(site, "_build", build)
    build_html(staged, {})
    build_html(staged, {})
    assert len(made) == 1
    change(staged, monkeypatch)
    build_html(staged, {})
    assert len(made) == 2


CUT = """
import os, shutil, signal, sys
from pathlib import Path
from edition.publishing import site

folder, exchanges = Path(sys.argv[1]), sys.argv[2] == "True"
if not exchanges:
    site._exchange = lambda *_: False

def tree(path):
    return {file.relative_to(path).as_posix(): file.read_text() for file in path.rglob("*") if file.is_file()}

def cut(number):
    def note(event, _, seen=[]):
        seen.append(event)
        if len(seen) == number:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(note)
    site.publish(folder / "built", folder / "html")
    os._exit(0)

status, number, places = None, 0, set()
while status != 0:
    number += 1
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in {"built/one": "new", "built/in/two": "new", "html/one": "old", ".html.new/three": "half"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    status = os.waitpid(os.fork() or cut(number), 0)[1]
    there = (folder / "html").exists()
    site.finish_publishing(folder / "html")
    found = tree(folder / "html")
    assert there or not exchanges, number
    assert found in ({"one": "old"}, {"one": "new", "in/two": "new"}), (number, found)
    places.add((there, len(found)))
    site.publish(folder / "built", folder / "html")
    assert tree(folder / "html") == tree(folder / "built"), number
    assert {path.name for path in folder.iterdir()} == {"built", "html"}, number
print(number, sorted(places))
"""


@pytest.mark.parametrize(
    ("exchanges", "seen"), [(True, {(True, 1), (True, 2)}), (False, {(True, 1), (False, 2), (True, 2)})]
)
def test_publishing_that_is_killed_at_any_moment_leaves_the_one_site_or_the_other(tmp_path, exchanges, seen):
    command = [sys.executable, "-c", CUT, tmp_path / "book", str(exchanges)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    moments, _, places = done.stdout.partition(" ")
    assert int(moments) > 20
    assert places.strip() == str(sorted(seen))


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
