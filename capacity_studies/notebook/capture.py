"""What a figure draws, as data and for print: an IPython extension that puts these beside the image.

Chapters are executed with this extension loaded, so that every figure of the book can be had as numbers and as PDF. It
reads the finished figure, whatever drew it; the plot functions and the chapters do not know of it. What all this needs
is imported with the first figure.
"""

from IPython import get_ipython
from IPython.core.formatters import JSONFormatter

__all__ = ["IMAGE", "LIVE", "MIME", "PRINT", "SLIDER", "bundle", "is_loaded"]

IMAGE = "image/svg+xml"
LIVE = "application/vnd.capacity.live+json"  # the scene of a live picture and what it begins with
MIME = "application/vnd.capacity.figure+json"
PRINT = "application/pdf"
SLIDER = "application/vnd.capacity.slider+json"  # all its pictures
FIGURE = "matplotlib.figure.FigureBase"  # not Figure: choosing an image format forgets what is registered for that


def is_loaded():
    """Return whether the figures of this kernel are asked for in all these forms."""
    shell = get_ipython()
    return shell is not None and MIME in shell.display_formatter.formatters


def bundle(figure, image, content):
    """Return what a figure is displayed as: its picture, what it draws, and for the book its PDF."""
    printed = {PRINT: _printed(figure)} if is_loaded() else {}
    return {IMAGE: image, MIME: content} | printed


class DrawnFormatter(JSONFormatter):
    """The formatter that IPython asks for this kind of data, as it asks others for the image."""

    format_type = MIME


def load_ipython_extension(shell):
    """Ask for the drawn data and the PDF of each figure that is displayed."""
    formatters = shell.display_formatter.formatters
    formatters[MIME] = DrawnFormatter(parent=shell.display_formatter)
    formatters[MIME].for_type(FIGURE, _drawn)
    formatters[PRINT].for_type(FIGURE, _printed)


def _drawn(figure):
    from capacity_studies.notebook.content import drawn

    return drawn(figure)


def _printed(figure):
    from capacity_studies.notebook.drawing import as_pdf

    return as_pdf(figure)
