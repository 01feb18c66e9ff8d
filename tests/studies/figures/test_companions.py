"""Strokes of the figures of chapters/companions."""

import numpy as np
import pytest
from drawings import drawn_cases
from matplotlib import pyplot as plt

from capacity.activations import relu
from capacity.networks import Layer
from capacity_studies.expressivity import random_layers, regions_in_plane
from capacity_studies.figures.companions import (
    bridge,
    expressivity_measures,
    expressivity_remaining_depth,
    expressivity_training,
    geometry_fisher,
    geometry_generalization,
    geometry_relu,
)
from capacity_studies.figures.companions.bridge import plot_layer_ranks
from capacity_studies.figures.companions.expressivity_measures import plot_boundaries
from capacity_studies.figures.companions.expressivity_training import (
    plot_activities_along,
    plot_lengths_in_training,
    plot_training,
)
from capacity_studies.figures.companions.geometry_fisher import plot_invariance, plot_norms_against, to_triangle
from capacity_studies.figures.companions.geometry_generalization import plot_valley
from capacity_studies.figures.companions.geometry_relu import plot_linear_regions, plot_slice

SHARES = np.array([0.1, 0.4, 0.2])
SLOPES = np.array([0.5, 1.0, 1.5])
X = np.array([1.0, 2, 4, 8])
Y = np.array([0.8, 0.4, 0.2, 0.1])
Z = np.array([0.9, 0.5, 0.3, 0.2])
BATCH = random_layers(2, 4, 2, relu(), sigma_w=2.0, sigma_b=0.5, rng=0)
REGIONS = regions_in_plane([Layer(a.weights[0], a.bias if a.bias is None else a.bias[0], a.activation) for a in BATCH])
LENGTHS = np.array([[1.0, 2, 4], [1, 2, 3], [1, 1.5, 2]])
STEPS = [0, 10, 100]
ACCURACIES = {"train": np.array([0.1, 0.5, 0.9]), "test": np.array([0.1, 0.4, 0.7])}
INTERVALS = {name: np.stack([values - 0.05, values + 0.05]) for name, values in ACCURACIES.items()}
CURVE = np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 4.0]])
CORNERS = np.eye(3)
PATHS = {"natural gradient": CORNERS[:2], "gradient": np.array([[1, 0, 0], [0, 0, 1], [0, 1.0, 0]])}
PAIR = (X, np.stack([0.9 * X, 1.1 * X]))
LOSSES = np.array([[0.0, 1.0, 3.0], [0.1, 0.0, 2.0], [4.0, 0.3, 0.0]])
L_SHAPE = [Layer(np.eye(2)), Layer([[-1.0, -1.0]], [1.0], relu()), Layer([[1.0]], activation=relu())]
REGIONS_GEOMETRY_RELU = regions_in_plane(L_SHAPE, 2.0)

