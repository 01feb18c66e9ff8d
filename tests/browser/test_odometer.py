"""An odometer in a browser, opened as a file: the path of an input is the product that its coefficient is."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, opened, page_with

from capacity import DilatedConvolution

CAPACITIES = np.linspace(0.1, 0.8, 8)


page = page_with("odometer", dilations=[1, 2, 4], taps=[2, 2, 2], capacities=CAPACITIES, back=5)


def row(page):
    return page.get_by_role("slider", name="Input")


def wheel(page, layer):
    return page.get_by_role("slider", name=f"Digit of layer {layer}")


def chosen(page):
    """Return the chosen input, once all that is shown of it agrees: path, digits, what is said, the jar with a rim."""
    (way,) = kept(page, "way")
    back = way[0]
    digits = [int(wheel(page, layer).get_attribute("aria-valuenow")) for layer in (3, 2, 1)]
    assert back == np.dot(digits, [4, 2, 1])
    assert way == [back, back & 6, back & 4, 0]
    capacity = f"capacity {CAPACITIES[7 - back]:.2f}"
    assert f"lag {back + 1}," in row(page).get_attribute("aria-valuetext")
    assert row(page).get_attribute("aria-valuetext").endswith(capacity)
    jar = page.locator("svg rect.capacity").nth(7 - back)
    np.testing.assert_allclose(middle(page.locator("svg .chosen"))[0], middle(jar)[0], atol=0.5)
    return back


def test_every_jar_that_is_touched_turns_the_digits_and_lights_up_its_path(page):
    assert chosen(page) == 5
    for position in range(8):
        page.mouse.click(*middle(page.locator("svg rect.free").nth(position)))
        assert chosen(page) == 7 - position
        assert f"Capacity {CAPACITIES[position]:.2f}" in page.locator("output").inner_text()


def test_a_finger_that_moves_along_the_jars_turns_the_digits_all_the_way(page):
    first, last = (middle(page.locator("svg rect.free").nth(k)) for k in (0, 7))
    drag(page, first, last)
    assert chosen(page) == 0


def test_a_digit_that_is_turned_finds_its_jar(page):
    for layer, back in ((3, 1), (2, 3), (1, 2), (3, 6), (3, 2)):
        page.mouse.click(*middle(wheel(page, layer).locator(".rim")))
        assert chosen(page) == back


def test_the_keyboard_turns_digits_and_counts_through_the_inputs(page):
    for layer in (3, 2, 1):
        page.keyboard.press("Tab")
        assert wheel(page, layer).evaluate("wheel => wheel === document.activeElement")
        page.keyboard.press("Home")
    assert chosen(page) == 0
    page.keyboard.press("ArrowUp")
    assert chosen(page) == 1
    page.keyboard.press("Tab")
    assert row(page).evaluate("row => row === document.activeElement")
    page.keyboard.press("Home")
    assert chosen(page) == 7
    for back in range(6, -1, -1):
        page.keyboard.press("ArrowRight")
        assert chosen(page) == back
    page.keyboard.press("ArrowRight")
    assert chosen(page) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_path_of_any_input_multiplies_the_weights_that_its_coefficient_does(browser, tmp_path, seed):
    """At 100 inputs of random hierarchical models: layers of 2 to 4 taps, each with its own digits."""
    rng = np.random.default_rng(seed)
    taps = rng.integers(2, 5, int(rng.integers(2, 5)))
    dilations = np.concatenate([[1], np.cumprod(taps)[:-1]])
    model = DilatedConvolution(dilations.tolist(), 1, taps.tolist())
    weights = rng.uniform(0.5, 2, model.n_parameters)
    values = {"dilations": dilations, "taps": taps, "capacities": np.full(model.n_inputs, 0.5), "back": 0}
    with opened(browser, tmp_path, "desktop", "odometer", **values) as page:
        row(page).focus()
        page.keyboard.press("End")
        drawn = np.sort(rng.choice(model.n_inputs, min(20, model.n_inputs), replace=False))
        for back, further in zip(drawn, np.diff(drawn, prepend=0)):
            for _ in range(further):
                page.keyboard.press("ArrowLeft")
            (way,) = kept(page, "way")
            assert way[0] == back
            steps = -np.diff(way) // dilations
            product = np.prod([layer[0, step, 0] for layer, step in zip(model.filters(weights), steps)])
            assert product == pytest.approx(model.coefficients(weights)[::-1][back])


def test_who_hears_the_page_hears_digits_and_capacity_and_on_paper_there_is_the_picture(page):
    assert row(page).get_attribute("aria-valuetext") == "lag 6, digits 1 0 1, capacity 0.30"
    assert wheel(page, 3).get_attribute("aria-valuetext") == "1, 4 steps"
    check_at_rest(page, "odometer")


def test_the_digits_turn_at_once_where_motion_is_not_wanted(page):
    turning = "tape => getComputedStyle(tape).transitionDuration"
    assert page.locator("svg .tape").first.evaluate(turning) == "0.25s"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator("svg .tape").first.evaluate(turning) == "0s"
