"""Plots of the bridge between capacity and information geometry."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.plots import bridge, plot_layer_ranks, plot_rank_and_dimension, plot_shared_matrix, plot_shares

SHARES = np.array([0.1, 0.4, 0.2])
SLOPES = np.array([0.5, 1.0, 1.5])

CASES = {
    "plot_dimensions_by_layer": (
        [{"a": (SHARES, [SHARES - 0.1, SHARES + 0.1]), "b": (2 * SHARES, [SHARES, 3 * SHARES])}],
        {"ylabel": "dimension"},
        [([1, 2, 3], SHARES), ([1, 2, 3], 2 * SHARES)],
    ),
    "plot_layer_ranks": ([{"up": [6, 4], "down": [5, 5]}, 10], {}, [([10, 10], [0, 1])], "x"),
    "plot_pieces_and_rank": (
        [[0, 10, 100], np.outer(SHARES, [2, 4]), np.outer(SHARES, [1, 3])],
        {},
        [([0, 10, 100], SHARES), ([0, 10, 100], 3 * SHARES), ([0, 10, 100], 3 * SHARES), ([0, 10, 100], 2 * SHARES)],
        "x",  # the other axis has names
    ),
    "plot_rank_and_dimension": (
        [SLOPES, np.array([6, 2, 6]), {0.1: SHARES}, {0.1: 2 * SHARES}],
        {},
        [([0.5, 1.5], [6, 6]), ([1.0], [2]), (SLOPES, SHARES), (SLOPES, 2 * SHARES)],
    ),
    "plot_shared_matrix": ([np.outer(SHARES, SLOPES)], {}, []),
    "plot_shares": ([SHARES, 2 * SHARES], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(bridge, CASES)


def test_the_matrix_has_a_row_per_input_and_white_at_zero(ax):
    (image,) = plot_shared_matrix(ax, np.outer(SHARES, SLOPES), limit=2.0)
    assert np.array_equal(image.get_array(), np.outer(SHARES, SLOPES))
    assert image.get_clim() == (-2.0, 2.0)
    assert ax.get_ylim() == (3.5, 0.5)


def test_bars_stand_in_front_of_their_outlines_in_either_direction(ax):
    bars = plot_shares(ax, SHARES, 2 * SHARES)
    assert [bar.get_height() for bar in bars] == [*SHARES, *(2 * SHARES)]
    bars = plot_shares(ax, SHARES, 2 * SHARES, horizontal=True)
    assert [bar.get_width() for bar in bars] == [*SHARES, *(2 * SHARES)]
    assert ax.get_ylim() == (3.5, 0.5)


def test_layers_are_stacked_from_the_first_on_and_labelled(ax):
    bars = plot_layer_ranks(ax, {"up": [6, 4], "down": [5, 5]}, 10)[:-2]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [(0, 6), (0, 5), (6, 4), (5, 5)]
    assert [text.get_text() for text in ax.texts] == ["6", "5", "4", "5", "together "]


def test_the_point_at_which_the_rank_drops_is_named(ax):
    plot_rank_and_dimension(ax, SLOPES, np.array([6, 2, 6]), {0.1: SHARES}, {0.1: SHARES})
    assert "rank 2 at 1" in [text.get_text() for text in ax.texts]
