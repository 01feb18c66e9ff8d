"""What a figure draws, as data, for print and for phones: an IPython extension that puts these beside the image.

Chapters are executed with this extension loaded, so that every figure of the book can be had as numbers, as PDF, and
narrow. It reads the finished figure, whatever drew it; the plot functions and the chapters do not know of it. The image
has the bytes of IPython's, but is drawn once instead of twice. What all this needs is imported with the first figure.
"""

import sys

from IPython import get_ipython
from IPython.core.formatters import JSONFormatter, SVGFormatter

__all__ = ["IMAGE", "MIME", "NARROW", "PRINT", "SLIDER", "is_loaded"]

IMAGE = "image/svg+xml"
MIME = "application/vnd.capacity.figure+json"
PRINT = "application/pdf"
NARROW = "application/vnd.capacity.figure-narrow"  # SVG, but not what a notebook shows
SLIDER = "application/vnd.capacity.slider+json"  # all its pictures
FIGURE = "matplotlib.figure.FigureBase"  # not Figure: choosing an image format forgets what is registered for that


def is_loaded():
    """Return whether the figures of this kernel are asked for in all these forms."""
    shell = get_ipython()
    return shell is not None and MIME in shell.display_formatter.formatters


class ImageFormatter(SVGFormatter):
    """The formatter of images, which takes the place of the function that a notebook registers by choosing SVG."""

    format_type = IMAGE

    def __call__(self, displayed):
        figure = sys.modules.get("matplotlib.figure")
        if figure and isinstance(displayed, figure.Figure) and figure.Figure in self:
            from edition.figures.drawing import as_svg

            return as_svg(displayed)
        return super().__call__(displayed)


class DrawnFormatter(JSONFormatter):
    """The formatter that IPython asks for this kind of data, as it asks others for the image."""

    format_type = MIME


class NarrowFormatter(SVGFormatter):
    """The formatter that IPython asks for the figure as a phone shows it."""

    format_type = NARROW


def load_ipython_extension(shell):
    """Ask for the drawn data, the PDF and the narrow figure of each that is displayed."""
    formatters = shell.display_formatter.formatters
    for formatter in (ImageFormatter, DrawnFormatter, NarrowFormatter):
        formatters[formatter.format_type] = formatter(parent=shell.display_formatter)
    for kind, function in ((MIME, _drawn), (PRINT, _printed), (NARROW, _narrowed)):
        formatters[kind].for_type(FIGURE, function)


def _drawn(figure):
    from edition.figures.content import drawn

    return drawn(figure)


def _printed(figure):
    from edition.figures.drawing import as_pdf

    return as_pdf(figure)


def _narrowed(figure):
    from edition.figures.narrow import narrowed

    return narrowed(figure)
