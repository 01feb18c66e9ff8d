"""Strokes of the figures of linear/sensitivity."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import sensitivity
from capacity_studies.figures.linear.sensitivity import process_styles

N = 8
LAGS = np.arange(1, N + 1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
STYLES = process_styles(["a", "b"])
PAIR = {"a": FIRST, "b": SECOND}

CASES = {
    "plot_findings": (
        [{"one": {"a": True, "b": False}, "two": {"a": True, "b": True}}],
        {},
        [([0, 0, 1], [0, 1, 1]), (1, 0)],
        "",
    ),
    "plot_autocovariances": ([PAIR, STYLES], {}, [(LAGS[:-1], FIRST[1:]), (LAGS[:-1], SECOND[1:])]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(sensitivity, CASES)


def test_each_process_has_a_colour_and_dashes_of_its_own():
    styles = process_styles("abcd")
    assert [len({style[key] for style in styles.values()}) for key in ("color", "linestyle")] == [4, 4]
