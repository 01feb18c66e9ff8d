"""Figures of the chapter beyond/weight-scale."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, direct_labels, legend_above, plot_decay, plot_orders, plot_profiles, tints
from capacity.figures.style import plain_log_ticks, readable

__all__ = [
    "biases_and_memory",
    "channels",
    "plot_highlighted",
    "scale",
]


def scale(sites, profiles, limit, numbers, straight, chosen):
    """Where the capacity of residual layers arrives, by depth; and what stays on the straight path, by exponent."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.4), width_ratios=[5, 4])
    plot_profiles(axes[0], sites, profiles, reference=limit, reference_label="limit")
    plot_highlighted(axes[1], numbers, straight, chosen)
    axes[0].set(ylim=(-0.03, 1.05), title="where capacity arrives")
    axes[1].set(ylim=(-0.05, 1.05), title="straight path")
    axes[0].legend(loc="upper right", handlelength=1, borderpad=0.1)
    fig.get_layout_engine().execute(fig)
    fig.set_layout_engine("none")  # the panels keep their places
    return fig


def biases_and_memory(lengths, biased, lags, remembered, growth):
    """Capacity of biases over that of inputs by depth, capacity by lag in units of the memory, and growth by steps."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.7))
    lines = plot_decay(axes[0], lengths, biased, colors=tints("capacity", len(biased)))
    axes[0].set(xscale="log", yscale="log", xlabel="layers $L$ (log scale)", ylabel="biases / inputs (log scale)")
    references = {"limit": np.exp(-lags)}
    plot_decay(axes[1], lags, remembered, colors=tints("capacity", len(remembered)), references=references)
    axes[1].set(ylim=(-0.05, 1.6), xlabel="lag / $T$", ylabel=r"$T \times$ capacity")
    lines += plot_decay(axes[2], lengths, growth)
    axes[2].set(
        xscale="log", yscale="log", ylim=(0.5, 1e12), xlabel="steps $T$ (log scale)", ylabel="growth (log scale)"
    )
    for line in (lines[2], lines[6]):
        line.set_linestyle("--")  # where two nearly coincide
    for ax in axes:
        legend_above(ax, handlelength=1.5)
    return fig


def channels(counts, variance, rule, single, scatter, law):
    """Variance of the profile against channels, sampled and by the rule; scatter of single networks and its law."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    colors = ["C3", "C0", "C2"]
    laws = {f"$p = {p:g}$": [rule[p, c] for c in counts] for p in (0.25, 0.5, 0.75)}
    lines = plot_decay(axes[0], counts, laws, colors=colors)
    for p, color in zip((0.25, 0.5, 0.75), colors):
        axes[0].plot(counts, [variance[p, c] for c in counts], "o", color=color)
    axes[0].set(xscale="log", yscale="log", xlabel="channels (log scale)", ylabel="variance (log scale)")
    axes[0].set_xticks(counts, counts)
    axes[0].minorticks_off()
    direct_labels(axes[0], lines)
    plot_orders(axes[1], single, scatter, law=law)
    axes[1].set(xlabel="channels (log scale)", ylabel="scatter (log scale)")
    return fig


def plot_highlighted(ax, x, curves, chosen):
    """Draw curves against depth on a logarithmic axis, {name: values}, one in the colour of capacity, others in grey.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (points,)
    curves : dict of str to ndarray, shape (points,)
        Each is named at its last point where it is the chosen one.
    chosen : str
        The name of the curve in colour.

    Returns
    -------
    list of Line2D
        One per curve, in the order given.
    """
    lines = []
    for name, values in curves.items():
        if name == chosen:
            lines += ax.plot(x, values, "o-", color=COLORS["capacity"], markersize=3, zorder=3)
            above = values[-1] < 0.5 * np.max(list(curves.values()))
            ax.annotate(
                name,
                (x[-1], values[-1]),
                (-2, 5 if above else -5),
                textcoords="offset points",
                ha="right",
                va="bottom" if above else "top",
                color=readable(COLORS["capacity"]),
                in_layout=False,  # the axes keep their place whichever curve is chosen
            )
        else:
            lines += ax.plot(x, values, color=COLORS["reference"], alpha=0.35, linewidth=0.8)
    ax.set(xscale="log", xlabel="layers $L$ (log scale)")
    plain_log_ticks(ax.xaxis)
    return lines
