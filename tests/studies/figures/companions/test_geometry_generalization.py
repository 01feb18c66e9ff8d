"""Strokes of the figures of companions/geometry-generalization."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.companions import geometry_generalization
from capacity_studies.figures.companions.geometry_generalization import plot_valley

X, Y = np.array([1.0, 10.0, 100.0]), np.array([0.9, 0.3, 0.1])
LOSSES = np.array([[0.0, 1.0, 3.0], [0.1, 0.0, 2.0], [4.0, 0.3, 0.0]])

CASES = {
    "plot_reparametrised": ([X, Y, (X[1:2], Y[1:2])], {}, [(X, Y), (X[1:2], Y[1:2])]),
    "plot_rises": ([X, {"loss": Y}], {}, [(X, Y)]),
    "plot_slices": ([X, Y, 2 * Y], {}, [(X, Y), (X, 2 * Y)]),
    "plot_valley": ([np.arange(3.0), np.arange(3.0), LOSSES, (1.0, 1.5)], {}, [([1.0], [1.5])]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(geometry_generalization, CASES)


def test_bars_cross_at_the_point_of_the_valley(ax):
    plot_valley(ax, np.arange(5.0), np.arange(5.0), np.zeros((5, 5)) + 1, (2.0, 1.0))
    across, along, _ = ax.get_lines()
    assert np.ptp(across.get_ydata()) == 0 == np.ptp(along.get_xdata())
    assert (across.get_ydata()[0], along.get_xdata()[0]) == (1.0, 2.0)
