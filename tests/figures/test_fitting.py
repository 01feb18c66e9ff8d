"""Plots of fits."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity.figures import fitting, plot_losses

CHANNELS, LOSSES = np.array([1, 2, 4]), np.array([0.3, 0.02, 0.001])

CASES = {
    "plot_losses": ([CHANNELS, LOSSES], {}, [(CHANNELS, LOSSES)]),
    "plot_losses_against_size": (
        [3 * CHANNELS, 2 * CHANNELS, LOSSES],
        {},
        [(3 * CHANNELS, LOSSES), (2 * CHANNELS, LOSSES)],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(fitting, CASES)


@pytest.mark.parametrize(("powers", "labels"), [(4, ["1", "2", "4", "8"]), (9, ["1", "4", "16", "64", "256"])])
def test_few_numbers_of_channels_are_all_labelled_and_many_in_turn(ax, powers, labels):
    channels = 2 ** np.arange(powers)
    plot_losses(ax, channels, 1 / channels)
    assert [label.get_text() for label in ax.get_xticklabels()] == labels


def test_the_axes_make_room_for_a_fully_connected_model_far_below(ax):
    plot_losses(ax, CHANNELS, LOSSES, reference=1e-30)
    assert ax.get_ylim()[0] < 1e-30
