"""Figures of the chapter companions/geometry-fisher."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.statistics import mean_interval
from capacity_studies.plots import (
    plot_invariance,
    plot_metric_ratios,
    plot_norms_against,
    plot_simplex_paths,
)

__all__ = ["label_noise", "metrics", "natural_figure", "simplex", "width_figure"]


def simplex(stretch, balls, ways, start, target):
    """The distributions of three outcomes, each a point of the triangle, on the way down the Kullback–Leibler
    divergence from a start to a target.
    """
    fig, ax = plt.subplots(figsize=(4.6, 3.2))
    plot_simplex_paths(ax, np.array(balls), ways[stretch], np.array([start, target]))
    return fig


def metrics(exponents, ratios):
    """What happens to the squared length of one change of four probabilities when outcomes are split: all into 2 or
    4 equal parts, or into 1, 2, 3 and 5 parts at random odds.
    """
    fig, ax = plt.subplots(figsize=(5.4, 2.6))
    plot_metric_ratios(ax, exponents, ratios)
    return fig


def natural_figure(runs, factors, differences):
    """A network of 10, 8, 8 and 10 units, leaky rectifiers of slope 0.1, that learns 200 digits from ten principal
    components.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.8))
    plot_invariance(axes, {name: mean_interval(run) for name, run in runs.items()}, factors, differences)
    return fig


def label_noise(shares, panels, by_share, images):
    """Networks that fit labels of which a share is random: accuracy on the training and on the test images, four
    norms of the weights over the squared margin, relative to their values on true labels, and the squared
    Fisher–Rao norm under the model and with the training labels.
    """
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.9))
    plot_norms_against(
        axes,
        shares,
        *panels(by_share),
        xlabel="share of random labels",
        chance=1 / images.classes,
    )
    return fig


def width_figure(widths, panels, by_width, images):
    """As geometry-label-noise, on true labels, for networks with more and more units in each hidden layer, all
    trained for as many steps.
    """
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.9))
    plot_norms_against(
        axes,
        widths,
        *panels(by_width),
        xlabel="units per hidden layer",
        chance=1 / images.classes,
    )
    for ax in axes:
        ax.set_xscale("log", base=2)
        ax.set_xticks(widths, map(str, widths), minor=False)
    return fig
