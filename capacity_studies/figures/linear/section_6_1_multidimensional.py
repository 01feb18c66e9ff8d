"""Figures of the chapter linear/6-1-multidimensional."""

import numpy as np
from matplotlib import pyplot as plt

from capacity._validation import common_length
from capacity.figures import COLORS, channel_label, lag_axis, plot_strips, point_out
from capacity.figures.style import capacity_colors

__all__ = [
    "components_figure",
    "figure_12",
    "plot_allocation_per_component",
    "plot_boxes",
]


def components_figure(c, small_spaces):
    """A small model, three layers on eight positions, fitted to one component and to four."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), sharey=True)
    for ax, d in zip(axes, (1, 4)):
        plot_boxes(ax, small_spaces[d, c].spatial(d), d)
        ax.set_title(f"{d} component{'s' * (d > 1)}: {small_spaces[d, c].total} of {8 * d}")
    axes[1].set_ylabel("")
    return fig


def figure_12(largest, allocations, channel_counts, n, optima):
    """Figure 12 of paper 1; dotted, the optimum where it is known."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7))
    for ax, d in zip(axes, (1, largest)):
        shares = {c: allocations[d, c] / d for c in channel_counts}
        plot_strips(ax, shares, labels=None if d == 1 else [""] * len(shares))
        for row, c in enumerate(c for c in channel_counts if (d, c) in optima):
            drawn = 1.2 * row + optima[d, c] / d
            ax.plot(drawn, ":", color="black", linewidth=0.9, drawstyle="steps-mid", label="the optimum")
        ax.set(title=f"{d} component{'s' * (d > 1)}: full is {d}", ylim=(-0.1, 1.2 * len(shares) + 1.4))
    axes[1].set_ylabel("")
    fig.legend(handles=axes[0].lines[:1], loc="outside upper right")
    top = 1.2 * (len(channel_counts) - 1)
    one, most = (allocations[d, channel_counts[-1]] / d for d in (1, largest))
    point_out(axes[0], "full everywhere", (n // 2, top + 1), (0.5, 0.92), when=one.min() > 0.98)
    full = most[-1] > 0.98 > most.min()
    point_out(axes[1], "full at the\nshortest lags", (n - 1, top + 1), (0.72, 0.92), when=full)
    again = most[1] > most.min() + 0.05
    point_out(axes[1], "the oldest\nrise again", (1, top + most[1]), (0.2, 0.92), when=again)
    return fig


def plot_boxes(ax, capacities, components):
    """Fill the capacity of each position into as many boxes as it has components, and say where all are full.

    Parameters
    ----------
    ax : Axes
    capacities : ndarray, shape (n,)
        Capacity per position, the oldest first.
    components : int
        Number d of boxes of height 1. The words stand right above the boxes, so axes that share their scale need a
        height of d + 1.5 for the largest d.
    """
    n = len(capacities)
    artists = [ax.bar(range(n), capacities, width=0.8, color=COLORS["capacity"], linewidth=0)]
    for level in range(components):
        outline = {"width": 0.8, "facecolor": "none", "edgecolor": COLORS["reference"], "linewidth": 0.6}
        artists.append(ax.bar(range(n), 1, bottom=level, **outline))
    lag_axis(ax, n)
    ax.set(ylabel="capacity per position", ylim=(0, components + 1.5), yticks=range(components + 1))
    ax.grid(visible=False)
    least, most = int(np.argmin(capacities)), int(np.argmax(capacities))
    height = (components + 0.9) / ax.get_ylim()[1]
    everywhere = capacities[least] > 0.98 * components
    words, at, to = ("full everywhere", 0.5, n // 2) if everywhere else ("full", 0.9, n - 1)
    full, free = capacities[most] > 0.98 * components, capacities[least] < 0.8 * components
    artists.append(point_out(ax, words, (to, components), (at, height), when=full))
    artists.append(point_out(ax, "room left", (least, capacities[least]), (0.4, height), when=free))
    return list(filter(None, artists))


def plot_allocation_per_component(ax, allocations, components, *, colors=None, labels=None):
    """Draw capacity per position divided by the number of components; the right axis shows the undivided capacity.

    Parameters
    ----------
    ax : Axes
    allocations : dict to ndarray, shape (n,)
        Capacity per position (not divided), by channel count or any key.
    components : int or dict
        Number d of components, for all or by the same keys. Only with one d for all is there a right axis.
    """
    n, lines = common_length(allocations, "allocations"), []
    colors = colors or capacity_colors(allocations)
    for key, values in allocations.items():
        d = components[key] if isinstance(components, dict) else components
        label = labels[key] if labels else channel_label(key)
        lines += ax.plot(np.arange(n), values / d, color=colors[key], label=label, drawstyle="steps-mid")
    lag_axis(ax, n)
    ax.set(ylabel="capacity per position\nand component", ylim=(0, 1.05))
    if not isinstance(components, dict):
        right = ax.secondary_yaxis("right", functions=(lambda y: y * components, lambda y: y / components))
        right.set_ylabel("capacity per position")
    return lines
