"""Plots of the companion on generalization: bounds, counts of labelings, and the loss about a minimum."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, plain_log_ticks

__all__ = [
    "plot_bound_curves",
    "plot_labeling_counts",
    "plot_reparametrised",
    "plot_rises",
    "plot_slices",
    "plot_valley",
]

_AXES = (PALETTE[0], PALETTE[3])  # of the first and of the second layer's weight


def plot_valley(ax, first, second, losses, point):
    """Draw the loss over two weights as shaded contours, and the point of which the slices are taken.

    Parameters
    ----------
    ax : Axes
    first, second : ndarray, shape (n,), (m,)
        The two weights.
    losses : ndarray, shape (m, n)
    point : tuple of float
        Where the minimum stands.
    """
    levels, shades = [0, 0.02, 0.1, 0.4, 1.5, 5, 1e9], np.linspace(0.35, 0.95, 6)
    contours = ax.contourf(first, second, losses, levels=levels, colors=[str(shade) for shade in shades])
    (a, b), reach = point, 0.9
    ax.plot([a - reach, a + reach], [b, b], color=_AXES[0], linewidth=1.6)
    ax.plot([a, a], [b - reach, b + reach], color=_AXES[1], linewidth=1.6)
    dots = ax.plot([a], [b], "o", color="#ffffff", markeredgecolor="#000000", markersize=6, zorder=4)
    ax.set(xlabel=r"$\theta_1$", ylabel=r"$\theta_2$", xlim=(first[0], first[-1]), ylim=(second[0], second[-1]))
    ax.grid(visible=False)
    return [contours, *dots]


def plot_slices(ax, steps, first, second):
    """Draw the loss along one weight and along the other, about the same point.

    Parameters
    ----------
    ax : Axes
    steps : ndarray, shape (n,)
    first, second : ndarray, shape (n,)
        Loss where the first weight is changed by the step, and where the second is.
    """
    lines = ax.plot(steps, first, color=_AXES[0], label=r"along $\theta_1$")
    lines += ax.plot(steps, second, color=_AXES[1], label=r"along $\theta_2$")
    ax.set(xlabel="step", ylabel="loss", ylim=(-0.05, 2.0), xlim=(steps[0], steps[-1]))
    return lines


def plot_bound_curves(ax, samples, curves, *, points=None):
    """Draw numbers against the number of samples, {label: values}, on logarithmic axes; points are simulations.

    Parameters
    ----------
    ax : Axes
    samples : ndarray, shape (n,)
    curves : dict of str to ndarray, shape (n,)
    points : tuple of ndarray, optional
        Samples and values.
    """
    artists = []
    for (label, values), color in zip(curves.items(), PALETTE):
        artists += ax.plot(samples, values, color=color, label=label)
    if points is not None:
        artists += ax.plot(*points, "o", color=COLORS["reference"], markersize=4)
    ax.axhline(1, color=COLORS["reference"], linestyle=":", linewidth=1)
    ax.set(xscale="log", yscale="log", xlabel="samples $T$ (log scale)", ylabel="deviation (log scale)")
    ax.annotate("says nothing", (samples[-1], 1.06), ha="right", va="bottom", color=COLORS["reference"])
    plain_log_ticks(ax.yaxis)
    return artists


def plot_labeling_counts(ax, points, counts, found):
    """Draw numbers of labelings against the number of points, {label: values}; dots are those found by enumeration.

    Parameters
    ----------
    ax : Axes
    points : ndarray of int, shape (n,)
    counts : dict of str to ndarray, shape (n,)
    found : dict of str to (ndarray, ndarray)
        Points and counts, for labels among the others.
    """
    artists = []
    for (label, values), color in zip(counts.items(), PALETTE):
        artists += ax.plot(points, values, color=color, label=label)
        if label in found:
            ax.plot(*found[label], "o", color=color, markersize=5)
    ax.set(yscale="log", xlabel="points $N$", ylabel="labelings (log scale)")
    return artists


def plot_rises(ax, alphas, rises):
    """Draw what depends on the scale alpha, or does not, {label: values}, on logarithmic axes.

    Parameters
    ----------
    ax : Axes
    alphas : ndarray, shape (n,)
    rises : dict of str to ndarray, shape (n,)
    """
    artists = []
    for (label, values), color in zip(rises.items(), PALETTE):
        artists += ax.plot(alphas, values, "o-", color=color, markersize=3, label=label)
    ax.set(xscale="log", yscale="log", xlabel=r"$\alpha$ (log scale)", ylabel="value (log scale)")
    return artists


def plot_reparametrised(ax, parameters, losses, minima):
    """Draw a loss over one parameter, with its minima.

    Parameters
    ----------
    ax : Axes
    parameters, losses : ndarray, shape (n,)
    minima : tuple of ndarray
        Parameters and losses of the minima.
    """
    artists = ax.plot(parameters, losses, color=COLORS["loss"])
    artists += ax.plot(*minima, "o", color=COLORS["reference"], markersize=5)
    ax.set(xlabel="parameter", ylabel="loss", ylim=(min(0.0, np.min(losses)) - 0.05, None))
    return artists
