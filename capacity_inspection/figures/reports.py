"""Plots of reports on a network: capacity per input, with intervals, along one axis or on a grid."""

from contextlib import contextmanager
from io import BytesIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity._validation import common_length
from capacity.figures.style import (
    COLORS,
    SHADES,
    STYLE,
    capacity_colors,
    lag_axis,
    legend_above,
)

__all__ = ["figure_file", "new_axes", "plot_input_map", "plot_report"]


@contextmanager
def new_axes():
    """Axes of a new figure in the style of the book, which what is drawn in this context has, and nothing else."""
    with plt.style.context(STYLE):
        yield plt.subplots(figsize=(6.3, 2.9))[1]


def figure_file(artist, kind):
    """The figure that an artist is on as the bytes of a file: 'svg', 'png' or 'pdf', the same each time."""
    content = BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with plt.rc_context({"svg.hashsalt": "capacity"}):
        artist.figure.savefig(content, format=kind, metadata=dates[kind])
    plt.close(artist.figure)
    return content.getvalue()


def plot_report(ax: Any, allocation: Any, bands: Any = None) -> Any:
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

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> len(plot_report(ax, {"capacity": np.array([0.25, 0.5, 1.0, 1.0])})), ax.get_ylabel()
    (1, 'capacity per input')
    """
    name, values = list(allocation.items())[-1]
    if np.ndim(values) == 2:
        artists = list(plot_input_map(ax, values, title=name))
        ax.set(xlabel="column of the input", ylabel="row of the input", aspect="equal")
        return artists
    if np.ndim(values) != 1:
        raise ValueError(f"allocation: expected one or two axes, got shape {np.shape(values)}; sum over the others")
    n, artists = common_length(allocation, "allocation"), []
    for (label, curve), color in zip(allocation.items(), capacity_colors(allocation).values()):
        artists += ax.plot(np.arange(n), curve, color=color, label=label, drawstyle="steps-mid")
    for (label, (low, high)), alpha in zip((bands or {}).items(), (0.2, 0.35)):
        artists += [
            ax.fill_between(
                np.arange(n), low, high, step="mid", color=COLORS["capacity"], alpha=alpha, linewidth=0, label=label
            )
        ]
    lag_axis(ax, n) if n >= 4 else ax.set_xlabel("input, oldest first")
    ax.set(ylabel="capacity per input")
    ax.set_ylim(bottom=0)
    if len(artists) > 1:
        short = sum(len(artist.get_label()) for artist in artists) < 80
        legend_above(ax, ncols=3 if short else 1)
    return artists


def plot_input_map(
    ax: Any,
    field: Any,
    *,
    extent: Any = None,
    receptive: Any = None,
    holding: Any = None,
    share: Any = None,
    title: Any = None,
) -> Any:
    """Draw what a unit spends on each position of a plane, as square roots of the shares of the largest.

    Parameters
    ----------
    ax : Axes
    field : ndarray, shape (rows, columns)
        Shares of the positions.
    extent : tuple of float, optional
        Left, right, bottom and top edge in units of the axes. Default: positions counted from 0.
    receptive : tuple of float, optional
        Left, right, bottom and top edge of the receptive field: a dashed box, drawn within the plane.
    holding : tuple of float, optional
        The same of a box that holds a share of the capacity.
    share : str, optional
        The name of that share, such as "half", written above its box.
    title : str, optional

    Returns
    -------
    list of artists

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> plot_input_map(Figure().subplots(), np.array([[0.0, 0.25], [0.0, 1.0]]))[0].get_array().tolist()
    [[0.0, 0.5], [0.0, 1.0]]
    """
    rows, columns = np.shape(field)
    extent = (-0.5, columns - 0.5, rows - 0.5, -0.5) if extent is None else extent
    shown = np.sqrt(field / np.max(field))
    artists = [
        ax.imshow(shown, cmap=SHADES["capacity"], vmin=0, vmax=1, interpolation="nearest", extent=extent, aspect="auto")
    ]
    left, right, bottom, top = extent
    boxes = ((receptive, COLORS["reference"], "--"), (holding, COLORS["reference"], "-"))
    for box, color, style in boxes:
        if box is not None:
            x = np.clip(box[:2], min(left, right), max(left, right))
            y = np.clip(box[2:], min(bottom, top), max(bottom, top))
            patch = mpl.patches.Rectangle(
                (x[0], y[0]), x[1] - x[0], y[1] - y[0], fill=False, edgecolor=color, linestyle=style, clip_on=False
            )
            artists.append(ax.add_patch(patch))
    if holding is not None and share is not None:
        above = max(holding[2:]) if bottom < top else min(holding[2:])
        where = (np.clip(np.mean(holding[:2]), min(left, right), max(left, right)), above)
        color = COLORS["reference"]
        ax.annotate(share, where, (0, 2), textcoords="offset points", ha="center", va="bottom", color=color)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.grid(visible=False)
    if title:
        ax.set_title(title, weight="normal", loc="center")
    return artists
