"""Strokes of the figures of beyond/trained."""

import numpy as np
from drawings import check

from capacity_studies.figures.beyond.trained import plot_before_and_after, plot_group_shares


def test_shares_of_many_networks_are_a_mean_and_a_range(ax):
    one, many = np.array([0.7, 0.3]), np.array([[0.5, 0.5], [0.3, 0.7], [0.1, 0.9]])
    lines = plot_group_shares(ax, ["low", "high"], {"trained": one, "drawn": many})
    ax.set_xlabel("band")
    check(ax, lines, [([-0.125, 0.875], one), ([0.125, 1.125], many.mean(axis=0))])
    (bars,) = ax.collections
    assert np.allclose([segment[:, 1] for segment in bars.get_segments()], [[0.1, 0.5], [0.5, 0.9]])
    assert [line.get_label() for line in lines] == ["trained", "drawn"]


def test_each_network_is_a_line_from_before_to_after(ax):
    pairs = {"plain": (np.array([1.0, 1.1]), np.array([1.2, 1.0])), "residual": (np.array([0.5]), np.array([0.9]))}
    lines = plot_before_and_after(ax, pairs)
    ax.set(xlabel="kind", ylabel="width")
    curves = [([-0.25, 0.25], [1.0, 1.2]), ([-0.25, 0.25], [1.1, 1.0]), ([0.75, 1.25], [0.5, 0.9])]
    check(ax, lines, curves)
    assert [text.get_text() for text in ax.get_xticklabels()] == list(pairs)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["before", "after"]
    ends = {
        tuple(line.get_xydata()[0]): line.get_markerfacecolor() for line in ax.get_lines() if line.get_marker() == "o"
    }
    assert ends[0.75, 0.5] == "white" != ends[1.25, 0.9]
    assert len(ends) == 6
