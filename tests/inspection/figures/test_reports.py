"""Plots of reports."""

import numpy as np
import pytest
from drawings import check
from matplotlib import patches

from capacity_inspection.figures import plot_input_map, plot_report

FIELD = np.array([[0.0, 0.04], [0.32, 0.64]])
CURVE = np.array([0.1, 0.4, 0.2, 0.9, 1.0])


def test_allocations_are_drawn_with_their_intervals(ax):
    artists = plot_report(ax, {"capacity": CURVE, "linear": 2 * CURVE}, {"90 %": (CURVE - 0.1, CURVE + 0.1)})
    check(ax, artists[:2], [(range(5), CURVE), (range(5), 2 * CURVE)])
    band = artists[2].get_paths()[0].vertices
    assert band[:, 1].min() == pytest.approx(0.0)
    assert band[:, 1].max() == pytest.approx(1.1)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["capacity", "linear", "90 %"]


def test_a_grid_is_drawn_as_a_map(ax):
    artists = plot_report(ax, {"linear": np.eye(3), "pseudo-random": np.outer(CURVE, CURVE)})
    check(ax, artists, [])
    assert ax.get_title() == "pseudo-random"
    assert ax.get_ylim() == (4.5, -0.5)
    assert ax.get_aspect() == 1


def test_other_shapes_are_refused(ax):
    with pytest.raises(ValueError, match="allocation: expected one or two axes"):
        plot_report(ax, {"capacity": np.zeros((2, 2, 2))})
    with pytest.raises(ValueError, match="allocation: expected arrays of one length"):
        plot_report(ax, {"a": CURVE, "b": CURVE[:2]})


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
