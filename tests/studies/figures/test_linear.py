"""Strokes of the figures of chapters/linear."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity import DilatedConvolution, constraint_space
from capacity.figures import COLORS
from capacity_studies.figures.linear import (
    appendix_a,
    appendix_b,
    appendix_c,
    appendix_d,
    fourier,
    section_2_intuitions,
    section_3_capacity,
    section_4_linear_models,
    section_5_1_hierarchical,
    section_5_2_recurrent,
    section_6_1_multidimensional,
    section_6_2_feature_maps,
    sensitivity,
)
from capacity_studies.figures.linear.appendix_c import plot_dilations
from capacity_studies.figures.linear.section_3_capacity import plot_chain, plot_free_and_constrained, plot_projection
from capacity_studies.figures.linear.section_4_linear_models import plot_error_plane
from capacity_studies.figures.linear.section_5_1_hierarchical import (
    plot_architecture,
    plot_layer_stack,
    plot_layer_totals,
)
from capacity_studies.figures.linear.section_6_1_multidimensional import plot_allocation_per_component, plot_boxes
from capacity_studies.figures.linear.section_6_2_feature_maps import plot_feature_boxes, plot_feature_stack
from capacity_studies.figures.linear.sensitivity import process_styles

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
LAGS = np.arange(1, N + 1)
PAIR = {"a": FIRST, "b": SECOND}
LAYERS = {"layer 2": FIRST, "layer 1": SECOND}
RUNS = np.random.default_rng(0).dirichlet(np.ones(N), 5)
STYLES = process_styles(["a", "b"])

CASES = {
    appendix_a: {
        "plot_counted_twice": (
            [45 * np.arange(N), 1 + FIRST, FIRST],
            {},
            [(45 * np.arange(N), FIRST), (45 * np.arange(N), 1 + FIRST)],
        ),
        "plot_two_normals": (
            [np.array([1.0, 0]), np.array([0.6, 0.8])],
            {},
            [([0, 1], [0, 0]), ([0, 0.6], [0, 0.8])],
            "",
        ),
    },
    appendix_b: {
        "plot_difference": ([-FIRST], {"ylabel": "error"}, [(LAGS, FIRST)]),
        "plot_prediction": (
            [FIRST, 0.5, 0.7, 0.1],
            {},
            [(LAGS - 1, FIRST), (N, 0.5), (N, 0.7)],
            "xy",
            [([0.6], [0.8])],
        ),
        "plot_two_curves": ([FIRST, SECOND], {"ylabel": "value"}, [(LAGS, FIRST), (LAGS, SECOND)]),
    },
    appendix_c: {
        "plot_dilations": ([DilatedConvolution([1, 2, 1, 2], 1)], {}, [], ""),
    },
    appendix_d: {
        "plot_recovery": (
            [PAIR, {"a": True, "b": False}],
            {"threshold": 0.5},
            [(FIRST, 0.25 * np.linspace(-1, 1, N))],
            "",
        ),
        "plot_adaptation": ([FIRST, SECOND, [(0.2, 0.4), (0.6, 0.6)]], {"limits": (0, 2)}, [(FIRST, SECOND)], ""),
        "plot_fixed_weights": ([FIRST, SECOND, (0, 1)], {}, [(FIRST, SECOND)]),
    },
    section_2_intuitions: {
        "plot_synthetic": (
            [{name: FIRST * k for k, name in enumerate("abcde", 1)}],
            {},
            [(range(1, N + 1), FIRST * k) for k in range(1, 6)],
        ),
    },
    section_3_capacity: {
        "plot_chain": ([np.outer([0.1, 0.3], SECOND), ["a", "b"]], {}, []),
        "plot_error_shares": (
            [3 * FIRST, {"a": FIRST, "b": SECOND}, 3],
            {},
            [(3 * FIRST, FIRST), (3 * FIRST, SECOND), ([0, 3], [0, 1]), ([0, 1, 3], [0, 1, 1])],
        ),
        "plot_free_and_constrained": ([FIRST], {}, []),
        "plot_projection": (
            [np.array([0.6, 0.8]), np.array([1.0, 0])],
            {},
            [([0, 0.6], [0, 0]), ([0.6, 0.6], [0.8, 0])],
            "",
        ),
    },
    section_4_linear_models: {
        "plot_error_plane": (
            [np.column_stack([FIRST, SECOND]), FIRST[:2], np.array([0, 1.0]), np.eye(2)],
            {},
            [(FIRST, SECOND), (FIRST[:1], FIRST[1:2])],
        ),
    },
    section_5_1_hierarchical: {
        "plot_architecture": ([DilatedConvolution.hierarchical(2, 1)], {}, [], ""),
        "plot_bound_and_errors": (
            [RUNS, RUNS[::-1] / 2],
            {},
            [(range(N), RUNS.mean(axis=0)), (range(N), RUNS[::-1].mean(axis=0) / 2)],
        ),
        "plot_layer_stack": ([LAYERS], {}, []),
        "plot_layer_totals": ([LAYERS], {}, []),
    },
    section_5_2_recurrent: {
        "plot_extended_spectrum": ([FIRST, SECOND], {}, [(LAGS, FIRST), (LAGS, SECOND)]),
        "plot_poles": ([{1: FIRST[:1], 2: SECOND[:2]}], {}, [(FIRST[:1], 0), (SECOND[:2], 1)]),
        "plot_recurrence": ([3], {}, [], ""),
    },
    section_6_1_multidimensional: {
        "plot_allocation_per_component": (
            [{1: FIRST, 2: SECOND}, 4],
            {},
            [(range(N), FIRST / 4), (range(N), SECOND / 4)],
        ),
        "plot_boxes": ([3 * FIRST, 4], {}, []),
    },
    section_6_2_feature_maps: {
        "plot_feature_boxes": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
        "plot_feature_stack": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
        "plot_features": ([FIRST, {"a": SECOND}], {}, [(FIRST, SECOND)]),
        "plot_moments": (
            [(FIRST, SECOND), PAIR, {"a": SECOND, "b": FIRST}],
            {"ylabel": "moment"},
            [(FIRST, FIRST), (SECOND, FIRST)],
        ),
    },
    sensitivity: {
        "plot_findings": (
            [{"one": {"a": True, "b": False}, "two": {"a": True, "b": True}}],
            {},
            [([0, 0, 1], [0, 1, 1]), (1, 0)],
            "",
        ),
        "plot_autocovariances": ([PAIR, STYLES], {}, [(LAGS[:-1], FIRST[1:]), (LAGS[:-1], SECOND[1:])]),
    },
}

test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(CASES)


def test_peaks_at_eighths_are_named_where_they_are(ax):
    grid = np.arange(33) / 64
    fourier._point_at_eighths(ax, grid, np.cos(16 * np.pi * grid))
    named = {text.get_text(): text.xy for text in ax.texts[:-1]}
    assert named == {"1/8": (0.125, 1), "1/4": (0.25, 1), "3/8": (0.375, 1), "1/2": (0.5, 1)}


def test_bars_are_as_wide_as_the_dilations_and_equal_ones_have_one_colour(ax):
    bars = plot_dilations(ax, DilatedConvolution([1, 4, 1], 2))[:3]
    assert [bar.get_width() for bar in bars] == [1, 4, 1]
    assert bars[0].get_y() < bars[1].get_y()
    assert bars[0].get_facecolor() == bars[2].get_facecolor() != bars[1].get_facecolor()
    assert [text.get_text().strip() for text in ax.texts] == ["1", "4", "1"]


def test_constrained_and_free_parts_make_one(ax):
    heights = [bar.get_height() for bar in plot_free_and_constrained(ax, FIRST)]
    assert heights == [*FIRST, *(1 - FIRST)]


def test_the_links_of_a_chain_are_stacked_and_keep_their_colors_in_another_order(ax):
    links = np.outer([0.1, 0.3], FIRST)
    bars = plot_chain(ax, links, ["a", "b"])
    assert [bar.get_y() for bar in bars] == [*np.zeros(N), *links[0]]
    other = plot_chain(ax, links[::-1], ["b", "a"])
    assert [bars[0].get_facecolor(), bars[-1].get_facecolor()] == [other[-1].get_facecolor(), other[0].get_facecolor()]


@pytest.mark.parametrize("degrees", [0, 5, 30, 85, 90])
def test_the_filled_part_of_the_bar_is_the_capacity_of_the_direction_whose_projection_is_drawn(ax, degrees):
    turned, line = np.radians(degrees + 20), np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    direction = np.array([np.cos(turned), np.sin(turned)])
    artists = plot_projection(ax, direction, line)
    (solutions, dropped), (filled, rest) = (line.get_xydata() for line in artists[1:3]), artists[-2:]
    end, foot = dropped
    assert solutions @ line == pytest.approx(0, abs=1e-12)
    assert (end - foot) @ line == pytest.approx(0, abs=1e-12)
    assert np.cross([*foot, 0], [*line, 0])[2] == pytest.approx(0, abs=1e-12)
    assert filled.get_height() == pytest.approx(foot @ foot, abs=1e-12)
    capacity = constraint_space(np.eye(2), line[:, None]).capacity(direction[:, None])
    assert filled.get_height() == pytest.approx(capacity, abs=1e-12)
    assert rest.get_height() == pytest.approx(1 - filled.get_height())
    assert rest.get_y() == filled.get_height()


def test_the_level_line_through_the_error_is_drawn_and_what_is_orthogonal_to_the_normal(ax):
    errors, covariance, normal = np.array([0.3, -0.2]), np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([0.6, 0.8])
    contours, _, allowed, *_ = plot_error_plane(ax, np.column_stack([FIRST, SECOND]), errors, normal, covariance)
    assert allowed.get_xydata() @ normal == pytest.approx([0, 0], abs=1e-12)
    assert contours.levels[1] == pytest.approx(errors @ covariance @ errors)


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


@pytest.mark.parametrize(
    ("capacities", "said"),
    [([2, 2], {"full everywhere"}), ([1, 2], {"room left", "full"}), ([1.5, 1], {"room left"}), ([1.7, 1.9], set())],
)
def test_boxes_are_filled_to_the_capacity_and_words_say_which_are_full(ax, capacities, said):
    filled, *boxes = plot_boxes(ax, np.array(capacities), 2)[:3]
    assert [bar.get_height() for bar in filled] == capacities
    assert [(bar.get_y(), bar.get_height()) for box in boxes for bar in box] == [(0, 1)] * 2 + [(1, 1)] * 2
    assert {text.get_text() for text in ax.texts} == said


def test_the_right_axis_shows_the_undivided_capacity(ax):
    plot_allocation_per_component(ax, {1: FIRST}, 4)
    (right,) = ax.child_axes
    ax.figure.canvas.draw()
    assert np.allclose(right.get_ylim(), 4 * np.array(ax.get_ylim()))


def test_a_stack_of_features_ends_at_the_sum(ax):
    areas = plot_feature_stack(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()


def test_each_box_of_a_feature_is_filled_to_its_capacity(ax):
    filled, boxes, *_ = plot_feature_boxes(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert [bar.get_height() for bar in filled] == list(FIRST)
    assert {bar.get_height() for bar in boxes} == {1}
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
