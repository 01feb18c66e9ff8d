"""What a figure draws as one table."""

import csv
from io import StringIO

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from capacity_studies.notebook.content import drawn
from edition.figures.table import to_csv


def rows(draw, *columns):
    figure = Figure()
    draw(figure.subplots())
    table = csv.DictReader(StringIO(to_csv(drawn(figure))))
    return [tuple(row[column] for column in columns) for row in table]


@pytest.mark.parametrize(
    ("draw", "columns", "expected"),
    [
        (lambda ax: ax.plot([1, 2], [3, np.nan], label="a"), "label x y", [("a", "1.0", "3.0"), ("a", "2.0", "")]),
        (lambda ax: ax.axhline(3), "x y", [("", "3.0"), ("", "3.0")]),
        (lambda ax: ax.axvspan(1, 2), "x y x2 y2", [("1.0", "", "2.0", "")]),
        (lambda ax: ax.bar([1], [2]), "x y x2 y2", [("0.6", "0.0", "1.4", "2.0")]),
        (lambda ax: ax.stairs([5, 6]), "x y x2 y2", [("0.0", "0.0", "1.0", "5.0"), ("1.0", "0.0", "2.0", "6.0")]),
        (lambda ax: ax.scatter([1], [2], c=[3]), "x y value", [("1.0", "2.0", "3.0")]),
        (lambda ax: ax.vlines([1, 2], 0, 3), "part x y", [(p, f"{p}.0", y) for p in "12" for y in ("0.0", "3.0")]),
        (lambda ax: ax.text(1, 2, "here"), "label x y", [("here", "1.0", "2.0")]),
        (lambda ax: ax.imshow([[7, 8]]), "x y value", [("0.0", "0.0", "7.0"), ("1.0", "0.0", "8.0")]),
        (
            lambda ax: ax.imshow([[7], [8]], origin="lower", extent=(0, 1, 0, 4)),
            "x y value",
            [("0.5", "1.0", "7.0"), ("0.5", "3.0", "8.0")],
        ),
        (
            lambda ax: ax.imshow([[7], [8]], extent=(0, 1, 0, 4)),
            "x y value",
            [("0.5", "3.0", "7.0"), ("0.5", "1.0", "8.0")],
        ),
        (lambda ax: ax.add_patch(Polygon([[0, 1], [2, 3]], closed=False)), "x y", [("0.0", "1.0"), ("2.0", "3.0")]),
    ],
)
def test_each_kind_of_artist_has_its_rows_in_the_table(draw, columns, expected):
    assert rows(draw, *columns.split()) == expected
