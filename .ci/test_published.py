"""The book as it will be once it is published, with an invented repository, address and DOI: where its links lead."""

import os
import re
import shutil
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from pages import pages

from edition.book import ROOT, book

REPOSITORY, ADDRESS, DOI = "https://github.com/invented/edition", "https://invented.org/edition", "10.5281/zenodo.12345"
INVENTED = {
    "authors": [{"family-names": "Invented", "given-names": "Ada"}],
    "repository-code": REPOSITORY,
    "url": ADDRESS,
    "doi": DOI,
}


@pytest.fixture(scope="module")
def published(copied, tmp_path_factory):
    """The folder of a repository with one commit, the commit, and the parsed pages of the quick book made there."""
    folder = copied(tmp_path_factory.mktemp("published") / "edition")
    shutil.copytree(ROOT / "_build" / "executed", folder / "_build" / "executed")
    citation = folder / "CITATION.cff"
    citation.write_text(yaml.safe_dump(yaml.safe_load(citation.read_text(encoding="utf-8")) | INVENTED))
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@invented.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    build = [sys.executable, "-m", "edition", "build", "--scale", "quick", "--jobs", "2"]
    subprocess.run(build, cwd=folder, check=True, env=os.environ | {"PYTHONPATH": str(folder)})
    return folder, head.stdout.strip(), pages(folder / "_build" / "html-quick")


def links(parsed, beginning):
    return [tag["href"] for page in parsed.values() for tag in page.select(f'a[href^="{beginning}"]')]


def test_each_link_to_the_source_names_a_line_of_a_file_of_this_commit(published):
    folder, commit, parsed = published
    found = links(parsed, f"{REPOSITORY}/blob/")
    assert len(found) > len(book())
    for address in found:
        parts = urlsplit(address)
        at, _, path = parts.path.removeprefix("/invented/edition/blob/").partition("/")
        lines = (folder / path).read_text(encoding="utf-8").splitlines()
        assert at == commit
        if parts.fragment:
            assert lines[int(parts.fragment.removeprefix("L")) - 1].strip(), address
            assert parse_qs(parts.query) == {"plain": ["1"]}


def test_each_chapter_with_code_is_run_in_binder_from_this_commit(published):
    folder, commit, parsed = published
    found = links(parsed, "https://mybinder.org/")
    executable = [chapter.name for chapter in book().values() if chapter.is_executable()]
    expected = f"https://mybinder.org/v2/gh/invented/edition/{commit}?urlpath=lab/tree/chapters/{{}}.md"
    assert sorted(found) == sorted(map(expected.format, executable))
    assert (folder / ".binder").is_dir()


def test_who_cites_the_book_or_a_figure_has_the_doi_and_the_author(published):
    *_, parsed = published
    entries = [found for page in parsed.values() for found in re.findall(r"@misc\{(.*?)\n\}", page.text, re.DOTALL)]
    entries = [entry for entry in entries if "capacity-allocation," in entry or "{Figure" in entry]  # not the sources
    assert len(entries) > 100
    assert all(f"doi = {{{DOI}}}" in entry and "author = {Invented, Ada}" in entry for entry in entries)
    assert links(parsed, f"https://doi.org/{DOI}")


def test_what_is_shared_names_the_pages_at_the_address(published):
    folder, _, parsed = published
    told = {tag["content"] for page in parsed.values() for tag in page.select('meta[property="og:url"]')}
    assert told >= {f"{ADDRESS}/chapters/{chapter.name}.html" for chapter in book().values() if chapter.is_executable()}
    for address in told:
        assert (folder / "_build" / "html-quick" / address.removeprefix(f"{ADDRESS}/")).is_file()
