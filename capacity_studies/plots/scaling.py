"""Plots of scaling laws: totals and losses over many models, with fitted laws."""

from itertools import cycle

import numpy as np

from capacity.figures.style import COLORS, PALETTE, direct_labels, tints

__all__ = ["plot_capacity_growth", "plot_limits", "plot_loss_laws", "plot_slopes", "plot_times", "process_color"]

_COLORS = {"power law": PALETTE[0], "fractional noise": PALETTE[1], "exponential mixture": PALETTE[2]}


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


def plot_times(ax, sizes, times, *, xlabel):
    """Draw the seconds that methods take against a size, {method: seconds}, on logarithmic axes."""
    lines = []
    for (method, seconds), color in zip(times.items(), cycle(PALETTE)):
        lines += ax.plot(sizes, seconds, "o-", color=color, label=method)
    _powers_of_two(ax, "x")
    ax.set(yscale="log", xticks=sizes, xlabel=f"{xlabel} (log scale)", ylabel="seconds (log scale)")
    direct_labels(ax, lines)
    return lines


def plot_limits(ax, steps):
    """Draw the seconds of steps against the least that a limit allows, {step: (least, seconds)}, on log axes."""
    lines = []
    for (step, (least, seconds)), color in zip(steps.items(), cycle(PALETTE[1:])):
        lines += ax.loglog(least, seconds, "o-", color=color, label=step)
    lines += ax.loglog(ax.dataLim.intervalx, ax.dataLim.intervalx, color="0.6", label="limit of the machine")
    ax.set(xlabel="seconds at the limit (log scale)", ylabel="seconds (log scale)")
    ax.legend()  # the lines cross
    return lines


def _powers_of_two(ax, *names):
    for name in names:
        getattr(ax, f"set_{name}scale")("log", base=2)
        getattr(ax, f"{name}axis").set_major_formatter("{x:.0f}")
