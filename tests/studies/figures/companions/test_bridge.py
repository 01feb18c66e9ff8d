"""Strokes of the figures of companions/bridge."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.companions import bridge
from capacity_studies.figures.companions.bridge import plot_layer_ranks, plot_rank_and_dimension

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
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(bridge, CASES)


def test_layers_are_stacked_from_the_first_on_and_labelled(ax):
    bars = plot_layer_ranks(ax, {"up": [6, 4], "down": [5, 5]}, 10)[:-2]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [(0, 6), (0, 5), (6, 4), (5, 5)]
    assert [text.get_text() for text in ax.texts] == ["6", "5", "4", "5", "together "]


def test_the_point_at_which_the_rank_drops_is_named(ax):
    plot_rank_and_dimension(ax, SLOPES, np.array([6, 2, 6]), {0.1: SHARES}, {0.1: SHARES})
    assert "rank 2 at 1" in [text.get_text() for text in ax.texts]
