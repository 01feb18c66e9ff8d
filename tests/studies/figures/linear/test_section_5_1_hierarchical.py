"""Strokes of the figures of linear/5-1-hierarchical."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity import DilatedConvolution
from capacity.figures import COLORS
from capacity_studies.figures.linear import section_5_1_hierarchical
from capacity_studies.figures.linear.section_5_1_hierarchical import (
    plot_architecture,
    plot_layer_stack,
    plot_layer_totals,
)

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
LAYERS = {"layer 2": FIRST, "layer 1": SECOND}
RUNS = np.random.default_rng(0).dirichlet(np.ones(N), 5)

CASES = {
    "plot_architecture": ([DilatedConvolution.hierarchical(2, 1)], {}, [], ""),
    "plot_bound_and_errors": (
        [RUNS, RUNS[::-1] / 2],
        {},
        [(range(N), RUNS.mean(axis=0)), (range(N), RUNS[::-1].mean(axis=0) / 2)],
    ),
    "plot_layer_stack": ([LAYERS], {}, []),
    "plot_layer_totals": ([LAYERS], {}, []),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_5_1_hierarchical, CASES)


def test_bars_are_as_high_as_the_totals_and_labels_stay_above_the_axis(ax):
    bars = plot_layer_totals(ax, {"layer 1": np.array([1.5, 2.5]), "layer 2": np.array([-1e-15])})
    assert [bar.get_height() for bar in bars] == [4.0, -1e-15]
    assert [(text.get_text(), text.xy[1] >= 0) for text in ax.texts] == [("4", True), ("0", True)]


def test_a_stack_ends_at_the_sum(ax):
    areas = plot_layer_stack(ax, LAYERS)
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()
    lowest = areas[0].get_paths()[0].vertices[:, 1]
    assert lowest.max() == FIRST.max()
    assert lowest[lowest > 0].min() == FIRST.min()


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
