"""Figures of the chapter companions/geometry-fisher."""

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels
from capacity.figures.style import frameless, plain_log_ticks
from capacity.statistics import mean_interval
from capacity_studies.figures.strokes import plot_means

__all__ = [
    "label_noise",
    "metrics",
    "natural_figure",
    "plot_invariance",
    "plot_metric_ratios",
    "plot_norms_against",
    "plot_simplex_paths",
    "simplex",
    "to_triangle",
    "width_figure",
]

_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


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


def to_triangle(probabilities):
    """Points of an equilateral triangle that stand for probabilities of three outcomes, shape (..., 2)."""
    return np.asarray(probabilities) @ _CORNERS


def plot_simplex_paths(ax, balls, paths, ends):
    """Draw paths on the simplex of three outcomes over curves of constant divergence.

    Parameters
    ----------
    ax : Axes
    balls : ndarray, shape (balls, points, 3)
        Closed curves of distributions.
    paths : dict of str to ndarray, shape (points, 3)
        What leads from the start to the target, by name.
    ends : ndarray, shape (2, 3)
        Start and target.
    """
    ax.add_patch(mpl.patches.Polygon(_CORNERS, closed=True, fill=False, edgecolor="#7f7f7f", linewidth=1))
    for ball in balls:
        ax.fill(*to_triangle(ball).T, facecolor="#d9d9d9", edgecolor="#8c8c8c", linewidth=0.6, alpha=0.7)
    artists = []
    for (name, path), color in zip(paths.items(), (PALETTE[3], PALETTE[0])):
        artists += ax.plot(*to_triangle(path).T, color=color, linewidth=2.2, label=name)
    for point, name, shift in zip(to_triangle(ends), ("start", "target"), ((-26, 3), (6, 0))):
        ax.plot(*point, "o", color=COLORS["reference"], markersize=5, zorder=4)
        side = "right" if shift[0] < 0 else "left"
        ax.annotate(name, point, xytext=shift, textcoords="offset points", ha=side, va="center")
    for corner, name, shift in zip(_CORNERS, ("outcome 1", "outcome 2", "outcome 3"), (-11, -11, 5)):
        ax.annotate(name, corner, xytext=(0, shift), textcoords="offset points", ha="center")
    ax.legend(loc="upper left", borderaxespad=0.0)
    ax.set(xlim=(-0.3, 1.3), ylim=(-0.1, 1.0), aspect="equal", xticks=[], yticks=[])
    frameless(ax)
    for text in (*ax.texts, ax.get_legend()):
        text.set_in_layout(False)  # the axes stay where they are, whatever the paths are
    return artists


def plot_metric_ratios(ax, exponents, ratios):
    """Draw by how much squared lengths change when outcomes are split, against the exponent of the metric.

    Parameters
    ----------
    ax : Axes
    exponents : ndarray, shape (n,)
    ratios : dict of str to ndarray, shape (n,)
        By kind of splitting.
    """
    artists = []
    for (name, values), color in zip(ratios.items(), PALETTE):
        artists += ax.plot(exponents, values, color=color, label=name)
    ax.axhline(1.0, color=COLORS["reference"], linestyle=":", linewidth=1)
    ax.plot(1.0, 1.0, "o", color=COLORS["reference"], zorder=4)
    ax.annotate("Fisher: no change", (1.0, 1.0), xytext=(-8, 8), textcoords="offset points", ha="right")
    ax.set(yscale="log", xlabel="exponent a of the metric", ylabel="squared length, after / before\n(log scale)")
    plain_log_ticks(ax.yaxis)
    direct_labels(ax, artists)
    return artists


def plot_norms_against(axes, x, accuracies, measures, norms, *, xlabel, chance=None):
    """Draw accuracies, norms of weights and Fisher-Rao norms against a property of the task or the networks.

    Parameters
    ----------
    axes : list of three Axes
    x : ndarray, shape (n,)
    accuracies, measures, norms : dict of str to (ndarray, ndarray)
        {name: (means, ends of intervals of shape (2, n))}.
    xlabel : str
        What x is.
    chance : float, optional
        The accuracy of a guess.
    """
    artists = []
    titles = ("accuracy", "norms of weights / margin²", "Fisher–Rao norm")
    for ax, shown, title, start in zip(axes, (accuracies, measures, norms), titles, (0, 2, 0)):
        artists += plot_means(ax, x, shown, colors=PALETTE[start:])
        ax.set(title=title, xlabel=xlabel)
        ax.legend(loc="best")
    axes[0].set_ylim(0, 1.05)
    axes[0].legend(loc="lower left", bbox_to_anchor=(0, 0.12))  # above the level of a guess
    if chance is not None:
        axes[0].axhline(chance, color=COLORS["reference"], linestyle=":", linewidth=1)
    for ax, label in zip(axes[1:], ("relative to the first (log scale)", "squared norm (log scale)")):
        ax.set(yscale="log", ylabel=label)
        ax.autoscale_view()
        plain_log_ticks(ax.yaxis)
    return artists


def plot_invariance(axes, losses, factors, differences):
    """Draw losses against steps, and how differently steps move a function in rescaled networks.

    Parameters
    ----------
    axes : list of two Axes
    losses : dict of str to (ndarray, ndarray)
        {method: (means, ends of intervals of shape (2, steps))}.
    factors : ndarray, shape (n,)
        By which weights were rescaled.
    differences : dict of str to ndarray, shape (n,)
        Relative difference from the move of the network that is not rescaled.
    """
    artists, (left, right) = [], axes
    for (name, (means, ends)), color in zip(losses.items(), PALETTE):
        artists += left.plot(means, color=color, label=name)
        left.fill_between(range(len(means)), *ends, color=color, alpha=0.2, linewidth=0)
    for (name, values), color, marker in zip(differences.items(), (PALETTE[0], PALETTE[4], PALETTE[2]), "o^s"):
        artists += right.plot(factors, values, marker=marker, markersize=4, color=color, label=name)
    left.set(yscale="log", xlabel="steps", ylabel="loss (log scale)", title="loss on the training images")
    right.set(xscale="log", yscale="log", xlabel="factor α of the first layer (log scale)")
    right.set(ylabel="relative difference (log scale)", title="change of the outputs in a step")
    plain_log_ticks(left.yaxis)
    right.yaxis.set_minor_locator(mpl.ticker.NullLocator())
    for ax in axes:
        ax.legend(loc="best")
    return artists
