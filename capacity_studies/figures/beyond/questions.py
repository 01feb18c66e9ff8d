"""Figures of the chapter beyond/questions."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.ticker import NullLocator

from capacity.figures import COLORS, PALETTE, direct_labels, legend_above, plot_allocation, plot_on_log_lags, tints

__all__ = [
    "plot_reach",
    "plot_truncations",
    "questions_column",
    "questions_measured",
    "questions_memory",
    "questions_stacks",
    "questions_wasted",
]


def questions_stacks(random, expected, trained):
    """Capacity per input of one stack of dilations and of two shorter ones with about the same receptive field and
    about as many parameters.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.5), sharey=True)
    widest, colors = max(map(len, trained.values())), dict(zip(trained, tints("capacity", len(trained))))

    def aligned(curves):
        return {name: np.pad(v, (widest - len(v), 0), constant_values=np.nan) for name, v in curves.items()}

    style = {"labels": {name: name for name in trained}, "linewidth": 1}
    plot_allocation(axes[0], aligned(random), colors=colors, **style)
    grey = dict.fromkeys(trained, COLORS["reference"])
    plot_allocation(axes[0], aligned(expected), colors=grey, linestyle="--", **style)
    plot_allocation(axes[1], aligned(trained), colors=colors, **style)
    axes[0].set_title("before training", pad=20)
    axes[1].set_title("after the fit", pad=20)
    axes[1].set_ylabel("")
    legend_above(axes[1], ncols=2)
    return fig


def questions_wasted(sizes, half, most):
    """The most recent lags that hold half and 90 % of the capacity of fitted stacks with two channels, against the
    receptive field; both axes are logarithmic.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.8))
    reach = {"whole field": sizes, "hold half": np.array(half), "hold 90 %": np.array(most)}
    plot_reach(ax, sizes, reach, xlabel="receptive field")
    return fig


def questions_memory(curves):
    """Capacity per input of a diagonal state space with eight pairs of poles, at the start of S4D-Lin and after a
    fit to a process of long memory.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    plot_on_log_lags(ax, curves, colors=dict(zip(curves, tints("capacity", len(curves))[::-1])))
    legend_above(ax, ncols=2)
    return fig


def questions_measured(lengths, changes, field):
    """By how much the output of a network changes if it is given only the last inputs, against their number."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    plot_truncations(ax, lengths, changes, field=field, tolerance=1e-5)
    return fig


def questions_column(named, fields, sides):
    """Side of the receptive field of each layer, and of the box that holds 90 % of the capacity of one output."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    wide = {"whole field": np.array(fields), "holds 90 %": np.array(sides)}
    plot_reach(ax, np.arange(1, len(named) + 1), wide, xlabel="layer", ylabel="side (pixels)", log=False)
    ax.set_xticks(np.arange(1, len(named) + 1), named, rotation=30, ha="right")
    ax.yaxis.get_major_locator().set_params(integer=True)
    return fig


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
    direct_labels(ax, lines, spacing=0.085)
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
