"""Strokes of the figures of companions/geometry-fisher."""

import numpy as np
import pytest
from drawings import drawn_cases
from matplotlib import pyplot as plt

from capacity_studies.figures.companions import geometry_fisher
from capacity_studies.figures.companions.geometry_fisher import plot_invariance, plot_norms_against, to_triangle

CORNERS = np.eye(3)
PATHS = {"natural gradient": CORNERS[:2], "gradient": np.array([[1, 0, 0], [0, 0, 1], [0, 1.0, 0]])}
X = np.array([1.0, 2.0, 4.0])
PAIR = (X, np.stack([0.9 * X, 1.1 * X]))

CASES = {
    "plot_metric_ratios": ([X, {"into 2": X, "into 4": X**2}], {}, [(X, X), (X, X**2)]),
    "plot_simplex_paths": (
        [CORNERS[None], PATHS, CORNERS[:2]],
        {},
        [to_triangle(path).T for path in PATHS.values()],
        "",
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(
    geometry_fisher,
    CASES,
    {"plot_invariance", "plot_norms_against"},  # below
)


@pytest.fixture
def three(ax):
    """Three axes in a figure."""
    plt.close("all")
    yield list(plt.subplots(1, 3)[1])
    plt.close("all")


def test_the_outcomes_are_the_corners_of_an_equilateral_triangle():
    a, b, c = to_triangle(CORNERS)
    np.testing.assert_allclose([np.linalg.norm(a - b), np.linalg.norm(b - c), np.linalg.norm(c - a)], 1)
    np.testing.assert_allclose(to_triangle(np.ones(3) / 3), (a + b + c) / 3)


def test_norms_of_weights_have_colours_of_their_own_and_a_guess_is_dotted(three):
    lines = plot_norms_against(three, X, {"train": PAIR}, {"l2": PAIR}, {"model": PAIR}, xlabel="share", chance=0.1)
    assert [line.axes for line in lines] == three
    assert lines[0].get_color() != lines[1].get_color()
    assert all(np.array_equal(line.get_xydata(), np.column_stack([X, X])) for line in lines)
    assert [ax.get_yscale() for ax in three] == ["linear", "log", "log"]
    assert three[0].get_lines()[-1].get_linestyle() == ":"
    assert three[1].get_xlabel() == "share"


def test_losses_stand_on_the_left_and_differences_on_the_right(three):
    losses, differences = {"gradient": PAIR}, {"natural": X, "gradient": X**2}
    lines = plot_invariance(three[:2], losses, X, differences)
    assert [line.axes for line in lines] == [three[0], three[1], three[1]]
    np.testing.assert_array_equal(lines[0].get_ydata(), X)
    np.testing.assert_array_equal(lines[2].get_xydata(), np.column_stack([X, X**2]))
