"""Figures of the chapter companions/expressivity-training."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, SIGNS, layer_colors, legend_above, point_out
from capacity.figures.style import plain_log_ticks
from capacity.statistics import mean_interval
from capacity_studies.figures.strokes import plot_accuracies, plot_means

__all__ = [
    "figure_4",
    "figure_5",
    "plot_activities_along",
    "plot_lengths_in_training",
    "plot_training",
    "trade_off",
    "training_curves",
    "training_sign",
]


def training_curves(step, tops, pictures, ends):
    """Activities of 24 units of the last hidden layer along a path through the input space, in a network with large
    weights, $sigma_w^2 = 16$: violet −1, green 1, and the page's own colour 0.
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.9), sharey=True)
    for ax, (kind, curves) in zip(axes, tops.items()):
        curve = curves[pictures.index(step)]
        plot_activities_along(ax, curve.points[:, :24], ends=ends[kind])
        ax.set_title(f"{kind}: length {curve.length:.0f}")
    axes[1].set_ylabel("")
    return fig


def figure_4(times, summed, large, images):
    """Figure 4 of the survey."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 3.1))
    lines = plot_training(axes, times, *summed(large["raw"]), chance=1 / images.classes)
    fig.legend(handles=lines, loc="outside lower center", ncols=4)
    return fig


def figure_5(times, summed, small, images):
    """Figure 5 of the survey."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 3.1))
    lines = plot_training(axes, times, *summed(small["raw"]), chance=1 / images.classes)
    fig.legend(handles=lines, loc="outside lower center", ncols=4)
    return fig


def training_sign(interval, changes, runs, depth):
    """What decides the sign."""
    fig, ax = plt.subplots(figsize=(4.6, 2.9))
    factors = {name: interval(changes(found)) for name, found in runs.items()}
    layers = np.arange(1, depth + 1)
    plot_means(ax, layers, factors)
    ax.axhline(1, color=COLORS["reference"], linewidth=0.8)
    ax.set(
        xlabel="layer",
        ylabel="length, end over start",
        xticks=layers,
        yscale="log",
        yticks=[0.5, 0.7, 1, 1.4],
        yticklabels=["0.5", "0.7", "1", "1.4"],
    )
    ax.minorticks_off()  # within a decade they would have labels
    legend_above(ax, ncols=2, columnspacing=1)
    return fig


def trade_off(sweep, ranges, both, scores):
    """Scales of the weights from 0.1 to 16, before and after training by stochastic gradient descent (SGD) and by
    Adam.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.0))
    shades = ["#7f7f7f", "C0", "C1"]
    geometric = {n: [np.exp(part) for part in mean_interval(np.log(v).T)] for n, v in ranges.items()}
    lines = plot_means(axes[0], sweep, geometric, colors=shades)
    length = both["SGD"][0].lengths["data"][0, :, 0].mean()
    axes[0].axhline(length, color=COLORS["reference"], linestyle=":")
    axes[0].text(sweep[-1], 0.8 * length, "at the input", ha="right", va="top")
    axes[0].set(yscale="log", ylabel="length in the last layer (log scale)")
    blank = np.full(len(sweep), np.nan)
    reached = {"start": (blank, (blank, blank))} | {n: mean_interval(v.T) for n, v in scores.items()}
    plot_means(axes[1], sweep, reached, colors=shades)
    axes[1].set(ylim=(0, 1.02), ylabel="test accuracy")
    middles = {name: np.exp(np.log(values[0]).mean()) for name, values in ranges.items()}
    lost = middles["SGD"] < 2 * middles["start"] and scores["SGD"][0].mean() < 0.3 < 0.6 < scores["Adam"][0].mean()
    restored = middles["Adam"] > 100 * middles["start"]
    point_out(axes[0], "Adam restores\nthe length", (sweep[0], middles["Adam"]), (0.25, 0.93), when=restored)
    at = sweep[0], scores["SGD"][0].mean()
    point_out(axes[1], "SGD does not, and\nlearns nothing", at, (0.5, 0.15), when=lost and restored)
    for ax in axes:
        ax.set(
            xscale="log",
            xlabel=r"$\sigma_w^2$ (log scale)",
            xticks=[0.1, 1, 10],
            xticklabels=["0.1", "1", "10"],
        )
    fig.legend(handles=lines, loc="outside lower center", ncols=3)
    return fig


def plot_lengths_in_training(ax, lengths, steps, intervals=None):
    """Draw the length of a curve's image by layer, one line for each time in a training, pale at the start.

    Parameters
    ----------
    ax : Axes
    lengths : ndarray, shape (times, layers + 1)
        Of the curve itself, and of its images.
    steps : sequence of int
        The times, in steps of the training.
    intervals : ndarray, shape (2, times, layers + 1), optional
        Ends of an interval about each length, drawn as a band at the first and the last time.
    """
    layers, artists = np.arange(lengths.shape[1]), []
    colors = layer_colors(len(steps))[::-1]
    for i, (row, step, color) in enumerate(zip(lengths, steps, colors)):
        artists += ax.plot(layers, row, "o-", markersize=3, color=color, label=f"step {step}")
        if intervals is not None and i in (0, len(steps) - 1):
            ax.fill_between(layers, *intervals[:, i], color=color, alpha=0.2, linewidth=0)
    ax.set(yscale="log", xlabel="layer", ylabel="length (log scale)", xticks=layers)
    plain_log_ticks(ax.yaxis)
    return artists


def plot_activities_along(ax, activities, *, ends=("", "")):
    """Draw the activities of units along a curve, a row for each unit, from violet (-1) over white to green (1).

    Parameters
    ----------
    ax : Axes
    activities : ndarray, shape (points, units)
    ends : tuple of str, optional
        What the curve leads from and to.
    """
    extent = (0, 1, activities.shape[1] + 0.5, 0.5)
    image = ax.imshow(activities.T, cmap=SIGNS, vmin=-1, vmax=1, aspect="auto", interpolation="nearest", extent=extent)
    ax.set_xticks([0, 1], list(ends))
    ax.set(xlabel="along the curve", ylabel="unit")
    ax.grid(visible=False)
    return [image]


def plot_training(axes, steps, lengths, accuracies, *, chance):
    """Draw lengths by layer for each kind of points, side by side, and accuracies beside them (survey, Figs 4 and 5).

    Parameters
    ----------
    axes : list of Axes
        One for each kind of points, and one.
    steps : sequence of int
    lengths : dict of str to (ndarray, ndarray)
        {kind: (means, ends of intervals)} as in `plot_lengths_in_training`.
    accuracies : dict of str to (ndarray, ndarray)
        {label: (means, ends of intervals)} as in `plot_accuracies`.
    chance : float
        The accuracy of a guess.

    Returns
    -------
    list of artists
        The lines of the first axes, one for each step.
    """
    lines = [plot_lengths_in_training(ax, means, steps, ends) for ax, (means, ends) in zip(axes, lengths.values())]
    low = min(means.min() for means, _ in lengths.values())
    top = max(ends.max() for _, ends in lengths.values())
    for ax, kind in zip(axes, lengths):
        ax.set(title=f"{kind} points", ylim=(0.8 * low, 1.15 * top), ylabel="length (log scale)" * (ax is axes[0]))
    plot_accuracies(axes[-1], steps, accuracies, chance=chance)
    axes[-1].set(title="accuracy", ylabel="")
    axes[-1].legend(loc="best")
    return lines[0]
