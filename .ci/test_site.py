"""The book that was just built at the papers' values: every chapter has its page, and the site is whole."""

import json
import re

import nbformat
import pytest
from pages import broken_links, missing_pages, outside_requests, pages, repeated_ids

from edition.book import ROOT, book
from edition.recorded import released

HTML = ROOT / "_build" / "html"


@pytest.fixture(scope="module")
def parsed():
    return pages(HTML)


def test_every_chapter_has_its_page():
    assert missing_pages(book().values(), HTML) == []


def test_every_link_leads_somewhere(parsed):
    assert broken_links(parsed) == []


def test_every_address_of_a_release_is_there_and_leads_on_to_what_is_there(parsed):
    assert [address for address in released(ROOT)[1] if HTML / address not in parsed] == []
    onward = {path: page.select_one("meta[http-equiv=refresh]") for path, page in parsed.items()}
    for path, found in onward.items():
        if found is not None:
            target, _, anchor = found["content"].partition("url=")[2].partition("#")
            page = parsed[(path.parent / target).resolve()]
            assert not anchor or page.select(f'[id="{anchor}"]'), path


def test_no_id_is_used_twice(parsed):
    assert repeated_ids(parsed) == []


def test_nothing_is_asked_of_other_sites(parsed):
    assert outside_requests(parsed) == []


def test_the_claims_are_published():
    assert json.loads((HTML / "claims.json").read_text(encoding="utf-8"))["claims"]


def test_each_row_of_the_ledger_leads_to_its_claim(parsed):
    claims = json.loads((HTML / "claims.json").read_text(encoding="utf-8"))["claims"]
    rows = parsed[HTML / "chapters" / "claims.html"].select(".claims-ledger tbody tr")
    links = [[f"chapters/{link['href']}" for link in row.select("a[href*='#claim-']")] for row in rows]
    assert sorted(links) == sorted([claim["link"]] for claim in claims)


def test_the_index_shows_every_figure_of_the_chapters(parsed):
    cells = [cell for chapter in book().values() for cell in chapter.notebook()[0].cells]
    options = [cell.metadata["mystnb"] for cell in cells if "figure" in cell.metadata.get("mystnb", {})]
    names = {option["figure"]["name"] for option in options}
    records = json.loads((HTML / "figures.json").read_text(encoding="utf-8"))["figures"]
    assert {record["name"] for record in records} == names
    shown = parsed[HTML / "chapters" / "figures.html"].select(".figure-entry > a")
    assert {link["href"].partition("#")[2] for link in shown} == names
    texts = [text.text for text in parsed[HTML / "chapters" / "figures.html"].select(".figure-text > p:first-child")]
    assert [text for text in texts if not re.match(r"Figure \S+ \S", text)] == []  # number and title
    assert all({"image", "print", "data", "table"} <= set(record) for record in records)


def test_the_receipt_has_the_command_for_every_figure(parsed):
    records = json.loads((HTML / "figures.json").read_text(encoding="utf-8"))["figures"]
    found = {}
    for row in parsed[HTML / "chapters" / "receipt.html"].select("details.receipt tbody tr")[:-1]:
        command = row.select_one("code").text
        found |= {link["href"].partition("#")[2]: command for link in row.select("p:nth-of-type(2) a")}
    assert found == {each["name"]: f"make run CHAPTER={each['chapter']}" for each in records}


def test_every_executed_chapter_leads_to_its_notebook_and_its_text(parsed):
    for chapter in book().values():
        place = HTML / "chapters" / f"{chapter.name}.html"
        found = parsed[place].select(".chapter-links a[href*=_sources]")
        links = [(place.parent / link["href"]).resolve() for link in found]
        assert bool(links) == chapter.is_executable()
        if links:
            outputs = [cell.get("outputs") for cell in nbformat.read(links[0], as_version=4).cells]
            assert any(outputs)
            assert links[1].read_text(encoding="utf-8") == chapter.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["claims", "functions"])
def test_every_figure_is_read_by_a_claim_and_drawn_by_the_package(kind):
    records = json.loads((HTML / "figures.json").read_text(encoding="utf-8"))["figures"]
    assert [record["name"] for record in records if not record[kind]] == []
