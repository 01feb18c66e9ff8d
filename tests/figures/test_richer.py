"""Plots of the second half of paper 1, of its feature maps, and of scaling laws."""

import numpy as np
import pytest
from drawings import check, plots

from capacity.figures import features, richer, scaling

N = 8
LAGS, BACK = np.arange(1, N + 1), np.arange(N, 0, -1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
STYLES = features.process_styles(["a", "b"])
PAIR = {"a": FIRST, "b": SECOND}
CHANNELS = np.array([1.0, 2, 4, 8, 16, 32, 64, 128])

CASES = {
    richer: {
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
    },
    features: {
        "plot_autocovariances": ([PAIR, STYLES], {}, [(LAGS[:-1], FIRST[1:]), (LAGS[:-1], SECOND[1:])], "xy"),
        "plot_feature_stack": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, [], "xy"),
        "plot_fixed_weights": ([FIRST, SECOND, (0, 1)], {}, [(FIRST, SECOND)], "xy"),
        "plot_moments": (
            [(FIRST, SECOND), PAIR, {"a": SECOND, "b": FIRST}],
            {"ylabel": "moment"},
            [(FIRST, FIRST), (SECOND, FIRST)],
            "xy",
        ),
        "plot_recovery": (
            [PAIR, {"a": True, "b": False}],
            {"threshold": 0.5},
            [(FIRST, 0.25 * np.linspace(-1, 1, N))],
            "",
        ),
    },
    scaling: {
        "plot_capacity_growth": ([CHANNELS, {3: FIRST, 4: SECOND}], {}, [(CHANNELS, FIRST), (CHANNELS, SECOND)], "xy"),
        "plot_loss_laws": (
            [{"power law": (LAGS, FIRST)}, {"power law": (LAGS, SECOND)}],
            {"xlabel": "x"},
            [(LAGS, FIRST), (LAGS, SECOND)],
            "xy",
        ),
        "plot_slopes": (
            [CHANNELS, {k: FIRST[1:] * k for k in (1, 2, 3)}],
            {},
            [(np.sqrt(2) * CHANNELS[:-1], 3 * FIRST[1:])],
            "xy",
        ),
        "plot_times": (
            [CHANNELS, {"a": FIRST, "b": SECOND}],
            {"xlabel": "size"},
            [(CHANNELS, FIRST), (CHANNELS, SECOND)],
            "xy",
        ),
    },
}
ALL = [(module, name) for module, cases in CASES.items() for name in cases]


@pytest.mark.parametrize("module", CASES)
def test_each_plot_has_a_case(module):
    assert CASES[module].keys() == plots(module)


@pytest.mark.parametrize(("module", "name"), ALL, ids=[name for _, name in ALL])
def test_the_data_are_drawn_and_the_axes_labelled(ax, module, name):
    arguments, options, curves, labels = CASES[module][name]
    check(ax, getattr(module, name)(ax, *arguments, **options), curves, labels)


@pytest.mark.parametrize(
    "plot", [richer.plot_on_log_lags, lambda ax, shown: richer.plot_allocation_per_component(ax, shown, 1)]
)
def test_allocations_of_different_lengths_are_refused(ax, plot):
    with pytest.raises(ValueError, match="allocations: expected arrays of one length"):
        plot(ax, {1: FIRST, 2: FIRST[1:]})


def test_a_stack_of_features_ends_at_the_sum(ax):
    areas = features.plot_feature_stack(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()


def test_the_right_axis_shows_the_undivided_capacity(ax):
    richer.plot_allocation_per_component(ax, {1: FIRST}, 4)
    (right,) = ax.child_axes
    ax.figure.canvas.draw()
    assert np.allclose(right.get_ylim(), 4 * np.array(ax.get_ylim()))
