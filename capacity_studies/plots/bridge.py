"""Plots of the bridge between capacity and information geometry: each takes axes and results, and computes nothing."""

from itertools import cycle

import numpy as np

from capacity.figures.style import COLORS, PALETTE, SIGNS, readable, tints

__all__ = [
    "plot_dimensions_by_layer",
    "plot_layer_ranks",
    "plot_pieces_and_rank",
    "plot_rank_and_dimension",
    "plot_shared_matrix",
    "plot_shares",
]


def plot_shared_matrix(ax, matrix, *, limit=None):
    """Draw a matrix with a row per input and a column per sample, from violet (negative) over white to green.

    Parameters
    ----------
    ax : Axes
    matrix : ndarray, shape (n, samples)
    limit : float, optional
        The number that has the darkest colour. Default: the largest entry.
    """
    limit = limit or np.abs(matrix).max()
    rows, columns = matrix.shape
    extent = (0.5, columns + 0.5, rows + 0.5, 0.5)
    image = ax.imshow(
        matrix, cmap=SIGNS, vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest", extent=extent
    )
    ax.set(xlabel="sample", ylabel="input")
    ax.grid(visible=False)
    return [image]


def plot_shares(ax, shares, outlines=None, *, horizontal=False, color=None):
    """Draw a bar for each input or sample, in front of the outline that it had at another temperature.

    Parameters
    ----------
    ax : Axes
    shares : ndarray, shape (n,)
    outlines : ndarray, shape (n,), optional
        The same at the temperature 0.
    horizontal : bool, optional
        Let the bars run to the right, the first on top.
    color : color, optional
        Of the bars. Default: that of capacity.
    """
    index = np.arange(1, len(shares) + 1)
    bar, size = (ax.barh, "height") if horizontal else (ax.bar, "width")
    bars = [*bar(index, shares, color=color or COLORS["capacity"], **{size: 0.8})]
    if outlines is not None:
        bars += bar(index, outlines, facecolor="none", edgecolor=COLORS["error"], linewidth=0.8, **{size: 0.8})
    end = (index[-1] + 0.5, 0.5) if horizontal else (0.5, index[-1] + 0.5)
    ax.set(**{"ylim" if horizontal else "xlim": end, "xlim" if horizontal else "ylim": (0, 1)})
    ax.grid(axis="y" if horizontal else "x", visible=False)
    return bars


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
