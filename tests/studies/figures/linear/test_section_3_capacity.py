"""Strokes of the figures of linear/3-capacity."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity import constraint_space
from capacity_studies.figures.linear import section_3_capacity
from capacity_studies.figures.linear.section_3_capacity import plot_chain, plot_free_and_constrained, plot_projection

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2

CASES = {
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
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_3_capacity, CASES)


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
