"""Strokes that figures of several chapters share."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures import strokes
from capacity_studies.figures.strokes import plot_handed_down

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])

CASES = {
    "plot_handed_down": ([P**2, np.array([0.6, 0.4])], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(strokes, CASES)


def test_what_is_handed_down_is_as_wide_as_the_capacity_along_it_and_arrives(ax):
    plot_handed_down(ax, P**2, np.array([0.6, 0.4]))
    widths = [line.get_linewidth() for line in ax.get_lines()]
    assert np.allclose(np.divide(widths, widths[0]), np.array([0.15, 0.1, 0.294, 0.004, 0.256]) / 0.15)
    assert [text.get_text().split()[-1] for text in ax.texts[-3:]] == ["0.25", "0.30", "0.26"]
