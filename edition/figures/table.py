"""What a figure draws as one table: a row for each point, bar, bin or pixel, for spreadsheets and data frames."""

import csv
from io import StringIO
from itertools import pairwise

__all__ = ["COLUMNS", "to_csv"]

COLUMNS = ("panel", "artist", "kind", "label", "part", "x", "y", "x2", "y2", "value")


def to_csv(drawn):
    """Return drawn data (see `capacity_studies.notebook.content.drawn`) as a table in CSV.

    Panels and their artists are counted from one. A bar or the bin of a step curve reaches from (`x`, `y`) to
    (`x2`, `y2`), `value` is that of a coloured point or pixel, and `part` counts the pieces of an artist that has many.
    A coordinate that is not on the axes' own scale stays empty.

    >>> line = {"kind": "line", "label": "a", "data": "xy", "x": [1.0, 2.0], "y": [3.0, None]}
    >>> print(to_csv({"axes": [{"artists": [line]}]}))
    panel,artist,kind,label,part,x,y,x2,y2,value
    1,1,line,a,,1.0,3.0,,,
    1,1,line,a,,2.0,,,,
    """
    file = StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(COLUMNS)
    for panel, axes in enumerate(drawn["axes"], start=1):
        for number, artist in enumerate(axes["artists"], start=1):
            known = panel, number, artist["kind"], artist.get("label", artist.get("text"))
            given = [name if name[0] in artist["data"] or name[0] not in "xy" else None for name in COLUMNS[4:]]
            table.writerows([*known, *map(row.get, given)] for row in _ROWS[artist["kind"]](artist))
    return file.getvalue()


def _line(artist):
    return ({"x": x, "y": y} for x, y in zip(artist["x"], artist["y"]))


def _bar(artist):
    x, y = artist["x"], artist["y"]
    yield {"x": x, "y": y, "x2": x + artist["width"], "y2": y + artist["height"]}


def _steps(artist):
    values, base = artist["values"], artist["baseline"]
    bases = base if isinstance(base, list) else [base] * len(values)
    for (left, right), bottom, top in zip(pairwise(artist["edges"]), bases, values):
        yield {"x": left, "y": bottom, "x2": right, "y2": top}


def _points(artist):
    values = artist.get("values", [None] * len(artist["vertices"]))
    return ({"x": x, "y": y, "value": value} for (x, y), value in zip(artist["vertices"], values))


def _paths(artist):
    for part, path in enumerate(artist["paths"], start=1):
        yield from ({"part": part, "x": x, "y": y} for x, y in path)


def _text(artist):
    yield {"x": artist["x"], "y": artist["y"]}


def _image(artist):
    """Return the pixels, each with its centre."""
    left, right, bottom, top = artist["extent"]
    first, last = (bottom, top) if artist["origin"] == "lower" else (top, bottom)
    for row, values in enumerate(artist["values"]):
        y = first + (row + 0.5) * (last - first) / len(artist["values"])
        for column, value in enumerate(values):
            yield {"x": left + (column + 0.5) * (right - left) / len(values), "y": y, "value": value}


_ROWS = {
    "line": _line,
    "bar": _bar,
    "steps": _steps,
    "points": _points,
    "lines": _paths,
    "areas": _paths,
    "shape": _points,
    "text": _text,
    "image": _image,
}
