"""Plots for trained networks."""

import numpy as np
import pytest
from drawings import check, plots
from matplotlib import patches

from capacity.figures import plot_input_map
from studies.figures import plot_before_and_after, plot_group_shares, trained

FIELD = np.array([[0.0, 0.04], [0.32, 0.64]])


def test_each_plot_has_a_case():
    assert plots(trained) == {"plot_input_map", "plot_group_shares", "plot_before_and_after"}


def test_a_map_shows_roots_of_shares_where_they_are(ax):
    artists = plot_input_map(ax, FIELD, title="one unit")
    ax.set(xlabel="column", ylabel="row")
    check(ax, artists, [])
    assert np.allclose(artists[0].get_array(), np.sqrt(FIELD / 0.64))
    assert artists[0].get_extent() == [-0.5, 1.5, 1.5, -0.5]
    assert ax.get_title() == "one unit"


@pytest.mark.parametrize("extent", [(-10, 10, -5, 5), (-10, 10, 5, -5)])
def test_boxes_are_cut_at_the_edges_of_the_map_and_the_share_stands_above(ax, extent):
    boxes = {"receptive": (-20, 4, -2, 2), "holding": (-3, 1, -1, 1)}
    artists = plot_input_map(ax, FIELD, extent=extent, share="half", **boxes)
    ax.set(xlabel="time", ylabel="pitch")
    check(ax, artists, [])
    field, half = (artist for artist in artists if isinstance(artist, patches.Rectangle))
    assert (field.get_x(), field.get_width()) == (-10, 14)
    assert (half.get_x(), half.get_width()) == (-3, 4)
    assert field.get_linestyle() != half.get_linestyle()
    (name,) = ax.texts
    upwards = 1 if extent[2] < extent[3] else -1
    assert name.xy == (-1, upwards)
    assert (ax.get_xlim(), ax.get_ylim()) == (extent[:2], extent[2:])


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
