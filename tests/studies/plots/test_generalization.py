"""Plots of the companion on generalization."""

import numpy as np
import pytest
from drawings import check, plots

from capacity_studies.plots import generalization, plot_bound_curves, plot_labeling_counts, plot_valley

X, Y = np.array([1.0, 10.0, 100.0]), np.array([0.9, 0.3, 0.1])
LOSSES = np.array([[0.0, 1.0, 3.0], [0.1, 0.0, 2.0], [4.0, 0.3, 0.0]])

CASES = {
    "plot_bound_curves": ([X, {"exact": Y, "bound": 3 * Y}], {"points": (X[:2], Y[:2])}, [(X, Y), (X, 3 * Y)]),
    "plot_labeling_counts": ([X, {"all": Y, "lines": 2 * Y}, {"lines": (X[1:], Y[1:])}], {}, [(X, Y), (X[1:], Y[1:])]),
    "plot_reparametrised": ([X, Y, (X[1:2], Y[1:2])], {}, [(X, Y), (X[1:2], Y[1:2])]),
    "plot_rises": ([X, {"loss": Y}], {}, [(X, Y)]),
    "plot_slices": ([X, Y, 2 * Y], {}, [(X, Y), (X, 2 * Y)]),
    "plot_valley": ([np.arange(3.0), np.arange(3.0), LOSSES, (1.0, 1.5)], {}, [([1.0], [1.5])]),
}


def test_each_plot_has_a_case():
    assert CASES.keys() == plots(generalization)


@pytest.mark.parametrize("name", CASES)
def test_the_data_are_drawn_and_the_axes_labelled(ax, name):
    arguments, options, curves = CASES[name]
    check(ax, [a for a in getattr(generalization, name)(ax, *arguments, **options) if hasattr(a, "get_xydata")], curves)


def test_bars_cross_at_the_point_of_the_valley(ax):
    plot_valley(ax, np.arange(5.0), np.arange(5.0), np.zeros((5, 5)) + 1, (2.0, 1.0))
    across, along, _ = ax.get_lines()
    assert np.ptp(across.get_ydata()) == 0 == np.ptp(along.get_xdata())
    assert (across.get_ydata()[0], along.get_xdata()[0]) == (1.0, 2.0)


def test_simulations_are_dots_and_counts_have_the_color_of_their_line(ax):
    assert plot_bound_curves(ax, X, {"exact": Y}, points=(X, Y))[-1].get_linestyle() == "None"
    ax.clear()
    plot_labeling_counts(ax, X, {"all": Y, "lines": Y}, {"lines": (X, Y)})
    _, line, dots = ax.get_lines()
    assert line.get_color() == dots.get_color()
