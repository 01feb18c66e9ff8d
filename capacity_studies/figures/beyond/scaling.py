"""Figures of the chapter beyond/scaling."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels, plot_totals, point_out, tints

__all__ = [
    "bend",
    "figure_capacity",
    "figure_loss",
    "figure_recurrent",
    "plot_capacity_growth",
    "plot_loss_laws",
    "plot_slopes",
    "process_color",
]

_COLORS = {"power law": PALETTE[0], "fractional noise": PALETTE[1], "exponential mixture": PALETTE[2]}


def bend(channel_counts, numbers, totals, n_inputs):
    """Numbers of parameters and total capacities of hierarchical models against their channels, and the power law
    through the first two capacities.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.4))
    lines = plot_totals(ax, channel_counts, numbers, totals, n_inputs)
    ax.get_legend().remove()
    law = totals[0] * np.array(channel_counts) ** np.log2(totals[1] / totals[0])
    lines[2:] = ax.plot(channel_counts, law, ":", color=COLORS["reference"])
    ax.set_ylim(2, 20_000)
    direct_labels(ax, lines, ["parameters", "capacity", "power law"])
    full = int(np.argmax(totals == n_inputs))
    point_out(ax, f"full: the {n_inputs} inputs", (channel_counts[full], n_inputs), (0.78, 0.12), in_layout=False)
    return fig


def figure_capacity(channels, totals, doublings, slopes):
    """Total capacity against channels, by depth; and local exponents, by what they are of, at doublings of channels."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    plot_capacity_growth(axes[0], channels, totals)
    plot_slopes(axes[1], doublings, slopes)
    point_out(axes[0], "level: full", (channels[-1], 8), (0.75, 0.1))
    point_out(axes[1], "to 2", (np.sqrt(doublings[-1] * doublings[-2]), slopes["parameters"][-1]), (0.8, 0.7))
    fig.get_layout_engine().set(wspace=0.1)
    return fig


def figure_loss(losses, exponential, power):
    """Losses of hierarchical models against channels, with both fitted laws."""
    return _loss_laws(losses, exponential, power, "channels")


def figure_recurrent(curves, exponential, power):
    """Losses of recurrent models against total capacity, with both fitted laws."""
    return _loss_laws(curves, exponential, power, "total capacity")


def _loss_laws(losses, exponential, power, xlabel):
    """Losses, {process: (x, loss)}, on a linear and on a logarithmic axis, each with the law that is straight there."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), sharey=True)
    straight = {p: (x, np.exp(exponential[p].intercept + exponential[p].slope * x)) for p, (x, _) in losses.items()}
    bent = {p: (x, np.exp(power[p].intercept) * x ** power[p].slope) for p, (x, _) in losses.items()}
    lines = plot_loss_laws(axes[0], losses, straight, xlabel=xlabel)
    plot_loss_laws(axes[1], losses, bent, xlabel=xlabel, log=True)
    axes[0].annotate("nearly straight:\nexponential", (0.95, 0.95), xycoords="axes fraction", ha="right", va="top")
    axes[1].annotate("bends:\nno power law", (0.05, 0.05), xycoords="axes fraction")
    axes[1].set_ylabel("")
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=3)
    return fig


def process_color(name):
    """Colour of a process, the same in all panels."""
    return _COLORS.get(name, COLORS["reference"])


def plot_capacity_growth(ax, channels, totals):
    """Draw total capacity against the number of channels, one line per number of layers.

    Parameters
    ----------
    ax : Axes
    channels : ndarray, shape (k,)
    totals : dict of int to ndarray, shape (k,)
        By number of layers.
    """
    lines = []
    for (layers, values), color in zip(totals.items(), tints("capacity", len(totals))):
        lines += ax.plot(channels, values, "o-", color=color, markersize=3, label=f"$L = {layers}$")
    _powers_of_two(ax, "x", "y")
    ax.set(xlabel="channels (log scale)", ylabel="total capacity (log scale)")
    direct_labels(ax, lines)
    return lines


def plot_slopes(ax, channels, slopes):
    """Draw local exponents, between neighbouring numbers of channels, {label: slopes}."""
    middle, lines = np.sqrt(channels[1:] * channels[:-1]), []
    for (label, values), color in zip(slopes.items(), cycle([COLORS["parameters"], COLORS["capacity"]])):
        lines += ax.plot(middle, values, "o-", color=color, markersize=3, label=label)
    _powers_of_two(ax, "x")
    ax.set(xlabel="channels (log scale)", ylabel="local exponent")
    ax.legend(loc="best")
    return lines


def plot_loss_laws(ax, losses, laws, *, xlabel, log=False):
    """Draw losses {process: (x, loss)} on a logarithmic axis, and fitted laws {process: (x, loss)} dashed."""
    lines = []
    for name, (x, values) in losses.items():
        lines += ax.plot(x, values, "o", color=process_color(name), markersize=4, label=name)
        lines += ax.plot(*laws[name], "--", color=process_color(name), linewidth=1)
    ax.set(yscale="log", ylabel="loss (log scale)", xlabel=xlabel + " (log scale)" * log)
    if log:
        _powers_of_two(ax, "x")
    return lines


def _powers_of_two(ax, *names):
    for name in names:
        getattr(ax, f"set_{name}scale")("log", base=2)
        getattr(ax, f"{name}axis").set_major_formatter("{x:.0f}")
