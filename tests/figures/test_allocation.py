"""Plots of allocations, spectra and losses."""

import numpy as np
import pytest
from drawings import drawn_cases
from numpy.testing import assert_allclose

from capacity import constraint_space
from capacity.figures import allocation, plot_allocation, plot_frequencies, plot_losses, plot_on_log_lags, plot_strips

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
BACK = np.arange(N, 0, -1)
LAYERS = {"layer 2": FIRST, "layer 1": SECOND}
SPACE = constraint_space(np.eye(3), [[1.0, 0], [0, 0.5], [0, 0]])
CHANNELS, LOSSES = np.array([1, 2, 4]), np.array([0.3, 0.02, 0.001])

CASES = {
    "plot_losses": ([CHANNELS, LOSSES], {"spread": np.outer(LOSSES, [0.5, 2])}, [(CHANNELS, LOSSES)]),
    "plot_losses_against_size": (
        [3 * CHANNELS, 2 * CHANNELS, LOSSES],
        {},
        [(3 * CHANNELS, LOSSES), (2 * CHANNELS, LOSSES)],
    ),
    "plot_spectra": ([{2: SPACE}], {}, [([1, 2], [1, 0.25]), ([0, 1], SPACE.basis.threshold**2)]),
    "plot_allocation": ([{1: FIRST, "other": SECOND}], {}, [(range(N), FIRST), (range(N), SECOND)]),
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


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases({allocation: CASES})


@pytest.mark.parametrize("plot", [plot_allocation, plot_on_log_lags])
@pytest.mark.parametrize("shown", [{}, {1: FIRST, 2: FIRST[1:]}])
def test_allocations_of_different_lengths_are_refused(ax, plot, shown):
    with pytest.raises(ValueError, match="allocations: expected arrays of one length"):
        plot(ax, shown)


def test_a_strip_is_filled_by_the_capacity_of_each_input_above_its_own_bottom(ax):
    for patch, values, bottom in zip(plot_strips(ax, {1: FIRST, 2: SECOND}), (FIRST, SECOND), (0.0, 1.2)):
        heights, _, baseline = patch.get_data()
        assert_allclose(heights - baseline, values)
        assert baseline == bottom


def test_a_spectrum_is_drawn_over_its_largest_value(ax):
    area, _ = plot_frequencies(ax, FIRST / 2, {1: SECOND}, spectrum=3 * FIRST)
    assert area.get_paths()[0].vertices[:, 1].max() == 1


def test_a_note_points_at_the_input_of_its_lag(ax):
    _, *notes = allocation.plot_budget(ax, FIRST, "C0", [(N, "the oldest"), (1, "the last")])
    assert_allclose([note.xy for note in notes], [(0, 0.12), (N - 1, 1)])


def test_the_axes_make_room_for_a_fully_connected_model_far_below(ax):
    plot_losses(ax, CHANNELS, LOSSES, reference=1e-30)
    assert ax.get_ylim()[0] < 1e-30
