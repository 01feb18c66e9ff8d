"""A point on the curve of a model's errors in a browser, opened as a file: loss and constraint are the package's."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, numbers, page_with, unit
from scipy.optimize import minimize_scalar

from capacity import constraint_space, standard_process

PROCESS = standard_process("power law")
COVARIANCE, TARGET = PROCESS.covariance(2), PROCESS.optimal_coefficients(2)


def error(w):
    return np.array([w**2, w]) - TARGET


def loss(w):
    return error(w) @ COVARIANCE @ error(w)


BEST = minimize_scalar(loss, bounds=(0, 2), options={"xatol": 1e-12}).x


page = page_with("parabola", target=TARGET, covariance=COVARIANCE, best=BEST, range=[-0.35, 0.95])


def knob(page):
    return page.get_by_role("slider", name="Parameter")


def shown(page):
    """Return the parameter, once what is drawn and said of it is compared with the package."""
    w, size, missed, capacities = kept(page, "w", "loss", "missed", "capacities")
    space = constraint_space(COVARIANCE, np.array([[2 * w], [1.0]]))
    assert size == pytest.approx(loss(w))
    np.testing.assert_allclose(capacities, space.spatial(), atol=1e-12)
    assert abs(missed) == pytest.approx(abs(space.vectors[:, 0] @ error(w)), abs=1e-12)
    heights = numbers(page.locator("svg .capacity"), "height")
    np.testing.assert_allclose(np.divide(heights, 144), capacities, atol=1e-6)
    meets = abs(missed) < 1e-6
    assert f"the error {'meets' if meets else 'misses'} the constraint" in knob(page).get_attribute("aria-valuetext")
    return w


def test_at_rest_the_error_meets_its_constraint_and_beside_it_it_does_not(page):
    assert shown(page) == BEST
    page.keyboard.press("Tab")
    assert knob(page).evaluate("knob => knob === document.activeElement")
    sides = []
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
        shown(page)
        sides += kept(page, "missed")
    page.keyboard.press("ArrowRight")
    assert shown(page) == BEST
    assert sides[0] > 0.01 > -0.01 > sides[2]


def test_the_keyboard_goes_along_the_whole_curve(page):
    knob(page).focus()
    page.keyboard.press("Home")
    found = [shown(page)]
    while found[-1] < 0.94:
        page.keyboard.press("ArrowUp")
        found.append(shown(page))
    assert found[0] == pytest.approx(-0.35)
    assert len(found) > 60


def test_a_mouse_takes_the_point_along_the_curve(page):
    for w in np.random.default_rng(0).uniform(-0.35, 0.95, 40):
        scale = unit(page) * 138 / (1.15 * max(np.abs(error(v)).max() for v in np.linspace(-0.35, 0.95, 201)))
        start = middle(knob(page).locator(".tip"))
        drag(page, start, start + scale * (error(w) - error(shown(page))) * [1, -1])
        assert shown(page) == pytest.approx(w, abs=0.03)


def test_who_hears_the_page_hears_the_loss_and_on_paper_there_is_the_picture(page):
    assert knob(page).get_attribute("aria-valuetext").startswith(f"w = {BEST:.2f}: the loss is {loss(BEST):.3f}")
    check_at_rest(page, "parabola")
