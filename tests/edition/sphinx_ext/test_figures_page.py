"""Figures by the files that can be taken, their passports, and the lists of them."""

import json

import pytest
from bs4 import BeautifulSoup
from small_site import page

from edition.sphinx_ext.figures_page import enlargeable, passport, place_of

AGAIN = {"again": "make run CHAPTER=linear/one"}


def test_each_figure_has_a_passport_whose_files_are_there(html):
    for shown in page(html, "linear/one").select("figure + .below-output > .passport"):
        links = [href for link in shown.select("a") if not (href := link["href"]).startswith("https:")]
        assert all((html / "chapters" / "linear" / link).resolve().is_file() for link in links)
        assert "chapters/linear/one.md" in shown.text
    assert len(page(html, "linear/one").select("figure + .below-output > .passport")) == 2
    records = json.loads((html / "figures.json").read_text())["figures"]
    assert [(record["name"], record["number"]) for record in records] == [("linear-fig-5", "5"), ("own-fig", "E1")]


def test_a_figure_is_shown_by_the_file_that_can_be_taken(html):
    figures = page(html, "linear/one").select("figure")
    assert [figure.select_one("img").get("loading") for figure in figures] == [None, "lazy"]
    for figure in figures:
        (link,), (image,) = figure.select("a.enlarge"), figure.select("img")
        assert image["src"] == link["href"]
        assert image["alt"]
        assert (html / "chapters" / "linear" / image["src"]).resolve().is_file()
        assert int(image["width"]) == int(image["height"]) > 0
    assert not list((html / "_images").glob("*.svg"))


@pytest.mark.parametrize(("width", "classes"), [(474, "enlarge broad"), (473, "enlarge")])
def test_a_figure_that_is_wider_than_the_text_is_marked(width, classes):
    text = enlargeable({"alt": "A dot & a line.", "size": [width, 240.0], "image": "figures/a.svg"}, "../")
    assert f'class="{classes}"' in text
    assert 'alt="A dot &amp; a line."' in text


def test_the_source_of_a_figure_is_a_link_to_its_line_where_the_project_is_hosted_and_else_to_the_text_here():
    record = {"name": "own-fig", "chapter": "linear/one", "line": 3, "parameters": {}, "seed": None} | AGAIN
    shared = {"version": "1", "title": "A title", "authors": ["Example, Ada"]}
    links = []
    for known in (shared, shared | {"repository": "https://example.org/book", "commit": "1f2e"}):
        shown = BeautifulSoup(passport(record, "E1", known, "../"), "html.parser").select_one("dd a")
        links.append((shown.text, shown["href"]))
    text = "chapters/linear/one.md, line 3"
    there = "https://example.org/book/blob/1f2e/chapters/linear/one.md?plain=1#L3"
    assert links == [(text, "../_sources/chapters/linear/one.md"), (text, there)]


def test_a_passport_says_the_seed_and_what_varies_between_machines():
    record = {"name": "own-fig", "chapter": "linear/one", "line": 3, "parameters": {"seed": "7"}, "seed": "7"} | AGAIN
    shared = {"version": "1", "title": "A title", "authors": ["Example, Ada"]}
    shown = BeautifulSoup(passport(record | {"varies": "the last bits"}, "E1", shared, "../"), "html.parser")
    facts = dict(zip([n.text for n in shown.select("dt")], [n.text for n in shown.select("dd")]))
    assert (facts["Seed"], facts["Between machines"]) == ("7", "not the same: the last bits")
    assert "make run CHAPTER=linear/one" in facts["Draw it again"]
    plain = passport(record | {"seed": None}, "E1", shared, "../")
    assert "<dt>Seed" not in plain
    assert "Between machines" not in plain


def test_the_index_has_the_papers_figures_and_ours_apart(html):
    sections = page(html, "figures").select("section section")
    listed = [[link.text for link in s.select(".figure-text a.internal:not(.claim)")] for s in sections]
    assert listed == [["Figure 5"], [], [], ["Figure E1"]]
    assert [image["alt"] for image in sections[0].select("img")] == ["A dot."]
    assert sections[0].select_one(".figure-text > p").text == "Figure 5. A picture"
    assert sections[0].select_one("p .math").text == "x"
    (badge,) = sections[0].select("a.claim")
    assert badge["href"] == "linear/one.html#claim-linear-fig-5-round"


def test_a_page_shows_a_figure_of_another_chapter_with_words_of_its_own(html):
    (shown,) = page(html, "counts").select(".figure-shown")
    assert {image["alt"] for image in shown.select("img")} == {"A dot."}
    assert {link["href"].split("#")[0].split("/")[-1] for link in shown.select("a")} == {"one.html"}
    assert (shown.select_one("p").text, shown.select_one("p a").text) == ("Figure 5. Once more, x.", "Figure 5")
    assert "when the book is built as a whole" in page(html, "counts").text


def test_figures_of_a_paper_are_in_the_order_of_their_numbers():
    names = [f"linear-fig-{number}" for number in ("a-1", "10", "2", "a-10", "a-2")]
    found = sorted(({"name": name} for name in names), key=place_of)
    assert [record["name"][11:] for record in found] == ["2", "10", "a-1", "a-2", "a-10"]
