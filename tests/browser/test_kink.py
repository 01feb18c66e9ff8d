"""An activation that is bent in a browser, opened as a file: its coupling is the package's."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, page_with, unit
from scipy import stats

from capacity.activations import coupling, leaky

INPUTS = stats.norm.ppf((np.arange(20) + 0.5) / 20)


page = page_with("kink", inputs=INPUTS, alpha=0)


def arm(page):
    return page.get_by_role("slider", name="Gain for negative arguments")


def shown(page):
    """Return both gains, once what is drawn and said of them is compared with the package."""
    (alpha, beta), found = kept(page, "gains", "coupling")
    assert alpha**2 + beta**2 == pytest.approx(2)
    expected = coupling(leaky(alpha / beta))
    assert found == pytest.approx(expected, abs=1e-12)
    assert arm(page).get_attribute("aria-valuetext").endswith(f"coupling {expected:.2f}")
    blocks = page.locator("svg .block").evaluate_all("blocks => blocks.map((block) => Number(block.style.fillOpacity))")
    np.testing.assert_allclose(np.reshape(blocks, (3, 3)), np.where(np.eye(3), 1, expected), atol=1e-6)
    # The line predicts the second copy from the first, by least squares over all points that are drawn.
    points = " ".join(page.locator(f"svg .{name}").get_attribute("d") for name in ("equal", "unequal"))
    first, second = np.array([point.split() for point in points.replace("h0", "").split("M")[1:]], dtype=float).T
    slope = -np.sum((first - 222) * (second - 112)) / np.sum((first - 222) ** 2)
    assert slope == pytest.approx(expected, abs=1e-9)
    return alpha, beta


def test_the_keyboard_bends_the_arm_through_all_activations_from_linear_to_absolute(page):
    page.keyboard.press("Tab")
    assert arm(page).evaluate("arm => arm === document.activeElement")
    page.keyboard.press("Home")
    assert shown(page) == (1, 1)
    assert "linear" in page.locator("svg").text_content()
    for _ in range(40):
        page.keyboard.press("ArrowUp")
        shown(page)
    assert shown(page) == (-1, 1)
    assert "absolute value" in page.locator("svg").text_content()


def test_the_arm_goes_where_it_is_dragged_and_no_further(page):
    size = unit(page)
    for alpha in [*np.random.default_rng(0).uniform(-1, 1, 60), -1.5, 1.5]:
        start = middle(arm(page).locator(".tip"))
        drag(page, start, start + np.array([3, 48 * size * (alpha - shown(page)[0])]))
        assert shown(page)[0] == pytest.approx(np.clip(alpha, -1, 1), abs=0.06)
    assert shown(page) == (1, 1)


def test_who_hears_the_page_hears_gains_and_coupling_and_on_paper_there_is_the_picture(page):
    assert arm(page).get_attribute("aria-valuetext") == "gains 0.00 and 1.41: coupling 0.50"
    check_at_rest(page, "kink")
