"""Plots of the second half of paper 1."""

import numpy as np
import pytest
from drawings import check, plots

from capacity.figures import richer

N = 8
LAGS, BACK = np.arange(1, N + 1), np.arange(N, 0, -1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2

CASES = {
    "plot_allocation_per_component": (
        [{1: FIRST, 2: SECOND}, 4],
        {},
        [(range(N), FIRST / 4), (range(N), SECOND / 4)],
        "xy",
    ),
    "plot_difference": ([-FIRST], {"ylabel": "error"}, [(LAGS, FIRST)], "xy"),
    "plot_extended_spectrum": ([FIRST, SECOND], {}, [(LAGS, FIRST), (LAGS, SECOND)], "xy"),
    "plot_frequencies": ([FIRST / 2, {1: SECOND}], {"spectrum": FIRST}, [(FIRST / 2, SECOND)], "xy"),
    "plot_on_log_lags": ([{1: FIRST, 2: SECOND}], {}, [(BACK, FIRST), (BACK, SECOND)], "xy"),
    "plot_poles": ([{1: FIRST[:1], 2: SECOND[:2]}], {}, [(FIRST[:1], 0), (SECOND[:2], 1)], "xy"),
    "plot_two_curves": ([FIRST, SECOND], {"ylabel": "value"}, [(LAGS, FIRST), (LAGS, SECOND)], "xy"),
}


def test_each_plot_has_a_case():
    assert CASES.keys() == plots(richer)


@pytest.mark.parametrize("name", CASES)
def test_the_data_are_drawn_and_the_axes_labelled(ax, name):
    arguments, options, curves, labels = CASES[name]
    check(ax, getattr(richer, name)(ax, *arguments, **options), curves, labels)


@pytest.mark.parametrize(
    "plot", [richer.plot_on_log_lags, lambda ax, shown: richer.plot_allocation_per_component(ax, shown, 1)]
)
def test_allocations_of_different_lengths_are_refused(ax, plot):
    with pytest.raises(ValueError, match="allocations: expected arrays of one length"):
        plot(ax, {1: FIRST, 2: FIRST[1:]})


def test_the_right_axis_shows_the_undivided_capacity(ax):
    richer.plot_allocation_per_component(ax, {1: FIRST}, 4)
    (right,) = ax.child_axes
    ax.figure.canvas.draw()
    assert np.allclose(right.get_ylim(), 4 * np.array(ax.get_ylim()))
