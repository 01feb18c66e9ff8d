"""Strokes of the figures of beyond/weight-scale."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.weight_scale import plot_highlighted

X = np.array([4.0, 8, 16, 32])
CURVES = {"low": np.array([0.4, 0.2, 0.1, 0.05]), "high": np.array([0.5, 0.7, 0.8, 0.9])}


def test_the_chosen_curve_has_a_colour_and_a_name_inside_the_axes(ax):
    for chosen, other in (("low", "high"), ("high", "low")):
        ax.clear()
        lines = dict(zip(CURVES, plot_highlighted(ax, X, CURVES, chosen)))
        ax.set_ylabel("share")
        check(ax, lines.values(), [(X, values) for values in CURVES.values()])
        assert lines[chosen].get_zorder() > lines[other].get_zorder()
        assert lines[chosen].get_color() != lines[other].get_color()
        (name,) = ax.texts
        assert name.get_text() == chosen
        assert not name.get_in_layout()
