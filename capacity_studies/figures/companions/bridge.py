"""Figures of the chapter companions/bridge."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels, tints
from capacity.figures.style import readable
from capacity.statistics import mean_interval
from capacity_studies.bridge import shared_matrix
from capacity_studies.figures.strokes import plot_shared_matrix, plot_shares

__all__ = [
    "decoupling",
    "dimensions_figure",
    "layers_figure",
    "one_matrix",
    "pieces_figure",
    "plot_dimensions_by_layer",
    "plot_layer_ranks",
    "plot_pieces_and_rank",
    "plot_rank_and_dimension",
]


def one_matrix(temperature, X, D, cold):
    """One matrix of a small recurrent model with four effective parameters: a row for each of ten inputs, the most
    recent at the bottom, a column for each sample.
    """
    M = shared_matrix(X, D, temperature)
    fig, axes = plt.subplots(2, 2, figsize=(4.6, 3.5), width_ratios=[2.6, 1], height_ratios=[2.2, 1])
    plot_shared_matrix(axes[0, 0], M, limit=0.6)
    plot_shares(axes[0, 1], (M**2).sum(axis=1), cold[0], horizontal=True)
    plot_shares(axes[1, 0], (M**2).sum(axis=0), cold[1], color=PALETTE[0])
    axes[0, 0].set(xlabel="", xticks=[])
    axes[0, 1].set(xlabel="capacity", yticks=[])
    axes[1, 0].set(xlabel="sample", ylabel="leverage")
    axes[1, 1].axis("off")
    axes[1, 0].set_ylim(0, 0.6)
    total = f"sum {(M**2).sum():.2f}\nof 4"
    axes[1, 1].text(0.5, 0.3, total, ha="center", transform=axes[1, 1].transAxes)
    return fig


def layers_figure(ranks, total):
    """The effective parameters of a leaky network with 6 inputs, two hidden layers of 10 units and 2 outputs,
    divided among its layers.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.4))
    plot_layer_ranks(ax, ranks, total)
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def dimensions_figure(scales, same, relative):
    """Effective dimension of each layer of random hard tanh networks, nine layers with the readout, at images of
    digits (means over networks, with 95 % intervals).
    """
    labels = [rf"$\sigma_w^2$ = {s:g}" for s in scales]
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.8), sharey=True)
    for ax, values in zip(axes, (same, relative)):
        intervals = {label: mean_interval(v) for label, v in zip(labels, values)}
        lines = plot_dimensions_by_layer(ax, intervals, ylabel="effective dimension")
        ax.set_ylim(0, None)
    axes[0].set_title("one temperature")
    axes[1].set_title("relative to the layer's trace")
    axes[1].set_ylabel("")
    direct_labels(axes[1], lines, spacing=0.1)
    return fig


def decoupling(slopes, ranks, dimensions, predicted):
    """One hidden layer, 8 inputs, 6 units."""
    fig, ax = plt.subplots(figsize=(6.3, 3.0))
    plot_rank_and_dimension(ax, slopes, ranks, dimensions, predicted)
    return fig


def pieces_figure(times, along):
    """Kinks and rank of networks while they are trained, for each of some targets."""
    fig, axes = plt.subplots(1, len(along), figsize=(6.3, 2.6), sharey=True)
    for ax, (name, found) in zip(axes, along.items()):
        plot_pieces_and_rank(ax, times, found[..., 0], found[..., 1])
        ax.set_title(name)
    axes[0].set_ylabel("effective parameters")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return fig


def plot_layer_ranks(ax, ranks, total):
    """Draw how many effective parameters each layer has, by the order in which the layers are taken.

    Parameters
    ----------
    ax : Axes
    ranks : dict of str to sequence of int
        {order: one number per layer}; the first order is drawn on top.
    total : int
        Rank of all layers together, drawn as a line.
    """
    artists, left = [], np.zeros(len(ranks))
    rows = np.arange(len(ranks))
    layers = list(zip(*ranks.values()))
    for layer, (values, color) in enumerate(zip(layers, tints("capacity", len(layers))), 1):
        bars = ax.barh(rows, values, left=left, height=0.7, color=color, label=f"layer {layer}")
        for row, value, start in zip(rows, values, left):
            ax.text(
                start + value / 2,
                row,
                str(value),
                ha="center",
                va="center",
                color="white" if layer < len(layers) else "black",
            )
        artists += bars
        left = left + values
    artists += [ax.axvline(total, color=COLORS["reference"], linestyle="--", linewidth=1)]
    artists += [ax.text(total, -0.52, "together ", ha="right", va="bottom")]
    ax.set_yticks(rows, list(ranks))
    ax.set(xlabel="effective parameters", ylim=(len(ranks) - 0.5, -0.5), xlim=(0, 1.04 * max(left.max(), total)))
    ax.grid(axis="y", visible=False)
    return artists


