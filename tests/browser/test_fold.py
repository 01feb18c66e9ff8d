"""Inputs folded into a square in a browser, opened as a file: what rows and columns miss is what the model misses."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, opened, page_with, swipe

from capacity import DilatedConvolution, model_constraints, tensor_train_parameters

SIDE = 8


def leverages(coefficients):
    """Leverages of blocks and of places by the number of channels, the newest first."""
    left, _, right = np.linalg.svd(coefficients[::-1].reshape(SIDE, SIDE))
    return np.cumsum(left.T**2, axis=0), np.cumsum(right**2, axis=0)


def expected(coefficients, channels):
    """What a model of six layers with so many channels in the middle spends on white inputs, the newest first."""
    model = DilatedConvolution.hierarchical(6, [2, 4, channels, 4, 2])
    parameters = tensor_train_parameters(coefficients, model.taps, model.channels, rng=0)
    space = model_constraints(model, parameters, np.eye(SIDE**2))
    return space.spatial()[::-1], space.total


COEFFICIENTS = np.random.default_rng(1).standard_normal(SIDE**2)


page = page_with("fold", **dict(zip(("blocks", "places"), leverages(COEFFICIENTS))), channels=4, back=13)


def grid(page):
    return page.get_by_role("slider", name="Input")


def place(page, back):
    """Where an input is on the page."""
    box = page.locator("svg .grasp").bounding_box()
    across, down = ((SIDE - index - 0.6) / SIDE for index in (back % SIDE, back // SIDE))
    return [box["x"] + box["width"] * across, box["y"] + box["height"] * down]


def test_with_any_number_of_channels_the_squares_are_what_the_package_computes(page):
    for count in (3, 2, 1):
        page.get_by_role("button", name="One channel fewer").click()
        assert kept(page, "channels") == [count]
    assert page.get_by_role("button", name="One channel fewer").is_disabled()
    for channels in range(1, SIDE + 1):
        capacities, total = expected(COEFFICIENTS, channels)
        (shown,) = kept(page, "capacities")
        np.testing.assert_allclose(np.ravel(shown), capacities, atol=1e-9)
        assert page.locator("svg .total").text_content() == f"{total} of 64"
        button = page.get_by_role("button", name="One channel more")
        assert button.is_disabled() == (channels == SIDE)
        if channels < SIDE:
            button.click()


@pytest.mark.parametrize("seed", range(12))
def test_at_random_targets_and_numbers_of_channels_the_law_is_the_package_s(browser, tmp_path, seed):
    """Eight numbers of channels each: 96 settings."""
    coefficients = np.random.default_rng(seed).standard_normal(SIDE**2) * 0.9 ** np.arange(SIDE**2)
    blocks, places = leverages(coefficients)
    values = {"blocks": blocks, "places": places, "channels": 1, "back": 0}
    with opened(browser, tmp_path, "desktop", "fold", **values) as page:
        for channels in range(1, SIDE + 1):
            (shown,) = kept(page, "capacities")
            np.testing.assert_allclose(np.ravel(shown), expected(coefficients, channels)[0], atol=1e-8)
            if channels < SIDE:
                page.get_by_role("button", name="One channel more").click()


def test_what_is_left_grey_in_a_square_is_as_large_as_what_is_free(page):
    drawn = page.locator("svg path.capacity").evaluate("""path => {
      const [x, y, step, size] = [84, 66, 38, 0.86 * 38];
      const filled = (left, top) => {
        let count = 0;
        for (let i = 0; i < 40; i++) for (let j = 0; j < 40; j++)
          count += path.isPointInFill(new DOMPoint(left + size * (i + 0.5) / 40, top + size * (j + 0.5) / 40));
        return count / 1600;
      };
      return [...Array(64).keys()].map((back) =>
        filled(x + step * (7 - back % 8), y + step * (7 - Math.floor(back / 8))));
    }""")
    np.testing.assert_allclose(drawn, expected(COEFFICIENTS, 4)[0], atol=0.06)


def test_a_square_that_is_touched_says_its_product_and_a_finger_goes_on_to_others(page):
    blocks, places = (found[3] for found in leverages(COEFFICIENTS))
    for back in (0, 63, 30):
        page.mouse.click(*place(page, back))
        free = [1 - blocks[back // SIDE], 1 - places[back % SIDE]]
        words = page.locator("output").inner_text()
        assert words.startswith(f"Lag {back + 1} = 1 + {back // 8} · 8 + {back % 8}.")
        assert f"{free[0]:.2f} × {free[1]:.2f} = {np.prod(free):.2f}" in words
        np.testing.assert_allclose(middle(page.locator("svg .chosen").first), place(page, back), atol=5)
    drag(page, place(page, 30), place(page, 4))
    assert kept(page, "back") == [4]


def test_a_finger_goes_along_a_row_and_still_scrolls_the_page_from_the_square(page):
    page.add_style_tag(content="body { min-height: 4000px }")
    start, step = place(page, 30), place(page, 29)[0] - place(page, 30)[0]
    swipe(page, start, *[[step, 0]] * 3)
    page.wait_for_function("document.querySelector('.live-controls').back === 27")
    assert page.evaluate("scrollY") == 0
    swipe(page, start, *[[0, -30]] * 5)
    page.wait_for_function("scrollY > 50")


def test_the_keyboard_goes_to_all_four_sides(page):
    page.keyboard.press("Tab")
    assert grid(page).evaluate("grid => grid === document.activeElement")
    arrows = {"ArrowUp": 21, "ArrowLeft": 22, "ArrowDown": 14, "ArrowRight": 13}
    for key, back in (arrows | {"End": 61, "Home": 5}).items():
        page.keyboard.press(key)
        assert kept(page, "back") == [back]
    assert grid(page).get_attribute("aria-valuenow") == "59"


def test_who_hears_the_page_hears_the_product_and_on_paper_there_is_the_picture(page):
    assert grid(page).get_attribute("aria-valuetext").startswith("lag 14, block 1, place 5: free ")
    check_at_rest(page, "fold")
