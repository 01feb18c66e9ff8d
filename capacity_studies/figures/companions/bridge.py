"""Figures of the chapter companions/bridge."""

from matplotlib import pyplot as plt

from capacity.figures import PALETTE, direct_labels
from capacity.statistics import mean_interval
from capacity_studies.bridge import shared_matrix
from capacity_studies.plots import (
    plot_dimensions_by_layer,
    plot_layer_ranks,
    plot_pieces_and_rank,
    plot_rank_and_dimension,
    plot_shared_matrix,
    plot_shares,
)

__all__ = ["decoupling", "dimensions_figure", "layers_figure", "one_matrix", "pieces_figure"]


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
    direct_labels(axes[1], lines, gap=0.1)
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
