"""Figures of the chapter linear/appendix-c."""

import numpy as np
from matplotlib import pyplot as plt
from scipy.ndimage import uniform_filter1d

from capacity.figures import COLORS, layer_colors, plot_allocation, plot_on_log_lags, point_out
from capacity.figures.style import frameless

__all__ = ["figure_15", "going_on", "orders_figure", "plot_dilations"]


def orders_figure(c, towers, orders, heights, colors):
    """Fifteen layers in two orders, each drawn as wide as its dilation, the first at the bottom."""
    fig, axes = plt.subplots(1, 3, figsize=(4.6, 2.6))
    for ax, tower, name in zip(axes, towers[c], orders):
        plot_dilations(ax, tower)
        ax.set_title(name)
    axes[1].set_ylabel("")
    axes[2].bar_label(axes[2].bar(["tiled", "repeated"], heights[c], color=list(colors.values())))
    n = towers[c][0].n_positions
    axes[2].axhline(n, color=COLORS["reference"], linestyle="--", linewidth=1)
    axes[2].set(ylim=(0, 1.44 * n), ylabel="total capacity", yticks=[0, n // 2, n])
    point_out(axes[2], "one per input", (0.2, n), (0.5, 0.92))
    return fig


def figure_15(allocations, colors, models, n):
    """Figure 15 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.9), sharey=True)
    smooth = {name: uniform_filter1d(values, 16, mode="nearest") for name, values in allocations.items()}
    plot_allocation(axes[0], allocations, colors=colors, linewidth=0.5, alpha=0.4)
    lines = plot_allocation(axes[0], smooth, colors=colors, linewidth=2, labels={name: name for name in models})
    plot_on_log_lags(axes[1], allocations, colors=colors, linewidth=0.5, alpha=0.4)
    plot_on_log_lags(axes[1], smooth, colors=colors, linewidth=2)
    axes[1].set_ylabel("")
    axes[0].set(ylim=(0, 1.35), yticks=[0, 0.5, 1])
    dark, pale = (smooth[name][::-1] for name in models)  # by lag
    far, near = round(0.9 * n) - 1, round(0.26 * n) - 1
    more = pale[far] > dark[far]
    point_out(axes[0], "repeated layers\nhave more here", (n - 1 - far, pale[far]), (0.22, 0.65), when=more)
    more = dark[near] > pale[near]
    point_out(axes[0], "tiled blocks\nhave more here", (n - 1 - near, dark[near]), (0.5, 0.9), when=more)
    full = min(values[-8] for values in allocations.values()) > 0.95
    point_out(axes[1], "both are full at short lags", (8, 1.0), (0.6, 0.92), when=full)
    fig.legend(handles=lines, loc="outside upper center", ncols=2)
    return fig


def going_on(sides, colors):
    """Share of the capacity that goes to the oldest third of the inputs, against the loss, while the fits go on."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), sharex=True, sharey=True)
    for ax, (title, paths) in zip(axes, sides.items()):
        for name, (losses, shares) in paths.items():
            lines = ax.plot(losses.T, shares.T, "o-", color=colors[name], markersize=3, linewidth=1.2)
            lines[0].set_label(name)
        ax.axhline(1 / 3, color=COLORS["reference"], linestyle="--", linewidth=1)
        ax.set(xscale="log", xlabel="loss (log scale)", title=title)
    axes[0].annotate(
        "as large as its share of the inputs", (0.02, 0.338), xycoords=("axes fraction", "data"), va="bottom"
    )
    axes[0].invert_xaxis()
    largest = max(shares.max() for paths in sides.values() for _, shares in paths.values())
    axes[0].set(ylabel="share of the oldest third", ylim=(0, max(0.4, 1.1 * largest)))
    fig.legend(handles=axes[0].get_legend_handles_labels()[0], loc="outside upper center", ncols=2)
    return fig


def plot_dilations(ax, model):
    """Draw a stack of dilated convolutions as a tower: one bar per layer, as wide as its dilation, from the bottom up.

    Parameters
    ----------
    ax : Axes
    model : DilatedConvolution
        Layers of the same dilation have the same colour, from dark to light, and the width written beside the bar.

    Returns
    -------
    list of artists
    """
    steps, layers = sorted(set(model.dilations)), np.arange(1, model.n_layers + 1)
    colors = dict(zip(steps, layer_colors(len(steps))))
    bars = ax.barh(layers, model.dilations, height=0.8, color=[colors[dilation] for dilation in model.dilations])
    names = [ax.text(dilation, y, f" {dilation}", va="center_baseline") for y, dilation in zip(layers, model.dilations)]
    frameless(ax)
    ax.set(xlabel="dilation", ylabel="layers, upwards", xlim=(0, 1.2 * steps[-1]), xticks=[], yticks=[])
    return [*bars, *names]
