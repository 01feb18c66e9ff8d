"""Strokes of the figures of beyond/attention."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.attention import plot_by_position


def test_positions_are_a_line_and_the_last_token_a_dot_that_no_line_leads_to(ax):
    capacities = {"one": np.array([0.6, 0.1, 0.05, 0.25]), "two": np.array([0.3, 0.2, 0.1, 0.4])}
    lines = plot_by_position(ax, capacities, lowest=1e-3)
    check(ax, lines, [(np.arange(1, 4), values[:-1]) for values in capacities.values()])
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(4, 0.25), (4, 0.4)]
    assert ax.get_ylim()[0] == 1e-3
