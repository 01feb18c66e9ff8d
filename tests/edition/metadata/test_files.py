"""The files of the metadata: they repeat word for word what is known, and leave out what is not."""

import json
from datetime import date

import pytest
import yaml
from click.testing import CliRunner
from small_books import PERSON, with_source

from edition.book import ROOT
from edition.cli import main
from edition.metadata.files import BADGES, differing, files, write
from edition.metadata.project import origin, read

RELEASED = f"""doi = "10.1234/example.5"
released = 2030-01-31
people.{PERSON}
"""
HOSTED = """[project.urls]
Repository = "https://github.com/someone/somewhere"
Documentation = "https://someone.example/book"

"""


@pytest.fixture
def released(tmp_path):
    person = ('{ name = "The authors of the reproducible edition" }', '{ name = "Ada Example" }')
    return with_source(
        tmp_path, person, ("[tool.edition]\n", f"{HOSTED}[tool.edition]\n"), ("text-license", f"{RELEASED}text-license")
    )


def test_the_repository_says_what_its_metadata_say():
    assert differing(ROOT) == [], "make metadata"


def test_what_is_not_known_is_left_out(tmp_path):
    texts = files(with_source(tmp_path))
    found = read(tmp_path)
    assert (found.repository, found.site, found.doi, found.released) == (None, None, None, None)
    keys = set(yaml.safe_load(texts["CITATION.cff"])) | set(json.loads(texts["codemeta.json"]))
    assert not keys & {"doi", "url", "repository-code", "date-released", "codeRepository", "identifier"}
    assert "publication_date" not in json.loads(texts[".zenodo.json"])
    assert set(origin(tmp_path)) == {"title", "authors", "version", "year"}


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
    assert (shared["authors"], shared["date-released"], shared["year"]) == (["Example, Ada"], "2030-01-31", "2030")


def test_the_papers_are_named_by_their_numbers():
    related = json.loads(files()[".zenodo.json"])["related_identifiers"]
    assert [one["identifier"] for one in related] == ["arXiv:1902.04485", "arXiv:1902.08572", "arXiv:1611.08083"]


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
