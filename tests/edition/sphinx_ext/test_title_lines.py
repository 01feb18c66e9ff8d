"""The lines below the title of a page, and what is told of a page that is shared."""

import json
import re
from collections import defaultdict
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from small_site import PAGES, REPOSITORY, page

from edition.book import ROOT, book, read_yaml
from edition.sphinx_ext import title_lines


def test_an_executed_chapter_leads_to_its_notebook_with_its_results_and_to_its_text(html, site_root):
    links = page(html, "linear/one").select(".chapter-links a")
    executed, text = (html / "chapters" / "linear" / link["href"] for link in links[:2])
    assert text.read_text() == (site_root / "chapters" / "linear" / "one.md").read_text()
    assert links[0].has_attr("download")
    outputs = [cell.outputs for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]
    assert [len(shown) for shown in outputs] == [1, 1, 3, 0]


def test_where_the_repository_is_known_an_executed_chapter_leads_to_its_source_and_to_a_jupyter(html):
    links = page(html, "linear/one").select(".chapter-links a")
    assert [link["href"] for link in links[2:]] == [
        "https://mybinder.org/v2/gh/someone/somewhere/HEAD?urlpath=lab/tree/chapters/linear/one.md",
        f"{REPOSITORY}/blob/HEAD/chapters/linear/one.md",
    ]
    assert not page(html, "linear/two").select(".chapter-links")


def test_a_chapter_says_how_long_it_takes_what_to_read_before_and_which_version_it_is(html):
    words, before = nodes.paragraph("", "word " * 500), {"one": "linear/two", "two": "linear/none"}
    env = SimpleNamespace(found_docs={"chapters/linear/two"}, titles={"chapters/linear/two": nodes.title("", "A < b")})
    app = SimpleNamespace(env=env, config=SimpleNamespace(needs=before))
    app.builder = SimpleNamespace(get_relative_uri=lambda _, to: f"{to}.html")
    shown = title_lines.reading(app, words, "chapters/one")
    assert shown == ["3 min", 'after <a href="chapters/linear/two.html">A &lt; b</a>']
    assert title_lines.reading(app, nodes.paragraph("", "word"), "chapters/two") == ["1 min"]
    assert title_lines.issue({"version": "1.2.3", "date-released": "2026-01-02"}) == "version 1.2.3, 2026-01-02"
    assert title_lines.issue({"version": "1.2.3"}) == "version 1.2.3"
    line = page(html, "linear/one").select_one(".chapter-links")
    assert re.match(r"\d+ min · version \d+\.\d+\.\d+", line.text)


@pytest.mark.whole
def test_what_a_chapter_needs_are_chapters_that_come_before_it():
    order, needs = [*book()], read_yaml(ROOT / "_config.yml")["sphinx"]["config"]["needs"]
    assert [(name, other) for name, other in needs.items() if order.index(other) > order.index(name)] == []


def test_the_links_lead_to_the_commit_that_the_book_was_built_from():
    shown = title_lines.links("chapters/linear/one", {"repository": REPOSITORY, "commit": "abc123 with changes"})
    addresses = [link["href"] for link in BeautifulSoup(shown, "html.parser").select("a")][2:]
    assert [address for address in addresses if "/abc123" in address and "changes" not in address] == addresses
    assert len(addresses) == 2


def test_a_page_that_is_shared_tells_its_title_its_address_and_how_it_begins(html):
    tags = {
        tag.get("property") or tag["name"]: tag["content"] for tag in page(html, "linear/words").select("meta[content]")
    }
    assert tags["og:title"] == "Total spin"
    assert tags["og:url"] == f"{PAGES}/chapters/linear/words.html"
    assert tags["og:description"] == tags["description"]
    assert tags["description"] == "The total spin is defined here."  # the first paragraph has a formula
    chapter = page(html, "linear/one").select_one("meta[name=description]")["content"]
    assert chapter == "They add up."  # not what stands above the text
    assert len(page(html, "figures").select_one("meta[name=description]")["content"]) <= 200


@pytest.fixture
def told(tmp_path):
    """Return a function that adds the note of a scale, None for a book without receipt, to a page; None if none is."""

    def add(scale, name="chapters/linear/one", suffix=".ipynb", shown=(), builder="html", part="all"):
        if scale:
            (tmp_path / "receipt.json").write_text(json.dumps({"scale": scale, "part": part}))
        env = SimpleNamespace(
            srcdir=tmp_path,
            found_docs={name, "chapters/rerun"},
            dependencies=defaultdict(set, {name: {str(tmp_path / file) for file in shown}}),
            doc2path=lambda name: f"{name}{suffix}",
        )
        app = SimpleNamespace(
            config=SimpleNamespace(root_doc="chapters/intro", needs={}),
            env=env,
            builder=SimpleNamespace(format=builder, get_relative_uri=lambda _, to: f"{to}.html"),
        )
        section = nodes.section("", nodes.title("", "One"), nodes.paragraph("", "Words."))
        title_lines.add_lines(app, section, name)
        (shown,) = BeautifulSoup("".join(section.astext()), "html.parser").select(".scale-note") or [None]
        return shown

    return add


def test_a_copy_at_small_values_says_so_below_the_title_and_leads_to_how_to_run_it_again(told):
    note = told("quick")
    assert note.text == (
        "Small scale: made with parameters/quick.yml, not with the papers' values (how to build those)."
    )
    assert note.a["href"] == "chapters/rerun.html"
    assert told("quick", "chapters/rerun", ".md", ["receipt.json", "claims.json"]).a is None


@pytest.mark.parametrize(
    ("shown", "expected"), [((), False), (["claims.json"], True), (["figures.json"], True), (["receipt.json"], False)]
)
def test_a_page_without_code_says_it_if_it_shows_what_chapters_computed(told, shown, expected):
    assert (told("quick", "chapters/words", ".md", shown) is not None) == expected


@pytest.mark.parametrize(
    ("name", "suffix", "shown", "expected"),
    [
        ("chapters/intro", ".ipynb", [], True),
        ("chapters/claims", ".md", ["claims.json"], True),
        ("chapters/words", ".md", [], False),
        ("chapters/linear/one", ".ipynb", ["figures.json"], False),
    ],
)
def test_a_part_says_on_the_first_page_and_on_those_that_list_what_it_has_that_it_is_one(
    told, name, suffix, shown, expected
):
    note = told("default", name, suffix, shown, part="papers")
    words = "A part of the book: make book PART=papers made it, and make book makes the whole."
    assert (note.text if note else None) == (words if expected else None)
    assert told("default", name, suffix, shown) is None


def test_the_book_at_the_papers_values_and_a_chapter_on_its_own_say_nothing(told, html):
    assert told(None) is None
    assert told("default") is None
    assert told("quick", builder="latex") is None
    for name in ("linear/one", "claims", "figures", "intro"):
        assert not page(html, name).select(".scale-note")
