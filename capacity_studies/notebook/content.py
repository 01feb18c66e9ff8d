"""What a figure draws, as plain data: the finished figure is read, whatever drew it."""

import numpy as np
from matplotlib.collections import Collection, PathCollection, PolyCollection
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle, StepPatch
from matplotlib.spines import Spine
from matplotlib.text import Text

__all__ = ["drawn"]

DIGITS = 9  # more than an eye sees, fewer than the rounding errors that differ between machines


def drawn(figure):
    """Return the content of a figure as plain data: for each axes its labels, its scales and its artists.

    Coordinates are those of the axes' own scales. Where only one of them is (a line across the whole axes), `data` is
    "x" or "y", and the other coordinate is a fraction of the axes.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> lines = ax.plot([1, 2], [3, 4], label="a line")
    >>> drawn(ax.figure)["axes"][0]["artists"]
    [{'kind': 'line', 'label': 'a line', 'data': 'xy', 'x': [1.0, 2.0], 'y': [3.0, 4.0]}]
    """
    return {"axes": [_axes(ax) for ax in figure.axes]}


def _axes(ax):
    title = " ".join(filter(None, (ax.get_title(place) for place in ("left", "center", "right"))))
    words = {"title": title, "xlabel": ax.get_xlabel(), "ylabel": ax.get_ylabel()}
    scales = {"xscale": ax.get_xscale(), "yscale": ax.get_yscale()}
    return words | scales | {"artists": [found for artist in ax.get_children() if (found := _artist(artist, ax))]}


def _artist(artist, ax):
    """Return an artist's data, None for what shows none: the axes' own frame, empty texts, hidden or screen marks."""
    points, values = _points(artist), {}
    frame = artist is ax.patch or isinstance(artist, Spine)
    if points is None or frame or not artist.get_visible():
        return None
    kind, transform, coordinates = points
    inside = "".join(c for c, data in zip("xy", transform.contains_branch_seperately(ax.transData)) if data)
    label = artist.get_label()
    if isinstance(label, str) and label and not label.startswith("_"):
        values["label"] = label
    if not inside:
        return None
    return {"kind": kind} | values | {"data": inside} | {name: _plain(value) for name, value in coordinates.items()}


def _points(artist):
    """Return the kind of an artist, the transform of its coordinates, and these; None if it is none of those known."""
    transform = artist.get_transform()
    if isinstance(artist, Line2D):
        return "line", transform, dict(zip("xy", artist.get_data(orig=False)))
    if isinstance(artist, AxesImage):
        shown = {"extent": artist.get_extent(), "origin": artist.origin, "values": artist.get_array()}
        return "image", transform, shown
    if isinstance(artist, StepPatch):
        return "steps", transform, artist.get_data()._asdict()
    if isinstance(artist, Rectangle):
        x, y, width, height = *artist.get_xy(), artist.get_width(), artist.get_height()
        return "bar", artist.get_data_transform(), {"x": x, "y": y, "width": width, "height": height}
    if isinstance(artist, Patch):
        path = artist.get_path().transformed(artist.get_patch_transform())
        return "shape", artist.get_data_transform(), {"vertices": path.vertices}
    if isinstance(artist, PathCollection):
        coordinates = {"vertices": artist.get_offsets()}
        if artist.get_array() is not None:
            coordinates["values"] = artist.get_array()
        return "points", artist.get_offset_transform(), coordinates
    if isinstance(artist, Collection):
        kind = "areas" if isinstance(artist, PolyCollection) else "lines"
        return kind, transform, {"paths": [path.vertices for path in artist.get_paths()]}
    if isinstance(artist, Text) and artist.get_text():
        return (
            "text",
            transform,
            {"x": artist.get_position()[0], "y": artist.get_position()[1], "text": artist.get_text()},
        )
    return None


def _plain(value):
    """Return numbers as Python numbers of `DIGITS` digits in lists; what is masked or not finite becomes None."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if np.ndim(value):
        return _plain(np.ma.filled(np.ma.asarray(value, dtype=float), np.nan).tolist())
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
