"""Diagrams of architectures and layers."""

import numpy as np
import pytest
from drawings import check, plots

from capacity import DilatedConvolution
from capacity.figures import COLORS, diagrams, plot_architecture, plot_layer

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
CASES = {
    "plot_architecture": [DilatedConvolution.hierarchical(2, 1)],
    "plot_augmented_layer": [P],
    "plot_layer": [P],
    "plot_recurrence": [3],
}


def test_each_diagram_has_a_case():
    assert CASES.keys() == plots(diagrams)


@pytest.mark.parametrize("name", CASES)
def test_diagrams_have_neither_frame_nor_grid(ax, name):
    check(ax, getattr(diagrams, name)(ax, *CASES[name]), [], labels="")
    assert not any(spine.get_visible() for spine in ax.spines.values())
    assert all(label.get_text() for label in ax.get_xticklabels())


def test_a_layer_has_one_edge_per_weight_and_negative_ones_are_dashed(ax):
    plot_layer(ax, P)
    edges = ax.get_lines()
    assert len(edges) == P.size + P.shape[1]
    assert sum(edge.get_linestyle() == "--" for edge in edges) == 1


def test_an_architecture_shows_the_paths_to_the_last_output(ax):
    plot_architecture(ax, DilatedConvolution.hierarchical(2, 1))
    dark = [line for line in ax.get_lines() if line.get_color() == COLORS["reference"] and line.get_marker() == "None"]
    assert {tuple(map(tuple, line.get_xydata())) for line in dark} == {
        ((1, 1), (3, 2)), ((3, 1), (3, 2)), ((0, 0), (1, 1)), ((1, 0), (1, 1)), ((2, 0), (3, 1)), ((3, 0), (3, 1))
    }  # fmt: skip
