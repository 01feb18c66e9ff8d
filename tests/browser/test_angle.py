"""A direction that is turned in a browser, opened as a file: its capacity is the package's."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, page_with, unit

from capacity import constraint_space

NORMAL = constraint_space(np.eye(2), np.array([[1.0], [0.0]]))


page = page_with("angle", angle=30)


def knob(page):
    return page.get_by_role("slider", name="Angle between direction and normal")


def shown(page):
    """Return the angle, once what is drawn and said of it is compared with the package."""
    degrees, (capacity,) = kept(page, "degrees", "capacities")
    direction = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    assert capacity == pytest.approx(NORMAL.capacity(direction[:, None]), abs=1e-12)
    assert float(page.locator("svg .capacity").get_attribute("height")) == pytest.approx(118 * capacity, abs=1e-6)
    assert (
        knob(page)
        .get_attribute("aria-valuetext")
        .endswith(f"{abs(direction[0]):.3f} long, its square is {capacity:.2f}.")
    )
    place = middle(knob(page).locator(".tip")) - page.evaluate(
        "(({x, y}) => [x, y])(document.querySelector('svg.live').getBoundingClientRect())"
    )
    np.testing.assert_allclose(place / unit(page), [150, 156] + 118 * direction * [1, -1], atol=0.5)
    return degrees


def test_the_keyboard_reaches_every_angle_of_the_half_circle_and_each_has_its_capacity(page):
    page.keyboard.press("Tab")
    assert knob(page).evaluate("knob => knob === document.activeElement")
    page.keyboard.press("Home")
    for degrees in range(0, 181, 5):
        assert shown(page) == degrees
        page.keyboard.press("ArrowUp")
    assert shown(page) == 180
    page.keyboard.press("ArrowRight")
    assert shown(page) == 175


def test_a_mouse_turns_the_direction_to_where_it_points(page):
    size = 118 * unit(page)
    centre = middle(knob(page).locator(".tip")) - size * np.array([np.cos(np.pi / 6), -0.5])
    for degrees in np.random.default_rng(0).integers(3, 178, 100):
        angle = np.radians(degrees)
        drag(page, middle(knob(page).locator(".tip")), centre + 1.1 * size * np.array([np.cos(angle), -np.sin(angle)]))
        assert abs(shown(page) - degrees) <= 1
    drag(page, middle(knob(page).locator(".tip")), centre + np.array([50, 300]))
    assert shown(page) == 0


def test_who_hears_the_page_hears_the_square_and_on_paper_there_is_the_picture(page):
    assert knob(page).get_attribute("aria-valuetext") == "30°: the projection is 0.866 long, its square is 0.75."
    check_at_rest(page, "angle")
