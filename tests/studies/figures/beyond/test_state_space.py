"""Strokes of the figures of beyond/state-space."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.state_space import (
    plot_disc,
    plot_half_lags,
    plot_half_lags_against,
    plot_memory_ranks,
)

POLES = {"one": np.array([0.5 + 0.2j, 0.1j]), "two": np.array([0.9 + 0j])}
BEFORE = {"S4D-Lin": {"sun": 30, "sea": 31}, "LRU": {"sun": 26, "sea": 28}}
AFTER = {"S4D-Lin": {"sun": 8, "sea": 6}, "LRU": {"sun": 15, "sea": 7}}


def test_poles_stand_in_the_circle_with_their_conjugates(ax):
    circle, *_ = artists = plot_disc(ax, POLES)
    check(ax, artists, [([0.5, 0, 0.5, 0], [0.2, 0.1, -0.2, -0.1]), ([0.9, 0.9], [0, 0])])
    np.testing.assert_allclose(np.hypot(*circle.get_data()), 1)
    assert ax.get_aspect() == 1


def test_ranks_are_drawn_against_the_pairs(ax):
    pairs = np.array([1, 2, 4])
    check(ax, plot_memory_ranks(ax, pairs, 2 * pairs, [2, 4, 7]), [(pairs, 2 * pairs), (pairs, [2, 4, 7])])


def test_half_lags_stand_in_the_row_of_their_series_before_and_after(ax):
    artists = plot_half_lags(ax, BEFORE, AFTER, 64)
    check(ax, artists, [([30, 31], [1.22, 0.22]), ([8, 6], [1.22, 0.22]), ([26, 28], [0.78, -0.22])], labels="x")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["sun", "sea"]
    before, after = artists[:2]
    assert before.get_fillstyle() == "none"
    assert before.get_color() == after.get_color() != artists[2].get_color()
    assert any(np.all(np.asarray(line.get_xdata()) == 32) for line in ax.get_lines())


def test_series_are_called_by_their_names_and_not_by_those_of_their_files(ax):
    plot_half_lags_against(ax, np.array([1, 2]), {"elnino": np.array([8, 9])}, 64, xlabel="steps ahead")
    assert [text.get_text() for text in ax.texts] == ["El Niño"]


def test_half_lags_are_drawn_against_what_is_asked_and_named(ax):
    x, curves = np.array([1, 2, 4]), {"sun": np.array([8, 9, 13]), "sea": np.array([10, 10, 17])}
    lines = plot_half_lags_against(ax, x, curves, 64, xlabel="steps ahead")
    check(ax, lines, [(x, values) for values in curves.values()])
    assert {text.get_text() for text in ax.texts} == {"sun", "sea"}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "4"]
