"""Capacity that is poured into jars in a browser, opened as a file: what is full and all poured is an allocation."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, numbers, page_with

from capacity.allocation import space_of_allocation

POSITION = np.arange(1, 11)
SHAPES = np.array([np.exp(-(((POSITION - 10) / 3) ** 2)), np.exp(-(((POSITION - 4.5) / 2.5) ** 2)), np.ones(10)])
SHAPES /= SHAPES.sum(axis=1, keepdims=True)


page = page_with("pour", shapes=SHAPES, litres=3)


def jar(page, index):
    return page.get_by_role("slider", name=f"Input {index + 1}", exact=True)


def shown(page):
    """Return the levels, which must be what is drawn and said: none above 1, no more than there is."""
    levels, litres = kept(page, "levels", "litres")
    heights = numbers(page.locator("svg .capacity"), "height")
    np.testing.assert_allclose(np.divide(heights[5:], 130), levels, atol=1e-6)
    assert sum(heights[:5]) / 30 + sum(levels) == pytest.approx(litres)
    assert numbers(page.get_by_role("slider"), "aria-valuenow") == pytest.approx(levels, abs=0.006)
    assert max(levels) <= 1
    assert min(levels) >= 0
    if np.isclose(sum(levels), litres):
        np.testing.assert_allclose(space_of_allocation(np.array(levels)).spatial(), levels, atol=1e-9)
    return np.array(levels)


def press(page, name):
    page.get_by_role("button", name=name).click()


def test_the_shapes_of_the_three_models_are_allocations_of_as_many_equations_as_there_are_litres(page):
    for index, name in enumerate(["Recent past", "Further back", "Everything alike"]):
        press(page, name)
        np.testing.assert_allclose(shown(page), 3 * SHAPES[index])
        assert "All poured: some 3 equations" in page.locator("output").inner_text()


def test_a_shape_that_would_overflow_is_impossible_and_says_so(page):
    press(page, "Recent past")
    press(page, "Another litre")
    assert shown(page).max() == 1
    assert f"hold {4 * SHAPES[0].max():.2f}" in page.locator("output").inner_text()


def test_what_is_not_there_cannot_be_poured_and_no_jar_holds_more_than_one(page):
    press(page, "Empty")
    assert shown(page).sum() == 0
    for index in range(10):
        jar(page, index).focus()
        page.keyboard.press("End")
    assert shown(page).tolist() == [1] * 3 + [0] * 7
    assert "lower another jar first" in page.locator("output").inner_text()
    jar(page, 1).focus()
    page.keyboard.press("ArrowDown")
    assert shown(page)[1] == pytest.approx(0.95)
    assert page.locator("output").inner_text() == "0.05 left to pour."


def test_any_hand_that_pours_all_leaves_an_allocation(page):
    """At 100 random gestures, each of which is compared with the package once all is poured."""
    rng = np.random.default_rng(0)
    boxes = [jar(page, index).locator(".grasp").bounding_box() for index in range(10)]
    all_poured = 0
    for _ in range(100):
        box, (start, goal) = boxes[rng.integers(10)], rng.uniform(0.02, 0.98, 2)
        x = box["x"] + box["width"] / 2
        drag(page, [x, box["y"] + start * box["height"]], [x, box["y"] + goal * box["height"]])
        all_poured += np.isclose(shown(page).sum(), 3)
    assert 10 < all_poured < 100


def test_who_hears_the_page_hears_jars_and_what_is_left_and_on_paper_there_is_the_picture(page):
    assert jar(page, 9).get_attribute("aria-valuetext") == f"{3 * SHAPES[0, -1]:.2f}"
    assert page.get_by_role("img", name="0.00 of 3 left to pour").count() == 1
    check_at_rest(page, "pour")
