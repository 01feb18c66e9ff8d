"""The metadata: read from one place, and refused where they are wrong."""

import re
import subprocess
import tomllib
from importlib.metadata import version

import pytest
from click.testing import CliRunner
from small_books import PERSON, with_source, write_book

import capacity
from edition.book import ROOT
from edition.cli import main
from edition.metadata.project import binder, origin, read


def test_the_version_stands_in_one_place():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert read().version == version("capacity-allocation") == capacity.__version__ == declared
    assert f"## [{declared}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_papers_are_those_of_the_bibliography():
    papers = [(paper.arxiv, paper.year, paper.authors[0].inverted) for paper in read().papers]
    assert papers == [
        ("1902.04485", 2019, "Donier, Jonathan"),
        ("1902.08572", 2019, "Donier, Jonathan"),
        ("1611.08083", 2016, "Raghu, Maithra"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("text-license =", "text-licence =", "text-license is missing; give it"),
        ("text-license =", "extra = 1\ntext-license =", "unknown entry 'extra'; known: title"),
        ("papers = [", "released = '2030'\npapers = [", "released: expected a date, YYYY-MM-DD, got '2030'"),
        ("papers = [", "doi = 'https://doi.org/10.1/2'\npapers = [", "doi: expected 10.NUMBER/NAME"),
        ("papers = [", f"people.{PERSON}\npapers = [", "'Ada Example' is none of the authors"),
        ('"raghu2016survey"]', '"donier2020"]', "expected an entry 'donier2020', found alpaydin1998"),
        ('"raghu2016survey"]', '"saxe2011"]', "saxe2011: expected eprint = {NUMBER} of arXiv, got ''"),
        ("keywords = [", "dynamic = [", "keywords missing"),
        (
            "[tool.edition]",
            "[project.urls]\nRepository = 'git@x.org'\n[tool.edition]",
            "expected an address with https://",
        ),
    ],
)
def test_what_is_wrong_is_refused_by_name(tmp_path, old, new, message):
    root = with_source(tmp_path, (old, new))
    with pytest.raises(ValueError, match=re.escape(message)):
        read(root)
    assert message in CliRunner().invoke(main, ["--root", str(root), "metadata"]).output


@pytest.mark.parametrize(
    ("person", "message"),
    [
        ('orcid = "0000"', "expected given and family, got orcid"),
        ('given = "A", family = "E", orcid = "0000"', "orcid: expected 0000-0000-0000-0000, got '0000'"),
        ('given = "A", family = "E", mail = "a"', "unknown entry 'mail'; known: affiliation, family, given, orcid"),
    ],
)
def test_a_person_is_refused_where_it_is_wrong(tmp_path, person, message):
    entry = f'people."The authors of the reproducible edition" = {{ {person} }}\ntext-license ='
    with pytest.raises(ValueError, match=re.escape(message)):
        read(with_source(tmp_path, ("text-license =", entry)))


def test_binder_opens_a_chapter_of_any_repository():
    place = "https://mybinder.org/v2/gh/a/b/c0ffee?urlpath=lab/tree/chapters/linear/x.md"
    assert binder("https://github.com/a/b.git", "c0ffee", "linear/x") == place
    assert binder("https://git.example/a/b").startswith(
        "https://mybinder.org/v2/git/https%3A%2F%2Fgit.example%2Fa%2Fb/HEAD?"
    )


def test_the_commit_is_that_of_the_checkout_and_left_out_elsewhere(tmp_path):
    root = write_book(tmp_path, {"one": "# One\n"})
    assert "commit" not in origin(root)
    git = ["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "pyproject.toml"], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    assert origin(root)["commit"] == f"{commit} with changes"  # the chapters are not committed
    assert "commit" not in origin(write_book(root / "inner", {"one": "# One\n"}))
