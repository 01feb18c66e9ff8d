"""Plots of paper 1, Section 6.2 and Appendix D, and of the comparison of processes."""

import numpy as np
from drawings import drawn_cases

from capacity.figures import tasks

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
PAIR = {"a": FIRST, "b": SECOND}

CASES = {
    "plot_findings": (
        [{"one": {"a": True, "b": False}, "two": {"a": True, "b": True}}],
        {},
        [([0, 0, 1], [0, 1, 1]), (1, 0)],
        "",
    ),
    "plot_recovery": (
        [PAIR, {"a": True, "b": False}],
        {"threshold": 0.5},
        [(FIRST, 0.25 * np.linspace(-1, 1, N))],
        "",
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(tasks, CASES)


def test_the_sides_of_the_threshold_are_named_in_the_colours_of_the_sets(ax):
    tasks.plot_recovery(ax, PAIR, {"a": True, "b": False}, threshold=0.5, sides=("kept", "lost"))
    assert [(text.get_text().strip(), text.get_position()[0], text.get_ha()) for text in ax.texts] == [
        ("kept", 0.5, "right"),
        ("lost", 0.5, "left"),
    ]
