"""A figure as SVG and as PDF: the same bytes as of ``savefig``, which draws a figure twice where once will do.

It draws first for a layout engine to find the places; but that has found them when the figure itself begins to draw.
What travels in pages is shortened.
"""

import re
from contextlib import contextmanager
from io import BytesIO

import matplotlib as mpl
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG

__all__ = ["as_pdf", "as_svg", "drawn_on", "picture"]

_BESIDE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>|(?<=>)\s+(?=<)", re.DOTALL)  # what no browser draws
_COORDINATES = re.compile(r'(?<= )(?:d|x|y|width|height)="[^"]*"|translate\([^)]*\)')
_LONG, _SPACE = re.compile(r"\d+\.\d{3,}"), re.compile(r"\s*([A-Za-z])\s+|\s+(?=\")")


def as_svg(figure):
    """Return a figure as SVG, without the date."""
    file = BytesIO()
    with drawn_on(FigureCanvasSVG, figure) as canvas:
        canvas.print_svg(file, metadata={"Date": None})
    return file.getvalue().decode()


def as_pdf(figure):
    """Return a figure as PDF, without the date, laid out as it was when it was last drawn."""
    file, layout = BytesIO(), figure.get_layout_engine()
    if layout is not None:
        figure.set_layout_engine("none")
    with drawn_on(FigureCanvasPdf, figure) as canvas:
        canvas.print_pdf(file, metadata={"CreationDate": None})
    if layout is not None:
        figure.set_layout_engine(layout)
    return file.getvalue()


def picture(figure):
    """Return a figure as SVG, the same each time and as short as it can be looking the same.

    Coordinates are kept to a hundredth of a point.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = Figure(figsize=(1, 1))
    >>> picture(figure) == picture(figure)
    True
    """
    with mpl.rc_context({"svg.hashsalt": "capacity", "svg.fonttype": "path"}):
        svg = as_svg(figure)
    return _COORDINATES.sub(_short, _BESIDE.sub("", svg.strip()))


def _short(match):
    rounded = _LONG.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), match[0])
    return _SPACE.sub(r"\1", rounded) if rounded.startswith("d=") else rounded


@contextmanager
def drawn_on(kind, figure):
    """Put a figure on another canvas, which changes its resolution, for a while."""
    canvas, dpi = figure.canvas, figure.dpi
    try:
        yield kind(figure)
    finally:
        figure.set_canvas(canvas)
        figure.set_dpi(dpi)
