"""What a figure draws, as data."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from capacity_studies.notebook.content import drawn


def artists(draw):
    ax = Figure().subplots()
    draw(ax)
    return drawn(ax.figure)["axes"][0]["artists"]


@pytest.mark.parametrize(
    ("draw", "kind", "data", "values"),
    [
        (lambda ax: ax.axhline(3), "line", "y", {"x": [0, 1], "y": [3, 3]}),
        (lambda ax: ax.plot([1, 2], [np.nan, 1 / 3]), "line", "xy", {"x": [1, 2], "y": [None, 0.333333333]}),
        (lambda ax: ax.bar(["a"], [2]), "bar", "xy", {"x": -0.4, "y": 0, "width": 0.8, "height": 2}),
        (lambda ax: ax.stairs([1, 2]), "steps", "xy", {"values": [1, 2], "edges": [0, 1, 2], "baseline": 0}),
        (lambda ax: ax.scatter([1], [2], c=[3]), "points", "xy", {"vertices": [[1, 2]], "values": [3]}),
        (
            lambda ax: ax.imshow(np.ma.masked_equal([[1, 2]], 2)),
            "image",
            "xy",
            {"extent": [-0.5, 1.5, 0.5, -0.5], "origin": "upper", "values": [[1, None]]},
        ),
        (lambda ax: ax.vlines(1, 2, 3), "lines", "xy", {"paths": [[[1, 2], [1, 3]]]}),
        (lambda ax: ax.text(1, 2, "here"), "text", "xy", {"x": 1, "y": 2, "text": "here"}),
        (
            lambda ax: ax.add_patch(Polygon([[0, 1], [2, 3]], closed=False)),
            "shape",
            "xy",
            {"vertices": [[0, 1], [2, 3]]},
        ),
    ],
)
def test_each_kind_of_artist_is_drawn_data(draw, kind, data, values):
    assert artists(draw) == [{"kind": kind, "data": data} | values]


def test_areas_keep_the_points_of_their_outline():
    (area,) = artists(lambda ax: ax.fill_between([1, 2], [0, 1], [2, 3], label="band"))
    assert (area["kind"], area["label"]) == ("areas", "band")
    assert {tuple(point) for point in area["paths"][0]} == {(1.0, 0.0), (1.0, 2.0), (2.0, 1.0), (2.0, 3.0)}


def test_marks_on_the_screen_and_hidden_artists_are_no_data():
    assert artists(lambda ax: ax.annotate("x", (0.5, 0.5), xycoords="axes fraction")) == []
    assert artists(lambda ax: ax.plot([1, 2], visible=False)) == []
