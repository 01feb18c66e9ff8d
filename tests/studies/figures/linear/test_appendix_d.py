"""Strokes of the figures of linear/appendix-d."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity_studies.figures.linear import appendix_d
from capacity_studies.figures.linear.appendix_d import plot_adaptation, plot_recovery

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
PAIR = {"a": FIRST, "b": SECOND}

CASES = {
    "plot_recovery": (
        [PAIR, {"a": True, "b": False}],
        {"threshold": 0.5},
        [(FIRST, 0.25 * np.linspace(-1, 1, N))],
        "",
    ),
    "plot_adaptation": ([FIRST, SECOND, [(0.2, 0.4), (0.6, 0.6)]], {"limits": (0, 2)}, [(FIRST, SECOND)], ""),
    "plot_fixed_weights": ([FIRST, SECOND, (0, 1)], {}, [(FIRST, SECOND)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(appendix_d, CASES)


def test_values_that_lose_the_optimum_are_named_where_they_are(ax):
    plot_adaptation(ax, FIRST, SECOND, [(0.2, 0.4), (0.6, 0.6)], limits=(0, 2))
    shaded, single = ax.texts
    assert (shaded.get_text(), *shaded.get_position()) == ("lost", pytest.approx(0.3), 1)
    assert (single.get_text(), *single.xy) == ("lost\nonly here", 0.6, 1)


def test_the_sides_of_the_threshold_are_named_in_the_colours_of_the_sets(ax):
    plot_recovery(ax, PAIR, {"a": True, "b": False}, threshold=0.5, sides=("kept", "lost"))
    assert [(text.get_text().strip(), text.get_position()[0], text.get_ha()) for text in ax.texts] == [
        ("kept", 0.5, "right"),
        ("lost", 0.5, "left"),
    ]
