"""The book that was just built at the quick scale: every chapter has its page, and the site is whole."""

import json

import pytest

from edition.chapters import ROOT, book
from edition.inspection import broken_links, missing_pages, outside_requests, pages, repeated_ids

HTML = ROOT / "_build" / "html-quick"


@pytest.fixture(scope="module")
def parsed():
    return pages(HTML)


def test_every_chapter_has_its_page():
    assert missing_pages(book().values(), HTML) == []


def test_every_link_leads_somewhere(parsed):
    assert broken_links(parsed) == []


def test_no_id_is_used_twice(parsed):
    assert repeated_ids(parsed) == []


def test_nothing_is_asked_of_other_sites(parsed):
    assert outside_requests(parsed) == []


def test_the_claims_are_published():
    assert json.loads((HTML / "claims.json").read_text(encoding="utf-8"))["claims"]
