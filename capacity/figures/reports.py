"""Plots of reports on a network: capacity per input, with intervals, along one axis or on a grid."""

from io import BytesIO
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity._validation import common_length
from capacity.figures.style import (
    COLORS,
    SHADES,
    capacity_colors,
    lag_axis,
    legend_above,
    plain_log_ticks,
    readable,
    tints,
    use_style,
    with_minus,
)

__all__ = ["figure_file", "new_axes", "plot_input_map", "plot_look_back", "plot_report", "plot_steps_back"]


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


def plot_steps_back(ax, profiles):
    """Draw which share of the capacity of networks lies at lag k or beyond.

    Parameters
    ----------
    ax : Axes
    profiles : dict of str to (ndarray, int)
        Capacity by step, the oldest first, and which of these steps is lag 1, that of the output; what lies ahead of it
        has lags 0, -1, ... What stands before a colon in a name is written on the curve.

    Returns
    -------
    list of Line2D

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> profiles = {"A: short": (np.array([0.25, 0.75]), 1), "B: long": (np.full(4, 0.25), 3)}
    >>> [line.get_ydata()[:2] for line in plot_steps_back(Figure().subplots(), profiles)]
    [array([1.  , 0.25]), array([1.  , 0.75])]
    """
    lines, ends, levels = [], [1, 2], np.linspace(0.8, 0.25, len(profiles)) if len(profiles) > 1 else [0.5]
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    looks = zip(tints("capacity", len(profiles)), cycle(("-", "--", "-.", ":")), levels)
    for (name, (curve, step)), (color, style, level) in zip(profiles.items(), looks):
        lags = np.r_[step + 1 - np.arange(len(curve))[::-1], step + 2]
        behind = np.r_[np.cumsum(curve)[::-1] / np.sum(curve), 0]
        lines += ax.plot(lags, behind, style, color=color, label=name)
        ends += [lags[0], lags[-1]]
        at, letter = np.argmax(behind <= level), name.partition(":")[0]
        ax.text(lags[at], behind[at], letter, ha="center", va="center", bbox=box, color=readable(color))
    _octaves(ax, min(ends), max(ends))
    ahead = ", below 1 ahead" if min(ends) < 1 else ""
    ax.set(ylim=(0, 1.04), ylabel="share at lag k or beyond", xlabel=f"lag k (log scale{ahead})")
    if len(lines) > 1:
        legend_above(ax, handlelength=2.5)
    return lines


def plot_look_back(ax, found, networks=None):
    """Draw what the linear prediction of a series leaves by look-back, and what networks can hold there.

    Parameters
    ----------
    ax : Axes
    found : LookBack
        What `capacity.tasks.look_back` found.
    networks : dict of str to (int, float), optional
        Lags, and the share of the variance expected to be left, by the name of the mark; what stands before a colon is
        written above it.

    Returns
    -------
    list of artists

    Examples
    --------
    >>> from capacity import GaussianProcess
    >>> from capacity.tasks import look_back
    >>> from matplotlib.figure import Figure
    >>> found = look_back(GaussianProcess().sample(500, rng=0), 16, rng=0)
    >>> [artist.get_label() for artist in plot_look_back(Figure().subplots(), found)[1:3]]
    ['expected on new samples', 'left on these']
    """
    lags = np.arange(found.left.size)
    ends = (found.expected * np.exp(sign * found.errors) for sign in (-1, 1))
    told = "one standard error, relative to the best"
    artists = [ax.fill_between(lags, *ends, alpha=0.25, linewidth=0, color=COLORS["loss"], label=told)]
    artists += ax.plot(lags, found.expected, color=COLORS["loss"], label="expected on new samples")
    artists += ax.plot(lags, found.left, "--", color=COLORS["reference"], label="left on these")
    artists += [ax.axvline(found.shortest, color=COLORS["reference"], linestyle=":", label=f"{found.shortest} lags")]
    for name, (at, left) in (networks or {}).items():
        artists += ax.plot(at, left, "^", color=COLORS["capacity"], markersize=6, label=name)
        letter, color = name.partition(":")[0], readable(COLORS["capacity"])
        ax.annotate(letter, (at, left), (0, 6), textcoords="offset points", color=color, ha="center")
    _octaves(ax, 0, lags[-1])
    ax.set(xlabel="look-back (past values, log scale)", ylabel="share of the variance (log scale)", yscale="log")
    plain_log_ticks(ax.yaxis)
    legend_above(ax, ncols=2)
    return artists


def _octaves(ax, low, high):
    """A horizontal axis of whole numbers, linear up to one, with zero and powers of four as ticks."""
    powers = [4**k for k in range(16)]
    ticks = [tick for tick in [*(-each for each in powers[::-1]), 0, *powers] if low <= tick <= high]
    ax.set_xscale("symlog", linthresh=1, linscale=0.4)
    ax.set_xlim(low, high)
    ax.set_xticks(ticks, [with_minus(tick) for tick in ticks])
    ax.xaxis.set_minor_locator(mpl.ticker.NullLocator())


def plot_input_map(ax, field, *, extent=None, receptive=None, holding=None, share=None, title=None):
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
