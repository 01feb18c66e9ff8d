"""Figures of the chapter beyond/benchmarks."""

from itertools import cycle

from matplotlib import pyplot as plt

from capacity.figures import PALETTE, direct_labels

__all__ = [
    "figure_kernels",
    "figure_times",
    "plot_limits",
    "plot_times",
]


def figure_times(counts, times):
    """Time of one fit and one capacity per input against the number of channels, by method."""
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    plot_times(ax, counts, times, xlabel="channels")
    return fig


def figure_kernels(steps):
    """Time of each step of a capacity against the least that the machine allows: {step: (least, times)}."""
    fig, ax = plt.subplots(figsize=(4.6, 3.2))
    plot_limits(ax, steps)
    return fig


def plot_times(ax, sizes, times, *, xlabel):
    """Draw the seconds that methods take against a size, {method: seconds}, on logarithmic axes."""
    lines = []
    for (method, seconds), color in zip(times.items(), cycle(PALETTE)):
        lines += ax.plot(sizes, seconds, "o-", color=color, label=method)
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:.0f}")
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
