"""The live pictures of the book, on their pages: each stands where its figure stood, and as large."""

import pytest
from bs4 import BeautifulSoup
from built_site import SITE, WIDTHS, watched

from edition.sphinx_ext.interactive import SCENES

MEASURED = """() => [...document.querySelectorAll(".live-controls")].map((root) => {
  const figure = root.parentElement, svg = figure.querySelector("svg.live"), image = figure.querySelector("img");
  const { width, height } = svg.getBoundingClientRect();
  return {
    scene: JSON.parse(root.dataset.live).scene, ratio: height / width, hidden: image.getClientRects().length === 0,
    rest: image.getAttribute("height") / image.getAttribute("width"), most: width / figure.clientWidth,
    holds: svg.querySelectorAll("[role=slider]").length, waiting: root.querySelectorAll("button:disabled").length,
  };
})"""


def pages():
    """Return the scenes of each page that has any."""
    found = {}
    for path in sorted((SITE / "chapters").rglob("*.html")):
        if "live-controls" in (text := path.read_text(encoding="utf-8")):
            found[path] = len(BeautifulSoup(text, "html.parser").select(".live-controls"))
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_each_live_picture_is_as_large_as_the_figure_at_rest_and_nothing_goes_wrong_on_its_page(browser, site, width):
    size, seen = dict(zip(("width", "height"), WIDTHS[width])), set()
    context = browser.new_context(viewport=size)
    for path, count in pages().items():
        page, problems = watched(context)
        page.goto(path.as_uri())
        page.wait_for_selector("svg.live")
        measured = page.evaluate(MEASURED)
        assert len(measured) == count
        for live in measured:
            assert live["ratio"] == pytest.approx(live["rest"], rel=0.01), (path.name, live)
            assert live["hidden"]
            assert live["holds"] > 0
            assert live["most"] <= 1
            assert live["waiting"] == 0
            seen.add(live["scene"])
        assert not problems["console"]
        assert not problems["missing"]
        page.close()
    context.close()
    assert seen == {*SCENES}
