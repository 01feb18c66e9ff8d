"""Strokes of the figures of layers/2-1-augmented."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_2_1_augmented
from capacity_studies.figures.layers.section_2_1_augmented import plot_copies, plot_layer

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
Y, Z, ERROR = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.3, 0.2]), np.array([0.05, 0.04, 0.03])

CASES = {
    "plot_copies": ([np.outer(Y, Z)], {}, []),
    "plot_augmented_layer": ([P], {}, [], ""),
    "plot_layer": ([P], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_2_1_augmented, CASES)


def test_a_layer_has_one_edge_per_weight_and_negative_ones_are_dashed(ax):
    plot_layer(ax, P)
    edges = ax.get_lines()
    assert len(edges) == P.size + P.shape[1]
    assert sum(edge.get_linestyle() == "--" for edge in edges) == 1


def test_copies_are_drawn_with_their_sums(ax):
    copies = np.array([[0.25, 0.5], [0.1, 0.0]])
    image, *texts = plot_copies(ax, copies)
    assert np.array_equal(image.get_array(), copies)
    assert [text.get_text() for text in texts] == ["0.25", "0.50", "0.10", "0.00", "0.75", "0.10", "sum"]
