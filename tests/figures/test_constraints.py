"""Plots of constraint spaces."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity import constraint_space
from capacity.figures import (
    constraints,
    plot_chain,
    plot_error_plane,
    plot_free_and_constrained,
    plot_projection,
    plot_synthetic,
)

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2
SPACE = constraint_space(np.eye(3), [[1.0, 0], [0, 0.5], [0, 0]])
RUNS = np.random.default_rng(0).dirichlet(np.ones(N), 5)

LAST = np.arange(N)

CASES = {
    "plot_bound_and_errors": (
        [RUNS, RUNS[::-1] / 2],
        {},
        [(range(N), RUNS.mean(axis=0)), (range(N), RUNS[::-1].mean(axis=0) / 2)],
    ),
    "plot_chain": ([np.outer([0.1, 0.3], SECOND), ["a", "b"]], {}, []),
    "plot_counted_twice": ([45 * LAST, 1 + FIRST, FIRST], {}, [(45 * LAST, FIRST), (45 * LAST, 1 + FIRST)]),
    "plot_error_plane": (
        [np.column_stack([FIRST, SECOND]), FIRST[:2], np.array([0, 1.0]), np.eye(2)],
        {},
        [(FIRST, SECOND), (FIRST[:1], FIRST[1:2])],
    ),
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
    "plot_spectra": ([{2: SPACE}], {}, [([1, 2], [1, 0.25])]),
    "plot_two_normals": ([np.array([1.0, 0]), np.array([0.6, 0.8])], {}, [([0, 1], [0, 0]), ([0, 0.6], [0, 0.8])], ""),
    "plot_synthetic": (
        [{name: FIRST * k for k, name in enumerate("abcde", 1)}],
        {},
        [(range(1, N + 1), FIRST * k) for k in range(1, 6)],
    ),
}

test_each_plot_has_a_case, test_the_data_are_drawn_and_the_axes_labelled = drawn_cases(constraints, CASES)


def test_constrained_and_free_parts_make_one(ax):
    heights = [bar.get_height() for bar in plot_free_and_constrained(ax, FIRST)]
    assert heights == [*FIRST, *(1 - FIRST)]


def test_labels_stand_above_their_bars_within_the_axes(ax):
    plot_free_and_constrained(ax, SECOND, ["one", "two"])
    assert [(text.get_text(), text.get_position()[0]) for text in ax.texts] == [("one", 1), ("two", 2)]
    assert all(1 < text.get_position()[1] < ax.get_ylim()[1] - 0.1 for text in ax.texts)


def test_the_line_of_solutions_goes_to_both_sides_and_the_words_below_the_normal_stand_beside_it(ax):
    _, solutions, *_ = plot_projection(ax, np.array([0.6, 0.8]), np.array([1.0, 0]))
    heights = solutions.get_ydata()
    assert min(heights) < -0.2
    assert max(heights) > 1
    ax.figure.canvas.draw()
    (words,) = (text for text in ax.texts if text.get_text().startswith("length"))
    assert words.get_window_extent().x0 > ax.transData.transform((0, 0))[0]


def test_the_links_of_a_chain_are_stacked_and_keep_their_colors_in_another_order(ax):
    links = np.outer([0.1, 0.3], FIRST)
    bars = plot_chain(ax, links, ["a", "b"])
    assert [bar.get_y() for bar in bars] == [*np.zeros(N), *links[0]]
    other = plot_chain(ax, links[::-1], ["b", "a"])
    assert [bars[0].get_facecolor(), bars[-1].get_facecolor()] == [other[-1].get_facecolor(), other[0].get_facecolor()]


def test_a_chain_has_a_label_per_space(ax):
    with pytest.raises(ValueError, match="labels: expected one per space, 2, got 1"):
        plot_chain(ax, np.zeros((2, N)), ["a"])


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


def test_the_level_line_through_the_error_is_drawn_and_the_error_named(ax):
    errors, covariance = np.array([0.3, -0.2]), np.array([[1.0, 0.5], [0.5, 1.0]])
    curve = np.column_stack([FIRST, SECOND])
    contours, *_ = plot_error_plane(ax, curve, errors, np.array([0, 1.0]), covariance, name="here")
    assert contours.levels[1] == pytest.approx(errors @ covariance @ errors)
    assert "here" in [text.get_text() for text in ax.texts]


def test_an_allocation_is_named_beside_its_end_or_above_its_peak(ax):
    plot_synthetic(ax, {"a: rising": FIRST, "b: falling": SECOND})
    assert [(text.get_text(), *text.xy) for text in ax.texts[1:]] == [("a:\nrising", N, 1), ("b: falling", 1, 1)]


def test_what_is_counted_twice_and_what_is_missed_is_named_where_it_is_most_unless_there_is_none(ax):
    degrees = np.array([0.0, 45, 90, 135])
    constraints.plot_counted_twice(ax, degrees, np.array([1.0, 1.5, 1, 0.5]), np.ones(4))
    assert [(text.get_text(), *text.xy) for text in ax.texts[2:]] == [("counted\ntwice", 45, 1.5), ("missed", 135, 0.5)]
    before = len(ax.texts)
    constraints.plot_counted_twice(ax, degrees, np.ones(4), np.ones(4))
    assert [text.get_text() for text in ax.texts[before:]] == ["sum of the two", "dashed: both together"]
