"""What pointing at a link shows: complete, the same from build to build, and with nothing that is not listed."""

import hashlib
import json
import re

import pytest
from bs4 import BeautifulSoup

from edition.book import ROOT
from edition.sphinx_ext.hovers import FOLDER

VENDOR = ROOT / "edition" / "static" / "vendor"


def entries(path):
    """Return the entries that a script hands over."""
    call = path.read_text()
    assert call.startswith("hoverEntries(")
    return json.loads(call.removeprefix("hoverEntries(").removesuffix(");\n"))


@pytest.fixture(scope="module")
def pages(html):
    """The entries of each page's script."""
    folder = html / "_static" / FOLDER
    return {path.relative_to(folder).with_suffix("").as_posix(): entries(path) for path in folder.rglob("*.js")}


@pytest.fixture(scope="module")
def book(pages):
    return {anchor: box for found in pages.values() for anchor, box in found.items()}


def test_what_a_link_leads_to_has_an_entry_in_the_script_of_its_page(html, pages):
    wanted = {}
    for path in html.rglob("*.html"):
        ids = set(re.findall(r'id="((?:term|symbol|equation)-[^"]+|linear-fig-5|own-fig)"', path.read_text()))
        wanted[path.relative_to(html).with_suffix("").as_posix()] = ids
    for claim in json.loads((html / "claims.json").read_text())["claims"]:
        page, anchor = claim["link"].split(".html#")
        wanted[page].add(anchor)
    assert {"term-spin", "term-spin-number", "symbol-K-2"} <= wanted["chapters/glossary"]
    assert {page: set(found) for page, found in pages.items()} == {page: ids for page, ids in wanted.items() if ids}


def test_a_claim_shows_its_verdict_statement_and_correction(book):
    shown = BeautifulSoup(book["claim-linear-eq-16"], "html.parser").get_text()
    assert "✎ holds with a correction It is b" in shown
    assert "Here: Twice b." in shown


def test_an_entry_shows_what_its_page_shows_without_links(book):
    assert "<b>total spin, spin number</b>" in book["term-spin-number"]
    assert "<em>exactly</em>; see (16)." in book["term-total-spin"].replace('<span class="std">', "")
    assert "S < 3" in BeautifulSoup(book["symbol-K-2"], "html.parser").get_text()
    equation = BeautifulSoup(book["equation-linear-eq-16"], "html.parser")
    assert [part.get_text() for part in equation] == ["a=b", "Equation (16), paper 1"]
    assert book["equation-own"].endswith("Equation (E1)</p>")
    assert '<img data-src="figures/linear-fig-5.svg" alt="A dot.">' in book["linear-fig-5"]
    assert "<a " not in "".join(book.values())


def test_entries_are_in_an_order_that_does_not_change(pages):
    assert {page for page, found in pages.items() if list(found) != sorted(found)} == set()


def test_what_comes_from_elsewhere_is_listed_with_its_version_hash_and_licence():
    listed = json.loads((VENDOR / "vendored.json").read_text())
    files = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()} - {"vendored.json"}
    assert files == {entry[key] for entry in listed for key in ("file", "text")}
    for entry in listed:
        content = (VENDOR / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], entry["file"]
        assert entry["version"] in entry["file"]
        assert entry["licence"] in (VENDOR / entry["text"]).read_text()
        assert not re.search(rb"\beval\(|new Function", content)
