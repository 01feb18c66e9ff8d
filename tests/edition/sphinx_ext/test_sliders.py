"""The control of a slider: below the image of its figure, on its page only, and not on paper."""

import json

import pytest
from bs4 import BeautifulSoup
from small_site import page

from edition.sphinx_ext.sliders import control

SLIDER = {"label": "n", "values": [1, 2], "texts": ["1", '<2> & "3"'], "start": 1}
SLIDER |= {"pictures": ["a/0.svg", "a/1.svg"]}


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
