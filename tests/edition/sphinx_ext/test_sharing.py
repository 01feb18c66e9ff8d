"""What is told where the address of a page is shared."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from matplotlib.image import imread
from small_site import PAGES, page

from edition.sphinx_ext import sharing
from edition.sphinx_ext.sharing import LENGTH, description, pages_at

NETWORK = {"capacities": [0.25, 0.75], "generic": 1}


def told(html, name):
    tags = page(html, name).select("meta[property], meta[name]")
    return {tag.get("property") or tag["name"]: tag["content"] for tag in tags}


def test_a_page_tells_its_title_its_address_and_how_it_begins(html):
    tags = told(html, "linear/words")
    assert tags["og:title"] == "Total spin"
    assert tags["og:description"] == tags["description"] == "The total spin is defined here."
    assert tags["og:url"] == f"{PAGES}/chapters/linear/words.html"


def test_a_chapter_is_described_by_its_text_and_not_by_what_stands_above_it(html):
    assert told(html, "linear/one")["og:description"].startswith("They add up.")


@pytest.mark.parametrize("url", [PAGES, None])
def test_its_picture_is_drawn_where_it_has_an_address_as_large_as_is_asked_for(tmp_path, monkeypatch, url):
    content = {"edition": {"url": url}, "figures": [{}, {"live": {"scene": "budget"} | NETWORK}]}
    monkeypatch.setattr(sharing, "recorded", lambda _: content)
    env = SimpleNamespace(titles={"chapters/intro": nodes.title("", "Where?")})
    config, builder = SimpleNamespace(root_doc="chapters/intro"), SimpleNamespace(format="html")
    (tmp_path / "_static").mkdir()
    sharing.draw_card(SimpleNamespace(env=env, config=config, builder=builder, outdir=tmp_path), None)
    assert [imread(path).shape[:2] for path in tmp_path.rglob("*.png")] == ([(630, 1200)] if url else [])


def test_the_card_has_a_jar_for_each_input():
    figure = sharing.card(NETWORK, "Where?")
    bars = figure.axes[0].patches
    assert [bar.get_height() for bar in bars] == [1, 1, 0.25, 0.75]
    assert [text.get_text() for text in figure.texts] == ["Where?", "1 of 2, whatever you do"]


def paragraph(*children):
    return nodes.paragraph("", "", *children)


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        ([], ""),
        ([paragraph(nodes.Text("Of "), nodes.math("", "x")), paragraph(nodes.Text("Plain\nwords."))], "Plain words."),
        ([nodes.paragraph("", "Links.", classes=["links"]), paragraph(nodes.Text("Text."))], "Text."),
        ([paragraph(nodes.Text("word " * 100))], "word " * (LENGTH // 5 - 1) + "word ..."),
    ],
)
def test_a_description_is_words_that_are_cut_between_two_of_them(paragraphs, expected):
    tree = nodes.section("", nodes.title("", "Title"), *paragraphs)
    assert description(tree) == expected


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
