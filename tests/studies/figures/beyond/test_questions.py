"""Strokes of the figures of beyond/questions."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.questions import plot_reach, plot_truncations

SIZES = np.array([16, 32, 64])
REACH = {"field": SIZES, "half": np.array([4, 5, 7])}


def test_reaches_are_drawn_with_the_field_dashed(ax):
    for log in (True, False):
        ax.clear()
        lines = plot_reach(ax, SIZES, REACH, xlabel="inputs", log=log)
        check(ax, lines, [(SIZES, values) for values in REACH.values()])
        assert [line.get_linestyle() for line in lines] == ["--", "-"]
        assert {text.get_text() for text in ax.texts} == {"field", "half"}
        assert ax.get_xlabel() == "inputs" + " (log scale)" * log


def test_truncations_leave_out_what_does_not_change(ax):
    lines = plot_truncations(ax, SIZES, np.array([0.1, 0, 1e-7]), field=30, tolerance=1e-5)
    check(ax, lines, [([16, 64], [0.1, 1e-7])])
    assert set(lines[1].get_xdata()) == {30}
    assert set(lines[2].get_ydata()) == {1e-5}