def plot_dimensions_by_layer(ax, dimensions, *, ylabel):
    """Draw a number for each layer of several networks, with intervals; the last layer is the readout.

    Parameters
    ----------
    ax : Axes
    dimensions : dict of str to (ndarray, ndarray)
        {network: (means, ends of intervals)}, of shapes (layers,) and (2, layers).
    ylabel : str
    """
    lines = []
    for (name, (mean, ends)), color, marker in zip(dimensions.items(), cycle(PALETTE), cycle("os^D")):
        layers = np.arange(1, len(mean) + 1)
        lines += ax.plot(layers, mean, marker=marker, markersize=4, color=color, label=name)
        ax.fill_between(layers, *ends, color=color, alpha=0.15, linewidth=0)
    ax.set_xticks(layers)
    ax.set(xlabel="layer (the last is the readout)", ylabel=ylabel)
    return lines


def plot_pieces_and_rank(ax, times, allowed, ranks):
    """Draw what the pieces of networks allow, and the rank that they have, during a training.

    Parameters
    ----------
    ax : Axes
    times : sequence of int
        In steps, from 0 on.
    allowed, ranks : ndarray, shape (times, networks)
    """
    ax.plot(times, ranks, color=COLORS["capacity"], linewidth=0.7, alpha=0.4)
    lines = ax.plot(
        times, allowed.mean(axis=1), "o", color=COLORS["model"], fillstyle="none", markersize=7, label="$2K + 2$"
    )
    lines += ax.plot(times, ranks.mean(axis=1), "o-", color=COLORS["capacity"], markersize=3, label="rank")
    ax.set_xscale("symlog", linthresh=times[1], linscale=0.3)
    powers = [10**k for k in range(1, 1 + int(np.log10(times[-1])))]
    ax.set_xticks([0, *powers], ["0", *map(str, powers)], minor=False)
    ax.set(xlabel="steps (log scale)", ylim=(0, 1.1 * allowed.max()), xlim=(-0.15 * times[1], 1.1 * times[-1]))
    return lines


def plot_rank_and_dimension(ax, slopes, ranks, dimensions, predicted):
    """Draw rank and effective dimensions of a layer against the slope of its activation on the negative side.

    Parameters
    ----------
    ax : Axes
    slopes : ndarray, shape (points,)
    ranks : ndarray, shape (points,)
    dimensions : dict of float to ndarray, shape (points,)
        By temperature.
    predicted : dict of float to ndarray, shape (points,)
        The same in the mean field, drawn dashed.
    """
    low = ranks < ranks.max()
    lines = ax.plot(slopes[~low], ranks[~low], color=COLORS["reference"], linewidth=1.6)
    lines += ax.plot(slopes[low], ranks[low], "o", color=COLORS["reference"], markersize=6)
    ax.plot(slopes[low], np.full(low.sum(), ranks.max()), "o", color=COLORS["reference"], markerfacecolor="white")
    ax.annotate("rank", (slopes[0], ranks.max()), xytext=(2, 4), textcoords="offset points")
    for slope, rank in zip(slopes[low], ranks[low]):
        ax.annotate(
            f"rank {rank} at {slope:g}",
            (slope, rank),
            xytext=(0, 48),
            textcoords="offset points",
            ha="center",
            arrowprops={"arrowstyle": "-", "color": COLORS["reference"], "linewidth": 0.8},
        )
    for (temperature, values), color in zip(dimensions.items(), cycle(PALETTE)):
        lines += ax.plot(slopes, values, color=color)
        lines += ax.plot(slopes, predicted[temperature], color=color, linestyle="--", linewidth=1)
        ax.annotate(
            rf"$\lambda$ = {temperature:g}",
            (slopes[-1], values[-1]),
            xytext=(4, 0),
            textcoords="offset points",
            color=readable(color),
            va="center",
            annotation_clip=False,
        )
    ax.text(0.5, 0.88 * ranks.max(), "dashed: from the coupling alone", va="top")
    ax.set(xlabel="slope $a$ for negative arguments", ylabel="dimension", ylim=(0, 1.15 * ranks.max()))
    return lines
