"""Sliders, live pictures and the explorer: what their scripts begin with, on their pages only, and not on paper."""

import json
import re
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from pages import broken_links, outside_requests, pages
from small_books import cell, write_book
from small_site import page

from capacity.figures.style import COLORS
from edition.book import ROOT, book
from edition.execution.all_chapters import execute
from edition.publishing.site import build_html, stage
from edition.sphinx_ext import interactive
from edition.sphinx_ext.interactive import slider as control

SLIDER = {"label": "n", "values": [1, 2], "texts": ["1", '<2> & "3"'], "start": 1, "pictures": ["a/0.svg", "a/1.svg"]}


def test_the_control_stands_below_the_image_hidden_and_names_pictures_that_are_there(html):
    one = page(html, "linear/one")
    (found,) = one.select(".figure-slider")
    assert found.find_previous_sibling()["class"] == ["enlarge"]
    assert found.find_next_sibling().name == "figcaption"
    assert found.parent["id"] == "own-fig"
    assert found.has_attr("hidden")
    (field,) = found.select("input[type=range]")
    assert (field["min"], field["max"], field["value"]) == ("0", "1", "1")
    assert found.select_one(f"label[for={field['id']}]").text == "its <size>"
    shown = json.loads(found["data-slider"])
    assert shown["texts"] == ["one", "two"]
    pictures = [(html / "chapters" / "linear" / path).resolve().read_text() for path in shown["pictures"]]
    assert len(pictures) == 2
    assert all("<svg" in text for text in pictures)
    rest = found.parent.select_one("img")["src"]
    assert (html / "chapters" / "linear" / rest).resolve().read_text() == pictures[1]


def test_pages_and_notebooks_do_not_hold_the_pictures_again(html):
    assert "<svg" not in str(page(html, "linear/one").select_one("figure#own-fig"))
    notebook = json.loads((html / "_sources" / "chapters" / "linear" / "one.ipynb").read_text())
    kinds = [kind for cell in notebook["cells"] for o in cell.get("outputs", []) for kind in o.get("data", {})]
    assert kinds.count("image/svg+xml") == 2
    assert not any("slider" in kind for kind in kinds)


def test_only_a_page_with_a_slider_loads_script_and_style(html):
    loaded = {
        name: [tag.get("src") or tag["href"] for tag in page(html, name).select("script[src], link[rel=stylesheet]")]
        for name in ("linear/one", "linear/two")
    }
    counts = {name: sum("_static/sliders." in file for file in files) for name, files in loaded.items()}
    assert counts == {"linear/one": 2, "linear/two": 0}


def test_on_paper_there_is_the_figure_at_rest_and_its_caption_says_so(latex):
    (document,) = latex.glob("*.tex")
    text = document.read_text()
    assert text.count(r"\noindent\sphinxincludegraphics") == 2
    captions = [line for line in text.splitlines() if r"\caption{" in line]
    assert ["On paper the slider, its <size>, is at two." in line for line in captions] == [False, True]


@pytest.mark.parametrize(
    ("values", "named"),
    [([1, 2, 4, 0.5], ["1", "2", "4", "0.5"]), (["one", "two"], []), (list(range(10)), [])],
)
def test_the_places_of_a_few_numbers_are_named(values, named):
    texts = [str(value) for value in values]
    slider = SLIDER | {"values": values, "texts": texts, "pictures": texts}
    found = BeautifulSoup(control("a", slider, ""), "html.parser")
    assert [place.text for place in found.select(".slider-values[aria-hidden] span")] == named


def test_texts_of_the_control_are_texts_whatever_they_contain():
    found = BeautifulSoup(control("a", SLIDER, "../"), "html.parser").div
    shown = json.loads(found["data-slider"])
    assert shown["pictures"] == ["../a/0.svg", "../a/1.svg"]
    assert shown["texts"] == SLIDER["texts"]
    assert found.select_one("output").text == found.input["aria-valuetext"] == SLIDER["texts"][1]


NETWORK = {"scene": "budget", "dilations": [1], "weights": [[[[0.5], [1.0]]]], "capacities": [1.0, 1.0], "generic": 2}


