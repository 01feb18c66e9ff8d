"""A page with one live picture, opened as a file, and how the tests of all scenes use it."""

from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from built_site import WIDTHS, axe_findings, watched

from edition.book import ROOT
from edition.sphinx_ext.interactive import SCENES, colors
from edition.sphinx_ext.interactive import live as control

STATIC = ROOT / "edition" / "static"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page</title>
<style>{colors}</style><link rel="stylesheet" href="{static}/live.css">{scripts}</head>
<body style="margin: 0"><main><article class="bd-article"><h1>Title</h1><figure style="margin: 0">
<a class="enlarge" href="a.svg"><img src="a.svg" width="552" height="408" alt="Jars"
style="max-width: 100%; height: auto"></a>{control}
<figcaption>Caption.</figcaption></figure><p id="below">Below, {words}.</p></article></main></body></html>"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="552" height="408"></svg>'


def write(folder, scene):
    """Write a page with a scene into a folder, and return its address."""
    scripts = "".join(
        f'<script src="{STATIC.as_uri()}/{name}" defer></script>' for name in SCENES[scene["scene"]].files
    )
    (folder / "a.svg").write_text(PICTURE)
    words = "".join(f'<span class="moves moves-{name}">{name}</span>' for name in scene.get("states", ()))
    text = PAGE.format(static=STATIC.as_uri(), colors=colors(), scripts=scripts, control=control(scene), words=words)
    (folder / "page.html").write_text(text)
    return (folder / "page.html").as_uri()


@cache
def touched(browser, width):
    """Return a page of one of the widths, with touch, and what goes wrong on it: one for all scenes, to load anew."""
    size = dict(zip(("width", "height"), WIDTHS[width]))
    return watched(browser.new_context(viewport=size, has_touch=True))


@contextmanager
def opened(browser, folder, width, scene, **values):
    """Open a page with a scene at one of the widths, with touch; nothing may go wrong on it, nor stand beside it."""
    page, problems = touched(browser, width)
    for found in problems.values():
        found.clear()
    page.emulate_media(media="null", reduced_motion="null")
    page.goto(write(folder, {"scene": scene} | {name: np.asarray(value).tolist() for name, value in values.items()}))
    yield page
    assert [found for found in problems.values() if found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto("about:blank")  # where nothing moves


def page_with(scene, **values):
    """Return the fixture of a page with a scene, at each of the widths."""

    @pytest.fixture(params=WIDTHS)
    def page(browser, tmp_path, request):
        with opened(browser, tmp_path, request.param, scene, **values) as page:
            yield page

    return page


def kept(page, *names):
    """Return what a scene keeps for the tests, by its names."""
    return page.evaluate("names => names.map((name) => document.querySelector('.live-controls')[name])", [*names])


def numbers(locator, attribute):
    """Return the numbers that all elements have as an attribute."""
    return locator.evaluate_all("(found, name) => found.map((e) => parseFloat(e.getAttribute(name)))", attribute)


def middle(locator):
    """Return where the middle of an element is on the page."""
    box = locator.bounding_box()
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def drag(page, start, goal):
    """Drag with the mouse from one place of the page to another."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*goal, steps=3)
    page.mouse.up()


def swipe(page, start, *moves):
    """Move a finger from a place of the page by these steps, one after the other."""
    client, place = page.context.new_cdp_session(page), np.array(start)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [dict(zip("xy", place.tolist()))]})
    for move in moves:
        place = place + move
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [dict(zip("xy", place.tolist()))]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def unit(page):
    """Return how many pixels a unit of the drawing has."""
    return page.locator("svg.live").bounding_box()["width"] / 441.6


def check_at_rest(page, scene):
    """Look at a page that nobody touched: axe finds nothing, the scene invites, on paper there is the figure alone."""
    assert axe_findings(page) == {}
    assert page.locator("output").inner_text() == SCENES[scene].invitation
    page.emulate_media(media="print")
    assert page.locator("img").is_visible()
    assert page.locator("svg.live:visible, .live-controls:visible").count() == 0
    page.emulate_media(media="screen")
