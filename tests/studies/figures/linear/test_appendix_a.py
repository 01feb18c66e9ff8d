"""Strokes of the figures of linear/appendix-a."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import appendix_a
from capacity_studies.figures.linear.appendix_a import plot_counted_twice

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2
LAST = np.arange(N)

CASES = {
    "plot_counted_twice": ([45 * LAST, 1 + FIRST, FIRST], {}, [(45 * LAST, FIRST), (45 * LAST, 1 + FIRST)]),
    "plot_two_normals": ([np.array([1.0, 0]), np.array([0.6, 0.8])], {}, [([0, 1], [0, 0]), ([0, 0.6], [0, 0.8])], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(appendix_a, CASES)


def test_what_is_counted_twice_and_what_is_missed_is_named_where_it_is_most_unless_there_is_none(ax):
    degrees = np.array([0.0, 45, 90, 135])
    plot_counted_twice(ax, degrees, np.array([1.0, 1.5, 1, 0.5]), np.ones(4))
    assert [(text.get_text(), *text.xy) for text in ax.texts[2:]] == [("counted\ntwice", 45, 1.5), ("missed", 135, 0.5)]
    before = len(ax.texts)
    plot_counted_twice(ax, degrees, np.ones(4), np.ones(4))
    assert [text.get_text() for text in ax.texts[before:]] == ["sum of the two", "dashed: both together"]
