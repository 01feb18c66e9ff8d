"""What a figure draws, as data, for print and for phones: an IPython extension that puts these beside the image.

Chapters are executed with this extension loaded, so that every figure of the book can be had as numbers, as PDF, and
narrow. It reads the finished figure, whatever drew it; the plot functions and the chapters do not know of it.
"""

from io import BytesIO

import numpy as np
from IPython import get_ipython
from IPython.core.formatters import JSONFormatter, SVGFormatter
from matplotlib.collections import Collection, PathCollection, PolyCollection
from matplotlib.figure import FigureBase
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle, StepPatch
from matplotlib.spines import Spine
from matplotlib.text import Text

from edition.figures.narrow import narrowed

__all__ = ["MIME", "NARROW", "PRINT", "drawn", "is_loaded", "printed"]

MIME = "application/vnd.capacity.figure+json"
PRINT = "application/pdf"
NARROW = "application/vnd.capacity.figure-narrow"  # SVG, but not what a notebook shows
DIGITS = 9  # more than an eye sees, fewer than the rounding errors that differ between machines


def drawn(figure):
    """Return the content of a figure as plain data: for each axes its labels, its scales and its artists.

    Coordinates are those of the axes' own scales. Where only one of them is (a line across the whole axes), `data` is
    "x" or "y", and the other coordinate is a fraction of the axes.

    Examples
    --------
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


def printed(figure):
    """Return the figure as PDF, without the date, laid out as it was when it was last drawn."""
    file, layout = BytesIO(), figure.get_layout_engine()
    if layout is not None:
        figure.set_layout_engine("none")
    figure.savefig(file, format="pdf", metadata={"CreationDate": None})
    if layout is not None:
        figure.set_layout_engine(layout)
    return file.getvalue()


def is_loaded():
    """Return whether the figures of this kernel are asked for in all these forms."""
    shell = get_ipython()
    return shell is not None and MIME in shell.display_formatter.formatters


class DrawnFormatter(JSONFormatter):
    """The formatter that IPython asks for this kind of data, as it asks others for the image."""

    format_type = MIME


class NarrowFormatter(SVGFormatter):
    """The formatter that IPython asks for the figure as a phone shows it."""

    format_type = NARROW


def load_ipython_extension(shell):
    """Ask for the drawn data, the PDF and the narrow figure of each that is displayed."""
    formatters = shell.display_formatter.formatters
    for formatter in (DrawnFormatter, NarrowFormatter):
        formatters[formatter.format_type] = formatter(parent=shell.display_formatter)
    for kind, function in ((MIME, drawn), (PRINT, printed), (NARROW, narrowed)):  # not Figure: choosing an image format
        formatters[kind].for_type(FigureBase, function)  # forgets what is registered for that
