"""The metadata: read from one place, refused where they are wrong, repeated word for word where others read them."""

import json
import re
import subprocess
import tomllib
from datetime import date
from importlib.metadata import version

import pytest
import yaml
from click.testing import CliRunner
from small_books import write_book

import capacity
from edition.__main__ import main
from edition.chapters import ROOT
from edition.metadata import binder, origin, read
from edition.metadata_files import BADGES, differing, files, write

PERSON = '"Ada Example" = {given = "Ada", family = "Example", orcid = "0000-0002-1825-0097", affiliation = "Nowhere"}'
RELEASED = f"""doi = "10.1234/example.5"
released = 2030-01-31
people.{PERSON}
"""
HOSTED = """[project.urls]
Repository = "https://github.com/someone/somewhere"
Documentation = "https://someone.example/book"

"""


def with_source(folder, *changes):
    """Return a book whose pyproject.toml is this edition's with texts replaced."""
    root = write_book(folder, {"intro": "# Book\n"})
    text = (root / "pyproject.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (root / "pyproject.toml").write_text(text)
    return root


@pytest.fixture
def released(tmp_path):
    person = ('{ name = "The authors of the reproducible edition" }', '{ name = "Ada Example" }')
    return with_source(
        tmp_path, person, ("[tool.edition]\n", f"{HOSTED}[tool.edition]\n"), ("text-license", f"{RELEASED}text-license")
    )


def test_the_repository_says_what_its_metadata_say():
    assert differing(ROOT) == [], "make metadata"


def test_the_version_stands_in_one_place():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert read().version == version("capacity-allocation") == capacity.__version__ == declared
    assert f"## [{declared}]" in (ROOT / "CHANGELOG.md").read_text()


def test_what_is_not_known_is_left_out(tmp_path):
    texts = files(with_source(tmp_path))
    found = read(tmp_path)
    assert (found.repository, found.site, found.doi, found.released) == (None, None, None, None)
    keys = set(yaml.safe_load(texts["CITATION.cff"])) | set(json.loads(texts["codemeta.json"]))
    assert not keys & {"doi", "url", "repository-code", "date-released", "codeRepository", "identifier"}
    assert "publication_date" not in json.loads(texts[".zenodo.json"])
    assert set(origin(tmp_path)) == {"title", "authors", "version"}


def test_what_is_known_is_said_by_all(released):
    texts = files(released)
    cff, zenodo, codemeta = (texts[name] for name in ("CITATION.cff", ".zenodo.json", "codemeta.json"))
    cff, zenodo, codemeta = yaml.safe_load(cff), json.loads(zenodo), json.loads(codemeta)
    assert (cff["doi"], codemeta["identifier"]) == ("10.1234/example.5", "https://doi.org/10.1234/example.5")
    assert cff["repository-code"] == codemeta["codeRepository"] == "https://github.com/someone/somewhere"
    assert cff["url"] == codemeta["url"] == "https://someone.example/book"
    assert cff["date-released"] == date(2030, 1, 31)
    assert zenodo["publication_date"] == codemeta["datePublished"] == "2030-01-31"
    assert cff["authors"][0]["family-names"] == codemeta["author"][0]["familyName"] == "Example"
    assert zenodo["creators"] == [{"name": "Example, Ada", "affiliation": "Nowhere", "orcid": "0000-0002-1825-0097"}]
    assert cff["authors"][0]["orcid"] == codemeta["author"][0]["id"] == "https://orcid.org/0000-0002-1825-0097"
    shared = origin(released)
    assert (shared["authors"], shared["date-released"]) == (["Example, Ada"], "2030-01-31")


def test_the_papers_are_those_of_the_bibliography():
    papers = [(paper.arxiv, paper.year, paper.authors[0].inverted) for paper in read().papers]
    assert papers == [("1902.04485", 2019, "Donier, Jonathan"), ("1902.08572", 2019, "Donier, Jonathan")]
    related = json.loads(files()[".zenodo.json"])["related_identifiers"]
    assert [one["identifier"] for one in related] == ["arXiv:1902.04485", "arXiv:1902.08572"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("text-license =", "text-licence =", "text-license is missing; give it"),
        ("text-license =", "extra = 1\ntext-license =", "unknown entry 'extra'; known: title"),
        ("papers = [", "released = '2030'\npapers = [", "released: expected a date, YYYY-MM-DD, got '2030'"),
        ("papers = [", "doi = 'https://doi.org/10.1/2'\npapers = [", "doi: expected 10.NUMBER/NAME"),
        ("papers = [", f"people.{PERSON}\npapers = [", "'Ada Example' is none of the authors"),
        ('"donier2019layers"]', '"donier2020"]', "expected an entry 'donier2020', found balduzzi2017"),
        ('"donier2019layers"]', '"saxe2011"]', "saxe2011: expected howpublished = {arXiv:NUMBER}"),
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


def test_the_command_writes_what_differs_and_the_check_tells_the_remedy(released):
    run = CliRunner()
    (released / "README.md").write_text("# Title\n\n<!-- badges -->\nold\n<!-- /badges -->\n\nText.\n")
    failed = run.invoke(main, ["--root", str(released), "metadata", "--check"])
    assert failed.exit_code == 1
    assert "CITATION.cff, .zenodo.json, codemeta.json, README.md" in failed.output
    assert "make metadata" in failed.output
    assert write(released) == ["CITATION.cff", ".zenodo.json", "codemeta.json", "README.md"]
    assert run.invoke(main, ["--root", str(released), "metadata", "--check"]).output == "all files agree\n"
    badges = BADGES.search((released / "README.md").read_text())[0].splitlines()
    assert "mybinder.org/v2/gh/someone/somewhere/HEAD" in badges[0]
    assert "doi.org/10.1234/example.5" in badges[1]
    assert (released / "README.md").read_text().endswith("<!-- /badges -->\n\nText.\n")


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
