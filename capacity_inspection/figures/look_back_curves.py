"""Plots of look-backs: what the past of a series tells, and how far back networks spend their capacity."""

from itertools import cycle
from typing import Any

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, legend_above, plain_log_ticks, readable, tints, with_minus

__all__ = ["plot_look_back", "plot_steps_back"]


def plot_steps_back(ax: Any, profiles: Any) -> Any:
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


def plot_look_back(ax: Any, found: Any, networks: Any = None) -> Any:
    """Draw what the linear prediction of a series leaves by look-back, and what networks can hold there.

    Parameters
    ----------
    ax : Axes
    found : LookBack
        What `capacity_inspection.look_back` found.
    networks : dict of str to (int, float), optional
        Lags, and the share of the variance expected to be left, by the name of the mark; what stands before a colon is
        written above it.

    Returns
    -------
    list of artists

    Examples
    --------
    >>> from capacity import GaussianProcess
    >>> from capacity_inspection.look_backs import look_back
    >>> from matplotlib.figure import Figure
    >>> found = look_back(GaussianProcess().sample(500, rng=0), 16)
    >>> [artist.get_label() for artist in plot_look_back(Figure().subplots(), found)[1:3]]
    ['left on later values', 'left on those that are fitted']
    """
    lags = np.arange(found.left.size)
    ends = (np.maximum(found.held_out + sign * found.errors, found.held_out / 10) for sign in (-1, 1))
    label = "one standard error, relative to the best"
    artists = [ax.fill_between(lags, *ends, alpha=0.25, linewidth=0, color=COLORS["loss"], label=label)]
    artists += ax.plot(lags, found.held_out, color=COLORS["loss"], label="left on later values")
    artists += ax.plot(lags, found.left, "--", color=COLORS["reference"], label="left on those that are fitted")
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
