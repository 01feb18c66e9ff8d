"""Sliders in a browser, opened as a file: by keyboard and by touch, without script nothing but the image."""

import pytest
from built_site import WIDTHS, watched

from edition.book import ROOT
from edition.sphinx_ext.interactive import slider as control

COLORS = ("#a00000", "#00a000", "#0000a0")
TEXTS = ["0°: all", "45°: half", "90°: none"]
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="{}"/></svg>'
)
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta name="viewport" content="width=device-width"><title>Page</title>
<link rel="stylesheet" href="{static}/book.css">
<link rel="stylesheet" href="{static}/sliders.css"><script src="{static}/sliders.js" defer></script></head>
<body style="margin: 0; --pst-color-primary: #0000ff"><article class="bd-article"><h1>Title</h1>
<figure style="margin: 0"><img src="1.svg" alt="A rectangle">{control}
<figcaption>Caption.</figcaption></figure>
<p>Below.</p></article></body></html>"""


@pytest.fixture
def address(tmp_path):
    """Return the address of a page with a slider of three pictures, at rest at the second."""
    for index, color in enumerate(COLORS):
        (tmp_path / f"{index}.svg").write_text(PICTURE.format(color))
    slider = {"label": "angle (degrees)", "values": [0, 30, 90], "texts": TEXTS, "start": 1}
    slider["pictures"] = [f"{index}.svg" for index in range(3)]
    static = (ROOT / "edition" / "static").as_uri()
    (tmp_path / "page.html").write_text(PAGE.format(static=static, control=control("own", slider, "")))
    return (tmp_path / "page.html").as_uri()


@pytest.fixture(params=WIDTHS)
def page(browser, address, request):
    """The page at one width, with touch; nothing may go wrong on it."""
    width, height = WIDTHS[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page, problems = watched(context)
    page.goto(address)
    yield page
    assert [found for found in problems.values() if found] == []
    context.close()


def shown(page):
    """Which picture is shown, and what the control says in words and to those who do not see it."""
    range_ = page.get_by_role("slider", name="angle (degrees)")
    picture = page.locator("figure img").evaluate("image => image.src.split('/').pop()")
    return picture, page.locator("output").inner_text(), range_.get_attribute("aria-valuetext")


def wait_for(page, index):
    page.wait_for_function("name => document.querySelector('img').src.endsWith(name)", arg=f"{index}.svg")
    assert shown(page) == (f"{index}.svg", TEXTS[index], TEXTS[index])


def test_at_rest_the_picture_of_the_figure_is_shown_and_none_other_asked_for(page):
    assert shown(page) == ("1.svg", TEXTS[1], TEXTS[1])
    loaded = (
        "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => /\\/\\d\\.svg/.test(name))"
    )
    assert len(page.evaluate(loaded)) <= 1


def test_the_keyboard_reaches_the_slider_visibly_and_exchanges_picture_and_text(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "range"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for key, index in (("ArrowRight", 2), ("Home", 0), ("ArrowRight", 1), ("End", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        wait_for(page, index)


def test_what_stands_below_stays_where_it_is(page):
    before = page.locator("p").bounding_box()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    wait_for(page, 2)
    assert page.locator("p").bounding_box() == before


def test_a_finger_has_room_and_taps_the_picture_that_it_wants(page):
    box = page.get_by_role("slider").bounding_box()
    assert box["height"] >= 44
    assert box["width"] >= 200
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    for place, index in ((0.98, 2), (0.02, 0)):
        for height in (0.1, 0.9):  # anywhere within the 44 pixels
            page.touchscreen.tap(box["x"] + place * box["width"], box["y"] + height * box["height"])
            wait_for(page, index)


def test_the_picture_changes_once_the_next_is_there_and_never_to_nothing(page):
    page.evaluate("""() => {
      window.states = [];
      const image = document.querySelector("img"), note = () => states.push(image.complete && image.naturalWidth);
      new MutationObserver(note).observe(image, { attributes: true });
    }""")
    page.keyboard.press("Tab")
    for key, index in (("End", 2), ("Home", 0)):
        page.keyboard.press(key)
        wait_for(page, index)
    assert page.evaluate("states") == [300, 300]


def test_a_page_that_is_loaded_again_is_at_rest(page):
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    wait_for(page, 2)
    page.reload()
    assert shown(page) == ("1.svg", TEXTS[1], TEXTS[1])


def test_without_script_there_is_nothing_but_the_image(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("figure img").is_visible()
    assert page.get_by_role("slider").count() == 0
    assert not page.locator("label, output").first.is_visible()
    context.close()


def test_on_paper_there_is_no_control(page):
    page.emulate_media(media="print")
    assert page.locator("figure img").is_visible()
    assert not page.locator("input").is_visible()
