"""Figures of the chapter beyond/attention."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, legend_above, plot_decay, point_out, tints

__all__ = [
    "plot_by_position",
    "positions",
    "rules",
    "sharp",
    "windows",
]

_COLORS, _STYLES = (
    [COLORS["capacity"], "C0", "C5", "C2"],
    ("-", "--", "-.", ":"),
)  # the rule, rollout, its square, squares


def positions(capacities):
    """Capacity of the last token by position, under two ways to normalise; its axes never move."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6), layout="none")
    fig.subplots_adjust(left=0.17, right=0.97, bottom=0.2, top=0.96)
    plot_by_position(ax, capacities)
    ax.legend(loc="upper center", ncols=2, handlelength=2)
    return fig


def rules(panels):
    """Shares of sampled networks (points) beside the exact rule, rollout and the two ends, one panel per setting.

    Each panel is a title, the curves by name and the mean of the samples with its standard error.
    """
    fig, axes = plt.subplots(1, len(panels), figsize=(6.3, 2.9), sharey=True)
    for ax, (title, curves, samples) in zip(axes, panels):
        curve = dict(zip(curves, [samples]))
        lines = plot_decay(ax, samples.x, curves, curve, colors=_COLORS)
        for line, style in zip(lines, _STYLES):
            line.set_linestyle(style)
        plt.setp([part for bars in ax.containers for part in (*bars[1], *bars[2])], alpha=0.4, linewidth=0.8)
        ax.set(yscale="log", ylim=(1e-3, 1), xlabel="position of the token", title=title)
    axes[0].set_ylabel("capacity (log scale)")
    _, curves, samples = panels[0]
    late = 3 * len(samples.x) // 4
    found, rollout = samples.mean[late], curves["rollout"][late]
    point_out(axes[0], "rollout:\ntoo much", (samples.x[late], rollout), (0.72, 0.75), when=rollout > 2 * found)
    (lines, names), bars = axes[0].get_legend_handles_labels(), axes[0].containers[0]
    fig.legend([*lines, bars], [*names, "sampled networks"], loc="outside upper center", ncols=5, handlelength=2)
    return fig


def windows(profiles, depths, reach):
    """Capacity by distance, as a density over the span of the windows, and mean distance over span against depth."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    for (name, (lags, density)), color in zip(profiles.items(), tints("capacity", 3)[::-1]):
        axes[0].plot(lags, density, color=color, label=name)
    axes[0].axvline(0.25, color="black", linestyle=":", linewidth=0.8)
    axes[0].set(xlim=(0, 0.6), ylim=(0, None), xlabel="distance / span", ylabel="capacity (density)")
    axes[0].legend(loc="upper right", handlelength=1.5)
    lines = plot_decay(axes[1], depths, reach, colors=tints("capacity", 2))
    lines[1].set_linestyle("--")
    axes[1].axhline(0.25, color="black", linestyle=":", linewidth=0.8)
    axes[1].annotate("a quarter", (0.03, 0.252), xycoords=("axes fraction", "data"), va="bottom")
    axes[1].set(xscale="log", ylim=(0, 0.29), xlabel="layers (log scale)", ylabel="mean distance / span")
    legend_above(axes[1], handlelength=1.5)
    return fig


def sharp(sharpness, distances):
    """Distance of the rule and of three simpler ones from the squared gradients, against the size of the logits."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    lines = plot_decay(ax, sharpness, distances, colors=_COLORS)
    for line, marker, style in zip(lines, "osv^", _STYLES):
        line.set(marker=marker, linestyle=style, markersize=4)
    ax.set(xscale="log", ylim=(0, None), xlabel="size of the logits (log scale)", ylabel="distance from gradients")
    legend_above(ax, ncols=2, handlelength=2)
    return fig


def plot_by_position(ax, capacities):
    """Draw the shares of the last token's capacity on a logarithmic axis, {name: values}, the last token as a dot.

    The last token has a share of its own, next to no other, so that no line leads to it. A dotted line marks equal
    shares.

    Parameters
    ----------
    ax : Axes
    capacities : dict of str to ndarray, shape (tokens,)

    Returns
    -------
    list of Line2D
        One line for each.
    """
    lines = []
    for (name, values), color, style in zip(capacities.items(), tints("capacity", len(capacities)), ("-", "--", ":")):
        positions = np.arange(1, len(values) + 1)
        lines += ax.plot(positions[:-1], values[:-1], style, color=color, label=name)
        ax.plot(positions[-1], values[-1], "o", color=color, markersize=4, clip_on=False, zorder=3)
    ax.axhline(1 / len(positions), color=COLORS["reference"], linestyle=":", linewidth=0.8)
    ax.annotate("equal shares", (0.5, 1 / len(positions)), xycoords=("axes fraction", "data"), va="bottom")
    ax.set(yscale="log", ylim=(1e-9, 2), xlim=(1, len(positions)), xlabel="position of the token")
    ax.set_ylabel("capacity (log scale)")
    return lines
