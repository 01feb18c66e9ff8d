"""Figures of the chapter companions/expressivity-training."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import legend_above
from capacity.statistics import mean_interval
from capacity_studies.plots import plot_activities_along, plot_means, plot_training

__all__ = ["figure_4", "figure_5", "trade_off", "training_curves", "training_sign"]


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
    plot_means(ax, layers, {n: v[0] for n, v in factors.items()}, {n: v[1] for n, v in factors.items()})
    ax.axhline(1, color="#444444", linewidth=0.8)
    ax.set(
        xlabel="layer",
        ylabel="length, end over start",
        xticks=layers,
        yscale="log",
        yticks=[0.5, 0.7, 1, 1.4],
        yticklabels=["0.5", "0.7", "1", "1.4"],
    )
    ax.tick_params(axis="y", which="minor", left=False)
    legend_above(ax, ncols=2, columnspacing=1)
    return fig


def trade_off(sweep, ranges, both, scores):
    """Scales of the weights from 0.1 to 16, before and after training by stochastic gradient descent (SGD) and by
    Adam.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.0))

    def log_ends(values):
        return np.exp(mean_interval(np.log(values).T)[1])

    shade = {"start": "#7f7f7f", "SGD": "C0", "Adam": "C1"}
    lines = plot_means(
        axes[0],
        sweep,
        {n: np.exp(np.log(v).mean(axis=1)) for n, v in ranges.items()},
        {n: log_ends(v) for n, v in ranges.items()},
        colors=shade.values(),
    )
    length = both["SGD"][0].lengths["data"][0, :, 0].mean()
    axes[0].axhline(length, color="#444444", linestyle=":")
    axes[0].text(sweep[-1], 0.8 * length, "at the input", ha="right", va="top")
    axes[0].set(yscale="log", ylabel="length in the last layer (log scale)")
    no_start = {"start": np.full(len(sweep), np.nan)}
    plot_means(
        axes[1],
        sweep,
        no_start | {n: v.mean(axis=1) for n, v in scores.items()},
        {"start": np.full((2, len(sweep)), np.nan)} | {n: mean_interval(v.T)[1] for n, v in scores.items()},
        colors=shade.values(),
    )
    axes[1].set(ylim=(0, 1.02), ylabel="test accuracy")
    for ax in axes:
        ax.set(
            xscale="log",
            xlabel=r"$\sigma_w^2$ (log scale)",
            xticks=[0.1, 1, 10],
            xticklabels=["0.1", "1", "10"],
        )
    fig.legend(handles=lines, loc="outside lower center", ncols=3)
    return fig
