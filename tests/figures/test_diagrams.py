"""Diagrams of architectures and layers."""

import numpy as np
import pytest
from drawings import check, plots

from capacity import DilatedConvolution
from capacity.figures import (
    COLORS,
    diagrams,
    plot_architecture,
    plot_dilations,
    plot_handed_down,
    plot_layer,
    plot_recurrence,
)

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
CASES = {
    "plot_architecture": [DilatedConvolution.hierarchical(2, 1)],
    "plot_augmented_layer": [P],
    "plot_dilations": [DilatedConvolution([1, 2, 1, 2], 1)],
    "plot_handed_down": [P**2, np.array([0.6, 0.4])],
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


def test_what_is_handed_down_is_as_wide_as_the_capacity_along_it_and_arrives(ax):
    plot_handed_down(ax, P**2, np.array([0.6, 0.4]))
    widths = [line.get_linewidth() for line in ax.get_lines()]
    assert np.allclose(np.divide(widths, widths[0]), np.array([0.15, 0.1, 0.294, 0.004, 0.256]) / 0.15)
    assert [text.get_text().split()[-1] for text in ax.texts[-3:]] == ["0.25", "0.30", "0.26"]


def test_a_layer_has_one_edge_per_weight_and_negative_ones_are_dashed(ax):
    plot_layer(ax, P)
    edges = ax.get_lines()
    assert len(edges) == P.size + P.shape[1]
    assert sum(edge.get_linestyle() == "--" for edge in edges) == 1


def test_bars_are_as_wide_as_the_dilations_and_equal_ones_have_one_colour(ax):
    bars = plot_dilations(ax, DilatedConvolution([1, 4, 1], 2))[:3]
    assert [bar.get_width() for bar in bars] == [1, 4, 1]
    assert bars[0].get_y() < bars[1].get_y()
    assert bars[0].get_facecolor() == bars[2].get_facecolor() != bars[1].get_facecolor()
    assert [text.get_text().strip() for text in ax.texts] == ["1", "4", "1"]


def test_an_architecture_shows_the_paths_to_the_last_output(ax):
    plot_architecture(ax, DilatedConvolution.hierarchical(2, 1))
    dark = [line for line in ax.get_lines() if line.get_color() == COLORS["reference"] and line.get_marker() == "None"]
    assert {tuple(map(tuple, line.get_xydata())) for line in dark} == {
        ((1, 1), (3, 2)), ((3, 1), (3, 2)), ((0, 0), (1, 1)), ((1, 0), (1, 1)), ((2, 0), (3, 1)), ((3, 0), (3, 1))
    }  # fmt: skip


@pytest.mark.parametrize("back", range(8))
def test_the_path_of_an_input_leads_from_it_to_the_output_in_steps_that_are_written(ax, back):
    plot_architecture(ax, DilatedConvolution.hierarchical(3), back=back)
    edges = [line.get_xydata() for line in ax.get_lines() if line.get_linewidth() == 3]
    assert sorted(tuple(point) for edge in edges for point in edge)[0] == (7 - back, 0)
    assert [tuple(edge[0]) for edge in edges[:-1]] == [tuple(edge[1]) for edge in edges[1:]]
    assert [int(text.get_text()) for text in ax.texts[:3]] == [back & 4, back & 2, back & 1]


def test_an_input_of_a_recurrence_takes_one_step_up_one_per_later_input_and_one_out(ax):
    plot_recurrence(ax, 6, back=3)
    arrows = [text.arrow_patch for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert sum(arrow.get_linewidth() == 3 for arrow in arrows) == 1 + 3 + 1
