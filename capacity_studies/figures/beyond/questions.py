"""Figures of the chapter beyond/questions."""

import numpy as np
from matplotlib import pyplot as plt

from capacity_studies import plots

__all__ = ["questions_column", "questions_measured", "questions_memory", "questions_stacks", "questions_wasted"]


def questions_stacks(random, expected, trained):
    """Capacity per input of one stack of dilations and of two shorter ones with about the same receptive field and
    about as many parameters.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.5), sharey=True)
    widest, colors = max(map(len, trained.values())), dict(zip(trained, plots.tints("capacity", len(trained))))

    def aligned(curves):
        return {name: np.pad(v, (widest - len(v), 0), constant_values=np.nan) for name, v in curves.items()}

    style = {"labels": {name: name for name in trained}, "linewidth": 1}
    plots.plot_allocation(axes[0], aligned(random), colors=colors, **style)
    grey = dict.fromkeys(trained, plots.COLORS["reference"])
    plots.plot_allocation(axes[0], aligned(expected), colors=grey, linestyle="--", **style)
    plots.plot_allocation(axes[1], aligned(trained), colors=colors, **style)
    axes[0].set_title("before training", pad=20)
    axes[1].set_title("after the fit", pad=20)
    axes[1].set_ylabel("")
    plots.legend_above(axes[1], ncols=2)
    return fig


def questions_wasted(sizes, half, most):
    """The most recent lags that hold half and 90 % of the capacity of fitted stacks with two channels, against the
    receptive field; both axes are logarithmic.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.8))
    reach = {"whole field": sizes, "hold half": np.array(half), "hold 90 %": np.array(most)}
    plots.plot_reach(ax, sizes, reach, xlabel="receptive field")
    return fig


def questions_memory(curves):
    """Capacity per input of a diagonal state space with eight pairs of poles, at the start of S4D-Lin and after a
    fit to a process of long memory.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    plots.plot_on_log_lags(ax, curves, colors=dict(zip(curves, plots.tints("capacity", len(curves))[::-1])))
    plots.legend_above(ax, ncols=2)
    return fig


def questions_measured(lengths, changes, field):
    """By how much the output of a network changes if it is given only the last inputs, against their number."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    plots.plot_truncations(ax, lengths, changes, field=field, tolerance=1e-5)
    return fig


def questions_column(named, fields, sides):
    """Side of the receptive field of each layer, and of the box that holds 90 % of the capacity of one output."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    wide = {"whole field": np.array(fields), "holds 90 %": np.array(sides)}
    plots.plot_reach(ax, np.arange(1, len(named) + 1), wide, xlabel="layer", ylabel="side (pixels)", log=False)
    ax.set_xticks(np.arange(1, len(named) + 1), named, rotation=30, ha="right")
    ax.yaxis.get_major_locator().set_params(integer=True)
    return fig
