"""Plots for questions of practitioners: how far a network reaches, and what a measurement of its reach finds."""

from itertools import cycle

import numpy as np
from matplotlib.ticker import NullLocator

from capacity.figures.style import COLORS, PALETTE, direct_labels, legend_above, tints

__all__ = ["plot_reach", "plot_truncations"]


def plot_reach(ax, sizes, reach, *, xlabel, ylabel="recent lags", log=True):
    """Draw how far something reaches back, {label: lengths}, against a size, with the whole receptive field dashed.

    Parameters
    ----------
    ax : Axes
    sizes : ndarray, shape (k,)
    reach : dict of str to ndarray, shape (k,)
        The first is the whole field.
    xlabel, ylabel : str
    log : bool, optional
        Whether both axes are logarithmic.

    Returns
    -------
    list of Line2D
    """
    lines, styles = [], cycle([("--", COLORS["reference"]), *(("o-", color) for color in tints("capacity", 2)[::-1])])
    for (label, lengths), (style, color) in zip(reach.items(), styles):
        lines += ax.plot(sizes, lengths, style, color=color, markersize=4, label=label)
    if log:
        ax.set_xscale("log", base=2)
        ax.set_yscale("log", base=2)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:.0f}")
        ax.set_xticks(sizes)
        ax.xaxis.set_minor_locator(NullLocator())
    ax.set(xlabel=xlabel + " (log scale)" * log, ylabel=ylabel + " (log scale)" * log)
    ax.autoscale_view()
    direct_labels(ax, lines, gap=0.085)
    return lines


def plot_truncations(ax, lengths, differences, *, field, tolerance):
    """Draw by how much an output changes if only the last inputs are given, where it changes at all.

    Parameters
    ----------
    ax : Axes
    lengths : ndarray, shape (k,)
        How many inputs are given.
    differences : ndarray, shape (k,)
        Absolute differences from the output of all inputs; zeros are left out.
    field : int
        Length of the receptive field, a dotted line.
    tolerance : float
        What a comparison of floats allows, a dashed line.

    Returns
    -------
    list of Line2D
    """
    shown = np.asarray(differences) > 0
    lines = ax.plot(np.asarray(lengths)[shown], np.asarray(differences)[shown], ".", color=PALETTE[0], label="change")
    lines.append(ax.axvline(field, color=COLORS["reference"], linestyle=":", label="receptive field"))
    lines.append(ax.axhline(tolerance, color=COLORS["reference"], linestyle="--", label="tolerance"))
    ax.set(yscale="log", xlabel="inputs given", ylabel="change of the output (log scale)")
    legend_above(ax, ncols=3)
    return lines
