"""Plots of reports on a network: capacity per input, with intervals, along one axis or on a grid."""

from io import BytesIO

import numpy as np
from matplotlib import pyplot as plt

from capacity._validation import common_length
from capacity.figures.style import PALETTE, lag_axis, legend_above, use_style
from capacity.figures.trained import plot_input_map

__all__ = ["figure_file", "new_axes", "plot_report"]


def new_axes():
    """Axes of a new figure in the style of the book."""
    use_style()
    return plt.subplots(figsize=(6.3, 2.9))[1]


def figure_file(artist, kind):
    """The figure that an artist is on as the bytes of a file: 'svg', 'png' or 'pdf', the same each time."""
    content = BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with plt.rc_context({"svg.hashsalt": "capacity"}):
        artist.figure.savefig(content, format=kind, metadata=dates[kind])
    plt.close(artist.figure)
    return content.getvalue()


def plot_report(ax, allocation, bands=None):
    """Draw the capacity per input of a network: steps over the lags, or an image.

    Parameters
    ----------
    ax : Axes
    allocation : dict of str to ndarray
        By the rule that it follows; of shape (positions,), or of shape (rows, columns), of which the last one is drawn.
    bands : dict of str to pair of ndarray, optional
        Lower and upper ends, each of shape (positions,).

    Returns
    -------
    list of Artist
    """
    name, values = list(allocation.items())[-1]
    if np.ndim(values) == 2:
        artists = list(plot_input_map(ax, values, title=name))
        ax.set(xlabel="column of the input", ylabel="row of the input", aspect="equal")
        return artists
    if np.ndim(values) != 1:
        raise ValueError(f"allocation: expected one or two axes, got shape {np.shape(values)}; sum over the others")
    n, artists = common_length(allocation, "allocation"), []
    for (label, curve), color in zip(allocation.items(), PALETTE):
        artists += ax.plot(np.arange(n), curve, color=color, label=label, drawstyle="steps-mid")
    for (label, (low, high)), alpha in zip((bands or {}).items(), (0.2, 0.35)):
        artists += [ax.fill_between(np.arange(n), low, high, step="mid", alpha=alpha, linewidth=0, label=label)]
    lag_axis(ax, n) if n >= 4 else ax.set_xlabel("input, oldest first")
    ax.set(ylabel="capacity per input")
    ax.set_ylim(bottom=0)
    if len(artists) > 1:
        short = sum(len(artist.get_label()) for artist in artists) < 80
        legend_above(ax, ncols=3 if short else 1)
    return artists
