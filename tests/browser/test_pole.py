"""Poles of a recurrent model in a browser, opened as a file: wherever they are, the jars are the package's."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, numbers, opened, page_with, unit

from capacity import DiagonalRecurrence, model_constraints
from edition.sphinx_ext.interactive import SCENES

INPUTS, POLES = 6, [0.5, -0.8]


page = page_with("pole", inputs=INPUTS, poles=POLES)


def knob(page, index):
    return page.get_by_role("slider", name=f"Pole {index + 1}")


def shown(page):
    """Return the poles, once what is drawn and said of them is compared with the package."""
    poles, capacities = kept(page, "poles", "capacities")
    channels = len(poles)
    model = DiagonalRecurrence(len(capacities), channels)
    space = model_constraints(model, [1.0] * channels + poles + [1.0] * channels, np.eye(len(capacities)))
    np.testing.assert_allclose(capacities, space.spatial(), atol=1e-8)
    heights = numbers(page.locator("svg .capacity"), "height")
    np.testing.assert_allclose(np.divide(heights, 104), capacities, atol=1e-6)
    assert page.locator("svg .total").text_content() == f"{space.total} of {len(capacities)}"
    assert (
        page.locator("svg [role=img]")
        .get_attribute("aria-label")
        .endswith(f"in all {space.total} of {len(capacities)}")
    )
    return poles


def test_a_pole_that_is_dragged_along_the_line_takes_the_jars_with_it_and_not_the_total(page):
    assert shown(page) == POLES[:1]
    for goal in (-2, -0.95, 0, 1, 2):
        start = middle(knob(page, 0).locator(".tip"))
        drag(page, start, [start[0] + 90 * unit(page) * (goal - shown(page)[0]), start[1] + 20])
        assert shown(page) == pytest.approx([goal])
        assert page.locator("svg .total").text_content() == "2 of 6"
    start = middle(knob(page, 0).locator(".tip"))
    drag(page, start, start + np.array([300, 0]))
    assert shown(page) == [2]


def test_the_keyboard_moves_a_pole_and_mirrors_are_seen(page):
    page.keyboard.press("Tab")
    assert knob(page, 0).evaluate("knob => knob === document.activeElement")
    profiles = []
    for presses in (0, 30):  # from 0.5 to 2
        for _ in range(presses):
            page.keyboard.press("ArrowRight")
        shown(page)
        profiles += kept(page, "capacities")
    np.testing.assert_allclose(profiles[0], profiles[1][::-1], atol=1e-9)
    page.keyboard.press("Home")
    assert shown(page) == [-2]
    page.keyboard.press("PageUp")
    assert shown(page) == pytest.approx([-1.75])


def test_two_poles_spend_four_and_where_they_meet_two(page):
    page.get_by_role("button", name="Second pole").click()
    assert shown(page) == POLES
    assert page.locator("svg .total").text_content() == "4 of 6"
    drag(page, middle(knob(page, 1).locator(".tip")), middle(knob(page, 0).locator(".tip")))
    assert shown(page) == [0.5, 0.5]
    assert page.locator("svg .total").text_content() == "2 of 6"
    assert "one channel" in page.locator("output").inner_text()
    page.get_by_role("button", name="Start again").click()
    assert shown(page) == POLES[:1]
    assert page.locator("output").inner_text() == SCENES["pole"].invitation


@pytest.mark.parametrize("inputs", [3, 6, 9, 12])
def test_at_random_poles_the_jars_are_the_package_s(browser, tmp_path, inputs):
    """At 25 settings for each number of inputs, one pole or two."""
    rng = np.random.default_rng(inputs)
    for _ in range(25):
        poles = (rng.choice(81, 2, replace=False) / 20 - 2).round(2)
        with opened(browser, tmp_path, "desktop", "pole", inputs=inputs, poles=poles) as page:
            shown(page)
            page.get_by_role("button", name="Second pole").click()
            assert shown(page) == pytest.approx(poles)


def test_who_hears_the_page_hears_poles_and_jars_and_on_paper_there_is_the_picture(page):
    assert knob(page, 0).get_attribute("aria-valuetext") == "0.50"
    check_at_rest(page, "pole")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    assert knob(page, 0).get_attribute("aria-valuetext") == "\N{MINUS SIGN}2.00"
