"""Strokes of the figures of beyond/usefulness."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.usefulness import plot_effects, plot_gap, plot_masking

EFFECTS = {
    "first": (np.array([-1.0, -0.5, 0.02]), -0.49, np.array([-0.9, -0.1]), "yes"),
    "second": (np.array([0.01, 0.03]), 0.02, np.array([-0.2, 0.3]), "undecided"),
}


def points(ax):
    """Offsets of the collections of points, without empty ones."""
    return [np.asarray(c.get_offsets()) for c in ax.collections if len(c.get_offsets())]


def test_effects_show_each_value_the_interval_and_the_word(ax):
    bars = plot_effects(ax, EFFECTS, 0.05)
    check(ax, bars, [(ends, [row + 0.28] * 2) for row, (*_, ends, _) in enumerate(EFFECTS.values())], labels="x")
    for shown, (values, *_) in zip(points(ax), EFFECTS.values()):
        np.testing.assert_array_equal(np.sort(shown[:, 0]), np.sort(values))
    assert [text.get_text() for text in ax.texts] == ["yes", "undecided"]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(EFFECTS)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first one on top


def test_masking_draws_each_loss_and_the_means(ax):
    losses = {
        "capacity": np.array([[1.0, 2, 3], [3, 4, 5]]),
        "gradient": np.array([[0.0, 1, 2], [2, 3, 4]]),
        "variance": np.array([[5.0, 1, 2]]),
        "random": np.array([[6.0, 7, 8], [8, 9, 10]]),
    }
    assert plot_masking(ax, [0.25, 0.5, 0.75], losses) is ax
    check(ax, ax.lines, [])
    shown = np.sort(np.concatenate(points(ax))[:, 1])
    np.testing.assert_array_equal(shown, np.sort(np.concatenate([v.ravel() for v in losses.values()])))
    means = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 3]
    for values in losses.values():
        assert any(np.allclose(values.mean(axis=0), mean) for mean in means)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["25 %", "50 %", "75 %"]


def test_gaps_lie_about_their_line(ax):
    counts, gaps = np.array([2, 4, 8]), np.array([1.0, 3.0, 4.0])
    *_, line = drawn = plot_gap(ax, counts, gaps, "total capacity")
    check(ax, drawn, [(counts, gaps)], labels="x")
    slope = np.cov(counts, gaps)[0, 1] / np.var(counts, ddof=1)
    np.testing.assert_allclose(line.get_ydata(), gaps.mean() + slope * (np.array([0, 8]) - counts.mean()))
    assert ax.get_xlabel() == "total capacity"
