"""Plots of look-backs."""

import numpy as np
from drawings import check

from capacity_inspection.figures import plot_look_back, plot_steps_back
from capacity_inspection.look_backs import LookBack

CURVE = np.array([0.1, 0.4, 0.2, 0.9, 1.0])


def test_networks_of_any_length_begin_at_the_step_of_their_unit(ax):
    lines = plot_steps_back(ax, {"A: causal": (CURVE, 4), "B: centred": (np.ones(4), 1)})
    behind = np.cumsum(CURVE)[::-1] / CURVE.sum()
    check(ax, lines, [(range(1, 7), [*behind, 0]), (range(-1, 4), [1, 0.75, 0.5, 0.25, 0])])
    assert [text.get_text() for text in ax.texts] == ["A", "B"]
    for text, line in zip(ax.texts, lines):
        assert list(text.get_position()) in line.get_xydata().tolist()
    assert "ahead" in ax.get_xlabel()


def test_look_backs_have_a_band_and_networks_their_marks(ax):
    left, held_out = np.array([1.0, 0.6, 0.5, 0.49]), np.array([1.0, 0.62, 0.53, 0.55])
    found = LookBack(100, left, held_out, np.array([0.2, 0.1, 0.0, 0.01]))
    artists = plot_look_back(ax, found, {"A: 2 coefficients": (3, 0.51)})
    check(ax, artists, [(range(4), found.left), (range(4), found.held_out), ([3], [0.51])])
    band = artists[0].get_paths()[0].vertices
    for k, error in enumerate(found.errors):
        ends = band[band[:, 0] == k, 1]
        np.testing.assert_allclose([ends.min(), ends.max()], found.held_out[k] + [-error, error])