CASES = {
    bridge: {
        "plot_dimensions_by_layer": (
            [{"a": (SHARES, [SHARES - 0.1, SHARES + 0.1]), "b": (2 * SHARES, [SHARES, 3 * SHARES])}],
            {"ylabel": "dimension"},
            [([1, 2, 3], SHARES), ([1, 2, 3], 2 * SHARES)],
        ),
        "plot_layer_ranks": ([{"up": [6, 4], "down": [5, 5]}, 10], {}, [([10, 10], [0, 1])], "x"),
        "plot_pieces_and_rank": (
            [[0, 10, 100], np.outer(SHARES, [2, 4]), np.outer(SHARES, [1, 3])],
            {},
            [
                ([0, 10, 100], SHARES),
                ([0, 10, 100], 3 * SHARES),
                ([0, 10, 100], 3 * SHARES),
                ([0, 10, 100], 2 * SHARES),
            ],
            "x",  # the other axis has names
        ),
        "plot_rank_and_dimension": (
            [SLOPES, np.array([6, 2, 6]), {0.1: SHARES}, {0.1: 2 * SHARES}],
            {},
            [([0.5, 1.5], [6, 6]), ([1.0], [2]), (SLOPES, SHARES), (SLOPES, 2 * SHARES)],
        ),
    },
    expressivity_measures: {
        "plot_boundaries": ([REGIONS], {"shaded": [REGIONS.polygon(0)]}, []),
        "plot_counts_against_length": (
            [{"a": X, "b": Y}, {"a": Y, "b": Z}, {"a": Z}],
            {"ylabel": "changes"},
            [(X, Y), (Y, Z), (X, Z)],
        ),
        "plot_growth_rates": (
            [X, (Y, Y / 10), {"a": Z, "b": X}],
            {"label": "units"},
            [(X, Y), (X, Z), (X, X)],
            "xy",
            [(0.8 * Y, 1.2 * Y)],
        ),
        "plot_lengths": ([{"a": Y, "b": Z}], {}, [(np.arange(4), Y), (np.arange(4), Z)]),
        "plot_projected_curve": ([np.stack([X, Y], axis=1)], {}, [([*X, 1], [*Y, 0.8]), ([1], [0.8])], ""),
        "plot_rates": ([X, {"a": (Y, Y / 10)}, 0.7], {}, [(X, Y), ([0, 1], 0.7)], "xy", [(0.8 * Y, 1.2 * Y)]),
    },
    expressivity_remaining_depth: {
        "plot_influences": (
            [[3.0, 16.0], LENGTHS[:2], 2 * LENGTHS[:2]],
            {},
            [([1, 2, 3], row) for row in LENGTHS[:2]],
        ),
        "plot_stack": ([["layer 1", "layer 2", "readout"], 1], {}, [], ""),
    },
    expressivity_training: {
        "plot_activities_along": ([CURVE], {"ends": ("3", "8")}, []),
        "plot_lengths_in_training": ([LENGTHS, STEPS], {}, [([0, 1, 2], row) for row in LENGTHS]),
    },
    geometry_fisher: {
        "plot_metric_ratios": ([X, {"into 2": X, "into 4": X**2}], {}, [(X, X), (X, X**2)]),
        "plot_simplex_paths": (
            [CORNERS[None], PATHS, CORNERS[:2]],
            {},
            [to_triangle(path).T for path in PATHS.values()],
            "",
        ),
    },
    geometry_generalization: {
        "plot_reparametrised": ([X, Y, (X[1:2], Y[1:2])], {}, [(X, Y), (X[1:2], Y[1:2])]),
        "plot_rises": ([X, {"loss": Y}], {}, [(X, Y)]),
        "plot_slices": ([X, Y, 2 * Y], {}, [(X, Y), (X, 2 * Y)]),
        "plot_valley": ([np.arange(3.0), np.arange(3.0), LOSSES, (1.0, 1.5)], {}, [([1.0], [1.5])]),
    },
    geometry_relu: {
        "plot_linear_regions": ([REGIONS_GEOMETRY_RELU, REGIONS_GEOMETRY_RELU.linear_components()], {}, []),
        "plot_slice": ([REGIONS_GEOMETRY_RELU, [[0.0, 1.0]], ["7"]], {}, [], ""),
        "plot_tangent_changes": ([X, {"a": Y, "b": Z}, {"c": X}], {}, [(X, Y), (X, Z), (X, X)]),
    },
}

test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(
    CASES, {"plot_training", "plot_invariance", "plot_norms_against"}
)  # below


def test_layers_are_stacked_from_the_first_on_and_labelled(ax):
    bars = plot_layer_ranks(ax, {"up": [6, 4], "down": [5, 5]}, 10)[:-2]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [(0, 6), (0, 5), (6, 4), (5, 5)]
    assert [text.get_text() for text in ax.texts] == ["6", "5", "4", "5", "together "]


def test_boundaries_of_each_layer_are_drawn_up_to_the_one_asked_for(ax):
    (first,) = plot_boundaries(ax, REGIONS, layers=1)
    assert len(first.get_segments()) == np.sum(REGIONS.edge_layers == 1)
    filled, below, newest = plot_boundaries(ax, REGIONS, shaded=[REGIONS.polygon(0)])
    assert np.array_equal(below.get_segments(), first.get_segments())
    assert np.array_equal(newest.get_segments(), REGIONS.vertices[REGIONS.edges[REGIONS.edge_layers == 2]])
    assert np.array_equal(filled.get_paths()[0].vertices[:-1], REGIONS.polygon(0))


