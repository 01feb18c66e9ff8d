"""Strokes of the figures of linear/6-1-multidimensional."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity_studies.figures.linear import section_6_1_multidimensional
from capacity_studies.figures.linear.section_6_1_multidimensional import plot_allocation_per_component, plot_boxes

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2

CASES = {
    "plot_allocation_per_component": ([{1: FIRST, 2: SECOND}, 4], {}, [(range(N), FIRST / 4), (range(N), SECOND / 4)]),
    "plot_boxes": ([3 * FIRST, 4], {}, []),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_6_1_multidimensional, CASES)


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
