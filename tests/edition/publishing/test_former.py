"""Former pages are kept where an edit of words leaves them as they are, and nowhere else."""

import json
import os
from itertools import count

import pytest
from small_books import write_book

from edition.book import book
from edition.publishing import former, site
from edition.publishing.site import build_html, stage

STATEMENT = "```{prf:property} Of a\n:label: own-a\nIt is $b$.\n```\n"
ONE = f"# One\n\nSee [](two.md), and equation {{eq}}`own-second`.\n\n{STATEMENT}"
TWO = "# Two\n\nWords of $a$.\n\n$$\na = b\n$$ (own-first)\n\n$$\nb = c\n$$ (own-second)\n"
FIGURE = {"name": "linear-fig-5", "line": 7}


@pytest.fixture(autouse=True)
def sources(tmp_path, monkeypatch):
    """Write small sources in the place of the project's; return their folder."""
    texts = {"capacity/one.py": '"""What it was for."""\nx = 1', "edition/two.py": "", "requirements.txt": ""}
    for name, text in texts.items():
        path = tmp_path / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(former, "ROOT", tmp_path / "sources")
    return tmp_path / "sources"


def built(root, folder):
    """Build a book in a folder; return the content of its pages, and the times at which they were written."""
    html = build_html(folder, stage(list(book(root).values()), {}, folder, root=root))
    files = [path for path in html.rglob("*") if path.is_file() and path.name != ".buildinfo"]
    content = {path.relative_to(html).as_posix(): path.read_bytes() for path in files}
    return content, {path.relative_to(html).as_posix(): path.stat().st_mtime_ns for path in files}


def rewrite(root, name, old, new):
    path = root / "chapters" / f"{name}.md"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.usefixtures("imported_once")
def test_pages_after_edits_are_those_of_a_build_from_nothing_and_words_are_an_edit_of_their_page_alone(
    tmp_path, monkeypatch
):
    origin, commits = site.origin, count()  # each build is of another commit
    monkeypatch.setattr(site, "origin", lambda root: origin(root) | {"commit": str(next(commits))})
    root = write_book(tmp_path / "book", {"intro": "# Book\n", "one": ONE, "two": TWO})
    _, written = built(root, tmp_path / "stage")
    rewrite(root, "two", "Words of", "Other words of")
    second, rewritten = built(root, tmp_path / "stage")
    assert built(root, tmp_path / "stage")[0] == second  # where nothing changed at all
    assert b"Other words of" in second["chapters/two.html"]
    assert rewritten["chapters/two.html"] > written["chapters/two.html"]
    assert rewritten["chapters/one.html"] == written["chapters/one.html"]
    rewrite(root, "two", "# Two", "# Deux")
    rewrite(root, "two", "$$\na = b\n$$ (own-first)\n\n", "")
    third, _ = built(root, tmp_path / "stage")
    assert b"Deux" in third["chapters/one.html"]
    assert b"(E2)" in second["chapters/one.html"]
    assert b"(E1)" in third["chapters/one.html"]
    assert third == built(root, tmp_path / "another")[0]


def staged(folder, **changes):
    """Write what a staged book has; return its folder."""
    content = {
        "_config.yml": "title: Book",
        "claims.json": "[]",
        "figures.json": json.dumps({"figures": [FIGURE]}),
        "receipt.json": "1",
        "origin.json": "{}",
        "chapters/glossary.md": "# Glossary",
        "chapters/one.md": "# One",
        "extra/figures/linear-fig-5.svg": "<svg/>",
    }
    for name, text in (content | changes).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def made(folder):
    """Write the pages of a staged book."""
    page = folder / "_build" / "html" / "one.html"
    page.parent.mkdir(parents=True)
    page.write_text("One")
    former.remember(folder, former.basis(folder))
    return page


def remain(folder):
    return former.taken_up(folder, former.basis(folder))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("chapters/one.md", "# One\n\nWords.", True),
        ("receipt.json", "2", True),
        ("origin.json", '{"commit": "1f2e"}', True),
        ("extra/figures/linear-fig-5.svg", "<svg></svg>", True),
        ("figures.json", json.dumps({"figures": [FIGURE | {"line": 8}]}), True),
        ("figures.json", json.dumps({"figures": [FIGURE | {"name": "linear-fig-6"}]}), False),
        ("claims.json", "[1]", False),
        ("chapters/glossary.md", "# Words", False),
        ("chapters/two.md", "# Two", False),
        ("_config.yml", "title: Another", False),
    ],
)
def test_former_pages_remain_where_only_words_of_pages_changed(tmp_path, name, text, expected):
    folder = staged(tmp_path / "stage")
    page = made(folder)
    former.renew(folder, staged(tmp_path / "fresh", **{name: text}))
    assert (folder / name).read_text() == text
    assert not (tmp_path / "fresh").exists()
    assert (remain(folder), page.exists()) == (expected, expected)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("capacity/one.py", '"""What it is for."""\nx = 1', True),
        ("capacity/one.py", '"""What it was for."""\nx = 2', False),
        ("capacity/one.pyi", "from .one import x", False),
        ("edition/two.py", "# changed", False),
        ("requirements.txt", "# changed", False),
    ],
)
def test_what_builds_the_pages_counts_and_of_the_package_that_they_document_the_code(
    tmp_path, sources, name, text, expected
):
    folder = staged(tmp_path / "stage")
    made(folder)
    (sources / name).write_text(text)
    assert remain(folder) == expected


def test_pages_of_a_build_that_was_cut_short_are_no_basis_for_the_next(tmp_path):
    folder = staged(tmp_path / "stage")
    made(folder)
    assert remain(folder)
    assert not remain(folder)


def test_files_that_have_their_content_already_are_left_alone_and_those_that_are_no_more_go(tmp_path):
    folder = staged(tmp_path / "stage", **{"chapters/old.md": "# Old"})
    for name in former._files(folder):
        os.utime(folder / name, ns=(10**18, 10**18))
    moved = json.dumps({"figures": [FIGURE | {"line": 8}]})
    former.renew(folder, staged(tmp_path / "fresh", **{"chapters/one.md": "# Another", "figures.json": moved}))
    newer = [name for name in former._files(folder) if (folder / name).stat().st_mtime_ns != 10**18]
    assert newer == ["chapters/one.md"]
    assert (folder / "figures.json").read_text() == moved
    assert not (folder / "chapters/old.md").exists()
