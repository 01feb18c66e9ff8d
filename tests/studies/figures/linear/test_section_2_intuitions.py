"""Strokes of the figures of linear/2-intuitions."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import section_2_intuitions
from capacity_studies.figures.linear.section_2_intuitions import plot_synthetic

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2

CASES = {
    "plot_synthetic": (
        [{name: FIRST * k for k, name in enumerate("abcde", 1)}],
        {},
        [(range(1, N + 1), FIRST * k) for k in range(1, 6)],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_2_intuitions, CASES)


def test_an_allocation_is_named_beside_its_end_or_above_its_peak(ax):
    plot_synthetic(ax, {"a: rising": FIRST, "b: falling": SECOND})
    assert [(text.get_text(), *text.xy) for text in ax.texts[1:]] == [("a:\nrising", N, 1), ("b: falling", 1, 1)]
