"""Constraints on three inputs in a browser, opened as a file: wherever arrows are dragged, what is shown is theirs."""

import numpy as np
import pytest
from live_page import check_at_rest, drag, kept, middle, numbers, page_with, unit

from capacity import constraint_space
from capacity_studies.figures.linear.section_3_capacity import FRAME
from edition.sphinx_ext.interactive import SCENES

NORMALS = np.array([[2.0, 2.0, 1.0], [1.0, -1.0, 0.0]]) / np.sqrt([[9.0], [2.0]])
ERRORS = np.random.default_rng(0).standard_normal((60, 3))


def expected(normals):
    return constraint_space(np.eye(3), np.transpose(normals))


page = page_with("plane", frame=FRAME, normals=NORMALS, errors=ERRORS)


def shown(page):
    """Return normals and capacities of the page, once what it draws and says is compared with the package."""
    normals, capacities = kept(page, "normals", "capacities")
    space = expected(normals)
    np.testing.assert_allclose(capacities, space.spatial(), atol=1e-10)
    heights = numbers(page.locator("svg .capacity"), "height")
    np.testing.assert_allclose(np.divide(heights, 160), capacities, atol=1e-6)
    assert page.locator("svg .total").text_content() == f"{space.total} of 3"
    assert page.locator("svg [role=img]").get_attribute("aria-label").endswith(f"in all {space.total} of 3")
    dots = np.transpose([numbers(page.locator("svg .error"), name) for name in ("cx", "cy")])
    free = ERRORS - ERRORS @ space.vectors @ space.vectors.T
    np.testing.assert_allclose(dots, [140, 144] + 45 * (free @ FRAME[:2].T) * [1, -1], atol=1e-6)
    return np.array(normals), np.array(capacities)


def arrow(page, index):
    return page.get_by_role("slider", name=f"Constraint {index + 1}")


def place(page, index):
    return middle(arrow(page, index).locator(".tip"))


def test_the_example_by_hand_comes_out_with_one_constraint_and_with_two(page):
    np.testing.assert_allclose(shown(page)[1], np.array([4, 4, 1]) / 9, atol=1e-12)
    page.get_by_role("button", name="Second constraint").click()
    np.testing.assert_allclose(shown(page)[1], np.array([17, 17, 2]) / 18, atol=1e-12)
    page.get_by_role("button", name="One constraint").click()
    np.testing.assert_allclose(shown(page)[0], NORMALS[:1])


def test_wherever_an_arrow_is_dragged_all_that_is_shown_is_the_package_s(page):
    page.get_by_role("button", name="Second constraint").click()
    size = 118 * unit(page)
    for index, move in enumerate(size * np.array([(-0.4, 0.3), (0.1, 0.3)])):
        before = place(page, index)
        drag(page, before, before + move)
        np.testing.assert_allclose(place(page, index) - before, move, atol=1)
        normals, _ = shown(page)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1)
        assert not np.allclose(normals[index], NORMALS[index], atol=0.1)
    drag(page, place(page, 0), place(page, 0) + np.array([5 * size, 0]))
    assert abs(shown(page)[0][0] @ FRAME[2]) < 1e-6  # no longer than a normal: it lies in the plane of the page


def test_the_keyboard_turns_an_arrow_in_all_directions(page):
    page.keyboard.press("Tab")
    assert arrow(page, 0).evaluate("arrow => arrow === document.activeElement")
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", "PageDown", "Home", "End"):
        before, said = shown(page)[0], arrow(page, 0).get_attribute("aria-valuetext")
        page.keyboard.press(key)
        assert not np.allclose(shown(page)[0], before, atol=0.01)
        assert arrow(page, 0).get_attribute("aria-valuetext") != said


def test_arrows_that_meet_are_one_constraint_and_part_again(page):
    page.get_by_role("button", name="Second constraint").click()
    start, goal = place(page, 1), place(page, 0)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(goal[0] + 2, goal[1], steps=2)
    assert shown(page)[1].sum() == pytest.approx(1)
    assert "together they spend 1" in page.locator("output").inner_text()
    page.mouse.up()
    arrow(page, 1).focus()
    page.keyboard.press("ArrowUp")
    assert shown(page)[1].sum() == pytest.approx(2)
    page.get_by_role("button", name="Start again").click()
    np.testing.assert_allclose(shown(page)[0], NORMALS[:1])
    assert page.locator("output").inner_text() == SCENES["plane"].invitation


def test_who_hears_the_page_hears_normal_and_capacity_and_on_paper_there_is_the_picture(page):
    assert arrow(page, 0).get_attribute("aria-valuetext") == "normal 0.67, 0.67, 0.33"
    check_at_rest(page, "plane")
