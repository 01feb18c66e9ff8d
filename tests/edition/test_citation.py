"""What the edition says of itself: one file, which repeats other files without a difference."""

import shutil
import subprocess
import tomllib
from importlib.metadata import metadata

import pytest
import yaml
from pybtex.database import parse_string
from small_books import write_book

import capacity
from edition.book import ROOT
from edition.citation import as_text, binder, edition_entry, figure_entry, origin, pages_at

CFF = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLED = metadata("capacity-allocation")
SHARED = {"title": "A book", "authors": ["A group", "Two, B."], "version": "1.0"}
KNOWN = SHARED | {"year": "2030", "doi": "10.1234/5", "url": "https://x.example", "commit": "c0ffee"}
FIGURE = {"name": "linear-fig-5", "chapter": "linear/one"}
RELEASED = """\
title: A book
version: 1.0.0
authors:
- {family-names: Example, given-names: Ada}
- name: A group
doi: 10.1234/example.5
date-released: 2030-01-31
repository-code: https://github.com/someone/somewhere
repository-artifact: https://index.example/project/a-book/
"""


def test_the_files_for_people_archives_and_installers_agree():
    assert CFF["version"] == INSTALLED["Version"] == capacity.__version__
    assert f"## [{CFF['version']}] - {CFF.get('date-released', 'unreleased')}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert (CFF["license"], CFF["keywords"]) == (PROJECT["license"], PROJECT["keywords"])


def test_what_is_not_known_is_left_out_and_what_is_known_is_said(tmp_path):
    root = write_book(tmp_path, {"one": "# One\n"})
    (root / "CITATION.cff").write_text(RELEASED.split("doi:")[0])
    assert set(origin(root)) == {"title", "authors", "version", "year"}
    (root / "CITATION.cff").write_text(RELEASED)
    assert origin(root) == {
        "title": "A book",
        "authors": ["Example, Ada", "A group"],
        "version": "1.0.0",
        "year": "2030",
        "doi": "10.1234/example.5",
        "url": "https://github.com/someone/somewhere",
        "repository": "https://github.com/someone/somewhere",
        "index": "https://index.example/project/a-book/",
        "date-released": "2030-01-31",
    }


def test_binder_opens_a_chapter_of_any_repository():
    place = "https://mybinder.org/v2/gh/a/b/c0ffee?urlpath=lab/tree/chapters/linear/x.md"
    assert binder("https://github.com/a/b.git", "c0ffee", "linear/x") == place
    assert binder("https://git.example/a/b").startswith(
        "https://mybinder.org/v2/git/https%3A%2F%2Fgit.example%2Fa%2Fb/HEAD?"
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_is_that_of_the_checkout_and_left_out_elsewhere(tmp_path):
    root = write_book(tmp_path, {"one": "# One\n"})
    assert "commit" not in origin(root)
    git = ["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "CITATION.cff"], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    assert origin(root)["commit"] == f"{commit} with changes"  # the chapters are not committed
    assert "commit" not in origin(write_book(root / "inner", {"one": "# One\n"}))


def parsed(text):
    (found,) = parse_string(text, "bibtex").entries.values()
    return found


@pytest.mark.parametrize("make", [edition_entry, lambda shared: figure_entry(FIGURE, "5", shared)])
def test_an_entry_has_what_is_known_and_nothing_else(make):
    assert not {"year", "doi", "url"} & set(parsed(make(SHARED)).fields)
    fields = parsed(make(KNOWN)).fields
    assert (fields["year"], fields["doi"], fields["url"]) == ("2030", "10.1234/5", "https://x.example")
    assert "c0ffee" in fields["note"]
    assert fields["version"] == "1.0"


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        ({}, None),
        ({"url": "https://a.example/b", "repository": "https://a.example/b"}, None),
        ({"url": "https://a.example/", "repository": "https://b.example"}, "https://a.example/"),
    ],
)
def test_without_an_address_of_the_pages_there_is_none_to_tell(shared, expected):
    assert pages_at(shared) == expected


def test_groups_stay_whole_and_people_have_a_family_name():
    group, person = parsed(edition_entry(SHARED)).persons["author"]
    assert (group.last_names, person.last_names, person.first_names) == (["{A group}"], ["Two"], ["B."])


def test_a_figure_is_named_with_its_place():
    found = parsed(figure_entry(FIGURE, "5", SHARED))
    assert found.key == "linear-fig-5"
    assert found.fields["title"] == "{Figure 5} in: {A book}"
    assert found.fields["note"] == "chapters/linear/one.md, figure linear-fig-5"


def test_the_sentence_leaves_out_what_is_not_known():
    assert as_text(["Two, B."], "2030", "A book", ["Version 1", "", None]) == "Two, B. (2030). A book. Version 1."
    assert as_text(["A group", "Two, B."], "", "A book", ["one", "two"]) == "A group; Two, B. A book. one, two."
