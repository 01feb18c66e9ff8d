"""A figure as SVG and as PDF: the same bytes as of ``savefig``, which draws a figure twice where once will do.

It draws first for a layout engine to find the places; but that has found them when the figure itself begins to draw.
"""

from contextlib import contextmanager
from io import BytesIO

from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG

__all__ = ["as_pdf", "as_svg"]


def as_svg(figure):
    """Return a figure as SVG, without the date."""
    file = BytesIO()
    with _on(FigureCanvasSVG, figure) as canvas:
        canvas.print_svg(file, metadata={"Date": None})
    return file.getvalue().decode()


def as_pdf(figure):
    """Return a figure as PDF, without the date, laid out as it was when it was last drawn."""
    file, layout = BytesIO(), figure.get_layout_engine()
    if layout is not None:
        figure.set_layout_engine("none")
    with _on(FigureCanvasPdf, figure) as canvas:
        canvas.print_pdf(file, metadata={"CreationDate": None})
    if layout is not None:
        figure.set_layout_engine(layout)
    return file.getvalue()


@contextmanager
def _on(kind, figure):
    """Put a figure on another canvas, which changes its resolution, for a while."""
    canvas, dpi = figure.canvas, figure.dpi
    try:
        yield kind(figure)
    finally:
        figure.set_canvas(canvas)
        figure.set_dpi(dpi)
