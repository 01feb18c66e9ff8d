"""Plots of constraint spaces."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity import constraint_space
from capacity.figures import constraints, plot_error_plane, plot_synthetic

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2
SPACE = constraint_space(np.eye(3), [[1.0, 0], [0, 0.5], [0, 0]])
RUNS = np.random.default_rng(0).dirichlet(np.ones(N), 5)
LAST = np.arange(N)

CASES = {
    "plot_error_plane": (
        [np.column_stack([FIRST, SECOND]), FIRST[:2], np.array([0, 1.0]), np.eye(2)],
        {},
        [(FIRST, SECOND), (FIRST[:1], FIRST[1:2])],
    ),
    "plot_spectra": ([{2: SPACE}], {}, [([1, 2], [1, 0.25])]),
    "plot_synthetic": (
        [{name: FIRST * k for k, name in enumerate("abcde", 1)}],
        {},
        [(range(1, N + 1), FIRST * k) for k in range(1, 6)],
    ),
}

test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(constraints, CASES)


def test_the_level_line_through_the_error_is_drawn_and_the_error_named(ax):
    errors, covariance = np.array([0.3, -0.2]), np.array([[1.0, 0.5], [0.5, 1.0]])
    curve = np.column_stack([FIRST, SECOND])
    contours, *_ = plot_error_plane(ax, curve, errors, np.array([0, 1.0]), covariance, name="here")
    assert contours.levels[1] == pytest.approx(errors @ covariance @ errors)
    assert "here" in [text.get_text() for text in ax.texts]


def test_an_allocation_is_named_beside_its_end_or_above_its_peak(ax):
    plot_synthetic(ax, {"a: rising": FIRST, "b: falling": SECOND})
    assert [(text.get_text(), *text.xy) for text in ax.texts[1:]] == [("a:\nrising", N, 1), ("b: falling", 1, 1)]
