"""Plots of paper 1."""

import numpy as np
import pytest
from drawings import check, plots

from capacity import constraint_space
from capacity.figures import linear

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2
LAYERS = {"layer 2": FIRST, "layer 1": SECOND}
CHANNELS, LOSSES = np.array([1, 2, 4]), np.array([0.3, 0.02, 0.001])
SPACE = constraint_space(np.eye(3), [[1.0, 0], [0, 0.5], [0, 0]])
RUNS = np.random.default_rng(0).dirichlet(np.ones(N), 5)

CASES = {
    "plot_allocation": ([{1: FIRST, "other": SECOND}], [(range(N), FIRST), (range(N), SECOND)]),
    "plot_bound_and_errors": (
        [RUNS, RUNS[::-1] / 2],
        [(range(N), RUNS.mean(axis=0)), (range(N), RUNS[::-1].mean(axis=0) / 2)],
    ),
    "plot_error_plane": (
        [np.column_stack([FIRST, SECOND]), FIRST[:2], np.array([0, 1.0]), np.eye(2)],
        [(FIRST, SECOND), (FIRST[:1], FIRST[1:2])],
    ),
    "plot_free_and_constrained": ([FIRST], []),
    "plot_layer_curves": ([LAYERS], [(range(N), FIRST), (range(N), SECOND)]),
    "plot_layer_stack": ([LAYERS], []),
    "plot_layer_totals": ([LAYERS], []),
    "plot_losses": ([CHANNELS, LOSSES], [(CHANNELS, LOSSES)]),
    "plot_losses_against_size": (
        [3 * CHANNELS, 2 * CHANNELS, LOSSES],
        [(3 * CHANNELS, LOSSES), (2 * CHANNELS, LOSSES)],
    ),
    "plot_spectra": ([{2: SPACE}], [([1, 2], [1, 0.25])]),
    "plot_synthetic": (
        [{name: FIRST * k for k, name in enumerate("abcde", 1)}],
        [(range(1, N + 1), FIRST * k) for k in range(1, 6)],
    ),
    "plot_totals": ([CHANNELS, 3 * CHANNELS, 2 * CHANNELS, 64], [(CHANNELS, 3 * CHANNELS), (CHANNELS, 2 * CHANNELS)]),
}


def test_each_plot_has_a_case():
    assert CASES.keys() == plots(linear)


@pytest.mark.parametrize("name", CASES)
def test_the_data_are_drawn_and_the_axes_labelled(ax, name):
    arguments, curves = CASES[name]
    check(ax, getattr(linear, name)(ax, *arguments), curves)


def test_bars_are_as_high_as_the_totals_and_labels_stay_above_the_axis(ax):
    bars = linear.plot_layer_totals(ax, {"layer 1": np.array([1.5, 2.5]), "layer 2": np.array([-1e-15])})
    assert [bar.get_height() for bar in bars] == [4.0, -1e-15]
    assert [(text.get_text(), text.xy[1] >= 0) for text in ax.texts] == [("4", True), ("0", True)]


def test_a_stack_ends_at_the_sum(ax):
    areas = linear.plot_layer_stack(ax, LAYERS)
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()


def test_constrained_and_free_parts_make_one(ax):
    heights = [bar.get_height() for bar in linear.plot_free_and_constrained(ax, FIRST)]
    assert heights == [*FIRST, *(1 - FIRST)]


def test_directions_have_an_axis_of_their_own(ax):
    linear.plot_allocation(ax, {1: FIRST}, kind="component")
    assert ax.get_xlabel() == "eigenvector (by variance)"


@pytest.mark.parametrize("arguments", [({},), ({1: FIRST, 2: FIRST[1:]},)])
def test_allocations_of_different_lengths_are_refused(ax, arguments):
    with pytest.raises(ValueError, match="allocations: expected arrays of one length"):
        linear.plot_allocation(ax, *arguments)


def test_an_unknown_kind_is_refused(ax):
    with pytest.raises(ValueError, match=r"kind: expected one of \['lag', 'component'\], got 'time'"):
        linear.plot_allocation(ax, {1: FIRST}, kind="time")


@pytest.mark.parametrize(("powers", "labels"), [(4, ["1", "2", "4", "8"]), (9, ["1", "4", "16", "64", "256"])])
def test_few_numbers_of_channels_are_all_labelled_and_many_in_turn(ax, powers, labels):
    channels = 2 ** np.arange(powers)
    linear.plot_losses(ax, channels, 1 / channels)
    assert [label.get_text() for label in ax.get_xticklabels()] == labels
