"""A board of layers in a browser, opened as a file: the capacity that falls through it is the package's."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, page_with, unit

from capacity import propagate, transition_matrix
from capacity.depth import uppermost_capacity
from capacity.layers import convolution_projection

MOST = 64


page = page_with("board", layers=MOST)


def floor(page):
    return page.get_by_role("slider", name="Layers")


def layers(page):
    """Return the number of layers, once what the page computes and says of them is compared with the package."""
    found = int(floor(page).get_attribute("aria-valuenow"))
    layer = transition_matrix(convolution_projection(np.ones(3), 2 * found + 1))
    expected = propagate([layer] * found, uppermost_capacity(2 * found + 1, "centre"))
    held = np.ptp(np.interp([0.025, 0.975], np.cumsum(expected), np.arange(2 * found + 1)))
    profile, shown = kept(page, "profile", "held")
    np.testing.assert_allclose(profile, expected, atol=1e-12)
    assert shown == pytest.approx(held, abs=1e-9)
    assert f"95 % in {held:.0f} of {2 * found + 1} inputs" in page.locator("svg.board").text_content()
    return found


def test_the_floor_is_moved_by_keys_between_one_layer_and_all(page):
    assert layers(page) == MOST
    floor(page).focus()
    found = []
    for key in ("ArrowUp", "ArrowDown", "PageDown", "Home", "ArrowDown", "ArrowUp", "End"):
        page.keyboard.press(key)
        found.append(layers(page))
    assert found == [MOST, MOST - 1, MOST - 6, 1, 1, 2, MOST]


def test_a_mouse_drags_the_floor_and_nothing_below_moves(page):
    before = page.locator("#below").bounding_box()
    line = floor(page).locator(".line").bounding_box()
    x, y = line["x"] + line["width"] / 4, line["y"] + line["height"] / 2
    drag(page, (x, y), (x, y - 30 * 2.6 * unit(page)))
    assert layers(page) == MOST - 30
    assert page.locator("#below").bounding_box() == before
    page.get_by_role("button", name="Start again").click()
    assert layers(page) == MOST


def test_balls_take_a_step_of_at_most_one_per_layer_and_mostly_fall_where_the_capacity_is(page):
    page.evaluate("let state = 1; Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647")
    page.get_by_role("button", name="Drop 100 balls").click()
    balls, held = map(np.array, kept(page, "balls", "held"))
    assert balls.shape == (100, MOST + 1)
    assert {*np.unique(np.diff(balls))} == {-1, 0, 1}
    inside = np.count_nonzero(abs(balls[:, -1]) <= held / 2)
    assert page.locator("output").inner_text().startswith(f"{inside} of 100 balls")
    assert 88 <= inside <= 100


def test_who_hears_the_page_hears_how_much_holds_the_capacity_and_on_paper_there_is_the_picture(page):
    assert floor(page).get_attribute("aria-valuetext") == "64 layers: 20 % of the 129 inputs hold 95 % of the capacity"
    check_at_rest(page, "board")
