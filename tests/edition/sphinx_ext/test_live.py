"""A live picture: below the image of its figure what its script begins with, on its page only."""

import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from edition.sphinx_ext import interactive

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
    for page in (None, nodes.section("", nodes.raw("", "<p>", format="html"))):
        interactive.load_files(app, "", "", {}, page)
    assert loaded == []
    interactive.load_files(app, "", "", {}, tree)
    assert loaded == [*interactive.SCENES["budget"].files, "live.css"]