@pytest.fixture
def tree(monkeypatch):
    """Return a page with two figures, one of which has a live picture."""
    figures = [nodes.figure("", nodes.image(), nodes.caption()) for _ in range(2)]
    records = [({"name": "a"}), ({"name": "b", "live": NETWORK})]
    monkeypatch.setattr(interactive, "figures_of", lambda *_: zip(figures, records))
    tree = nodes.section("", *figures)
    interactive.add_controls(None, tree, "chapters/one")
    return tree


def test_the_network_stands_below_the_image_with_buttons_that_wait_for_the_script(tree):
    assert [len(figure) for figure in tree] == [2, 3]
    assert [type(part) for part in tree[1]] == [nodes.image, nodes.raw, nodes.caption]
    found = BeautifulSoup(tree[1][1].astext(), "html.parser").select_one(".live-controls")
    assert json.loads(found["data-live"]) == NETWORK
    assert found.select_one("output").text == interactive.SCENES["budget"].invitation
    assert [button.has_attr("disabled") for button in found.select("button")] == [True, True]


def test_only_a_page_with_a_living_budget_loads_scripts_and_style(tree):
    loaded = []
    app = SimpleNamespace(add_js_file=lambda name, **_: loaded.append(name), add_css_file=loaded.append)
    for other in (None, nodes.section("", nodes.raw("", "<p>", format="html"))):
        interactive.load_files(app, "", "", {}, other)
    assert loaded == []
    interactive.load_files(app, "", "", {}, tree)
    assert loaded == [*interactive.SCENES["budget"].files, "colors.css", "live.css"]


@pytest.mark.whole
@pytest.mark.usefixtures("imported_once")
def test_only_the_page_of_the_explorer_loads_its_scripts(tmp_path):
    code = 'from capacity_studies.explorer import explore\nexplore(["hierarchical"], [4], [1], ["power-law"])'
    texts = {
        "intro": "# Book\n\nSee {explorer}`a model <recurrent.16.1.sunspots>`.\n",
        "beyond/one": "# One\n\n" + cell(code),
    }
    root = write_book(tmp_path, texts | {"beyond/explorer": "# Explorer\n"})
    chapters = book(root)
    executed = {"beyond/one": execute(chapters["beyond/one"], {}, tmp_path / "one.ipynb")}
    html = build_html(tmp_path / "stage", stage(list(chapters.values()), executed, tmp_path / "stage", root=root))
    parsed = pages(html)
    scripts = {path.stem: [tag["src"] for tag in page.select("script[src]")] for path, page in parsed.items()}
    wanted = ["explorer-charts.js", "explorer.js"]
    loaded = [source.rpartition("/")[2].partition("?")[0] for source in scripts["one"]]
    assert [source for source in loaded if source in wanted] == wanted
    assert not any("explorer" in source for source in scripts["intro"])
    links = [
        link["href"] for link in parsed[html / "chapters" / "intro.html"].select("article a") if link.text == "a model"
    ]
    assert links == ["beyond/explorer.html?setting=recurrent.16.1.sunspots"]
    assert outside_requests(parsed) == []
    assert broken_links(parsed) == []


@pytest.mark.whole
def test_every_link_leads_to_a_setting_that_the_explorer_computes():
    chapters = book()
    known = {name: each.value for name, each in chapters["beyond/explorer"].parameters().items()}
    texts = "\n".join(chapter.path.read_text(encoding="utf-8") for chapter in chapters.values())
    settings = re.findall(r"\{explorer\}`[^`]*<([^>`]*)>`", texts)
    assert settings
    for setting in settings:
        architecture, size, channels, process = setting.split(".")
        assert architecture in known["architectures"]
        assert process in known["processes"]
        assert int(size) in known["sizes"]
        assert int(channels) in known["channel_counts"]


def test_live_pictures_have_the_colours_of_the_figures_and_no_others(html):
    written = (html / "_static" / interactive.COLORS).read_text()
    assert f"--figure-capacity: {COLORS['capacity']};" in written
    style = (ROOT / "edition" / "static" / "live.css").read_text()
    assert set(re.findall(r"--figure-\w+", style)) == set(re.findall(r"--figure-\w+", written))
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", style)) == {"#888"}  # neither light nor dark