def test_bands_lie_about_the_first_and_the_last_time(ax):
    plot_lengths_in_training(ax, LENGTHS, STEPS, np.stack([0.9 * LENGTHS, 1.1 * LENGTHS]))
    heights = [np.ptp(band.get_paths()[0].vertices[:, 1]) for band in ax.collections]
    assert np.allclose(heights, [1.1 * 4 - 0.9, 1.1 * 2 - 0.9])


def test_units_are_rows_and_the_ends_of_the_curve_are_named(ax):
    (image,) = plot_activities_along(ax, CURVE, ends=("3", "8"))
    assert np.array_equal(image.get_array(), CURVE.T)
    assert image.get_clim() == (-1, 1)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3", "8"]


def test_lengths_and_accuracies_stand_side_by_side_on_one_scale(ax):
    axes = list(ax.figure.subplots(1, 3))
    ends = np.stack([0.9 * LENGTHS, 1.1 * LENGTHS])
    scores = {name: (ACCURACIES[name], INTERVALS[name]) for name in ACCURACIES}
    lines = plot_training(axes, STEPS, {"data": (LENGTHS, ends), "random": (2 * LENGTHS, 2 * ends)}, scores, chance=0.1)
    assert [line.axes for line in lines] == [axes[0]] * 3
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert np.array_equal(axes[1].get_lines()[2].get_ydata(), 2 * LENGTHS[2])
    assert np.array_equal(axes[2].get_lines()[1].get_ydata(), ACCURACIES["test"])
    titles = [panel.get_title(loc="left") or panel.get_title() for panel in axes]
    assert titles == ["data points", "random points", "accuracy"]


@pytest.fixture
def three(ax):
    """Three axes in a figure."""
    plt.close("all")
    yield list(plt.subplots(1, 3)[1])
    plt.close("all")


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


def test_bars_cross_at_the_point_of_the_valley(ax):
    plot_valley(ax, np.arange(5.0), np.arange(5.0), np.zeros((5, 5)) + 1, (2.0, 1.0))
    across, along, _ = ax.get_lines()
    assert np.ptp(across.get_ydata()) == 0 == np.ptp(along.get_xdata())
    assert (across.get_ydata()[0], along.get_xdata()[0]) == (1.0, 2.0)


def test_borders_of_each_layer_and_points_are_drawn(ax):
    first, second, text = plot_slice(ax, REGIONS_GEOMETRY_RELU, [[0.0, 1.0]], ["7"])
    assert len(first.get_segments()) == np.sum(REGIONS_GEOMETRY_RELU.edge_layers == 1)
    assert len(second.get_segments()) == np.sum(REGIONS_GEOMETRY_RELU.edge_layers == 2)
    assert (text.get_text(), text.get_position()) == ("7", (0.0, 1.0))


def test_borders_within_a_linear_region_are_dotted(ax):
    filled, between, within = plot_linear_regions(ax, REGIONS_GEOMETRY_RELU, REGIONS_GEOMETRY_RELU.linear_components())
    assert len(filled.get_paths()) == REGIONS_GEOMETRY_RELU.n_regions == 7
    ends = {tuple(np.sort(np.round(part, 9), axis=0).ravel()) for part in within.get_segments()}
    assert ends == {(0, 1, 0, 2), (1, 0, 2, 0)}  # the two inner borders of the L
    assert len(between.get_segments()) + len(ends) == np.sum(REGIONS_GEOMETRY_RELU.edge_units >= 0)


def test_the_outcomes_are_the_corners_of_an_equilateral_triangle():
    a, b, c = to_triangle(CORNERS)
    np.testing.assert_allclose([np.linalg.norm(a - b), np.linalg.norm(b - c), np.linalg.norm(c - a)], 1)
    np.testing.assert_allclose(to_triangle(np.ones(3) / 3), (a + b + c) / 3)
