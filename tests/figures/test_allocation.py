"""Plots of allocations."""

import numpy as np
import pytest
from drawings import drawn_cases
from numpy.testing import assert_allclose

from capacity.figures import allocation, plot_allocation, plot_allocation_per_component, plot_on_log_lags, plot_strips

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
BACK = np.arange(N, 0, -1)
LAYERS = {"layer 2": FIRST, "layer 1": SECOND}
CHANNELS = np.array([1, 2, 4])

CASES = {
    "plot_allocation": ([{1: FIRST, "other": SECOND}], {}, [(range(N), FIRST), (range(N), SECOND)]),
    "plot_allocation_per_component": ([{1: FIRST, 2: SECOND}, 4], {}, [(range(N), FIRST / 4), (range(N), SECOND / 4)]),
    "plot_budget": ([FIRST, "C0", [(N, "the oldest"), (1, "the last")]], {}, []),
    "plot_frequencies": ([FIRST / 2, {1: SECOND}], {"spectrum": FIRST}, [(FIRST / 2, SECOND)]),
    "plot_on_log_lags": ([{1: FIRST, 2: SECOND}], {}, [(BACK, FIRST), (BACK, SECOND)]),
    "plot_strips": ([LAYERS], {"labels": ["a", "b"]}, []),
    "plot_totals": (
        [CHANNELS, 3 * CHANNELS, 2 * CHANNELS, 64],
        {},
        [(CHANNELS, 3 * CHANNELS), (CHANNELS, 2 * CHANNELS)],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(allocation, CASES)


def test_directions_have_an_axis_of_their_own(ax):
    plot_allocation(ax, {1: FIRST}, kind="component")
    assert ax.get_xlabel() == "eigenvector (by variance)"


def test_an_unknown_kind_is_refused(ax):
    with pytest.raises(ValueError, match=r"kind: expected one of \['lag', 'component'\], got 'time'"):
        plot_allocation(ax, {1: FIRST}, kind="time")


@pytest.mark.parametrize(
    "plot", [plot_allocation, plot_on_log_lags, lambda ax, shown: plot_allocation_per_component(ax, shown, 1)]
)
@pytest.mark.parametrize("shown", [{}, {1: FIRST, 2: FIRST[1:]}])
def test_allocations_of_different_lengths_are_refused(ax, plot, shown):
    with pytest.raises(ValueError, match="allocations: expected arrays of one length"):
        plot(ax, shown)


def test_the_right_axis_shows_the_undivided_capacity(ax):
    plot_allocation_per_component(ax, {1: FIRST}, 4)
    (right,) = ax.child_axes
    ax.figure.canvas.draw()
    assert np.allclose(right.get_ylim(), 4 * np.array(ax.get_ylim()))


def test_a_strip_is_filled_by_the_capacity_of_each_input_above_its_own_bottom(ax):
    for patch, values, bottom in zip(plot_strips(ax, {1: FIRST, 2: SECOND}), (FIRST, SECOND), (0.0, 1.2)):
        heights, _, baseline = patch.get_data()
        assert_allclose(heights - baseline, values)
        assert baseline == bottom
