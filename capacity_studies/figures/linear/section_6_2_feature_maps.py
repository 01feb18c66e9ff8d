"""Figures of the chapter linear/6-2-feature-maps."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, channel_label, direct_labels, lag_axis, point_out, tints
from capacity.tasks import hermite_features, quadrature_moments
from capacity_studies.figures.strokes import in_rows

__all__ = [
    "boxes_figure",
    "features_figure",
    "moments_figure",
    "plot_feature_boxes",
    "plot_feature_stack",
    "plot_features",
    "plot_moments",
]


def boxes_figure(c, boxes):
    """Left: three functions of one input, its features."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[2, 3])
    names, grid = ["$h_1$", "$h_2$", "$h_3$"], np.linspace(-2, 2, 81)
    plot_features(axes[0], grid, dict(zip(names, hermite_features(3)(grid).reshape(-1, 3).T)))
    plot_feature_boxes(axes[1], boxes[c], names)
    axes[1].set(title=f"{boxes[c].sum():.0f} of {boxes[c].size} units", ylabel="")
    return fig


def moments_figure(bases, fine, coarse):
    """Second moments of two features of two Gaussian inputs against the correlation of the inputs, in closed form
    (lines) and by Gauss-Hermite quadrature (crosses).
    """
    pairs = {"Hermite": {"$h_1, h_1$": (0, 0), "$h_2, h_2$": (1, 1), "$h_1, h_3$": (0, 2)}}
    pairs["powers"] = {"$y, y$": (0, 0), "$y^2, y^2$": (1, 1), "$y, y^3$": (0, 2)}
    pairs["Fourier"] = {"sin, sin": (0, 0), "cos, cos": (1, 1), "sin, cos": (0, 1)}
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.9))
    for ax, (name, basis) in zip(axes, bases.items()):
        line, cross = basis.moments(fine), quadrature_moments(basis, coarse)
        curves, points = ({key: m[:, i, j] for key, (i, j) in pairs[name].items()} for m in (line, cross))
        lines = plot_moments(ax, (fine, coarse), curves, points, ylabel="second moment" if name == "Hermite" else None)
        direct_labels(ax, lines[::2], spacing=0.09)
        ax.set_title(name)
    return fig


def features_figure(channel_counts, profiles, d, n):
    """Capacity per function and input of hierarchical models on Hermite features, stacked."""
    fig, axes, labelled = in_rows(len(channel_counts))
    for ax, c in zip(axes, channel_counts):
        areas = plot_feature_stack(ax, profiles[c], [f"$h_{j + 1}$" for j in range(d)])
        ax.set(title=channel_label(c), ylabel="capacity per input" if ax is axes[0] else "", ylim=(0, 1.4 * d))
        if ax not in labelled:
            ax.set_xlabel("")
    fewest, more, most = (profiles[channel_counts[k]] for k in (0, 1, -1))
    point_out(axes[0], "full at lag 1", (n - 1, d), (0.7, 0.92), when=fewest[-1].min() > 0.98)
    far = fewest[n // 4]
    point_out(axes[0], f"$h_{d}$ fades first", (n // 4, far.sum()), (0.42, 0.5), when=far.argmin() == d - 1)
    early = more[:2].sum() > 2.2 * more[n // 2].sum()
    point_out(axes[1], "the oldest fill up early", (1, d), (0.5, 0.92), when=early)
    point_out(axes[-1], "one unit per function", (n // 2, d), (0.5, 0.92), when=most[n // 2].min() > 0.98)
    fig.legend(handles=areas, loc="outside upper center", ncols=d)
    return fig


def plot_moments(ax, correlations, curves, points, *, ylabel=None):
    """Draw second moments of features against the correlation of their inputs.

    Parameters
    ----------
    ax : Axes
    correlations : tuple of ndarray
        Where the curves are given, and where the points are.
    curves, points : dict of str to ndarray
        By pair of functions: the closed form (lines) and what to compare with it (crosses).
    """
    lines = []
    for (label, values), color in zip(curves.items(), PALETTE):
        lines += ax.plot(correlations[0], values, color=color, label=label)
        lines += ax.plot(correlations[1], points[label], "x", color=color, markersize=5)
    ax.axhline(0, color=COLORS["reference"], linewidth=0.6)
    ax.set(xlabel="correlation of the inputs", ylabel=ylabel, xlim=(-1.03, 1.03))
    return lines


def plot_features(ax, values, curves):
    """Draw the functions of an input that are its features, each with its name at its end.

    Parameters
    ----------
    ax : Axes
    values : ndarray, shape (points,)
        Of the input.
    curves : dict of str to ndarray, shape (points,)
        By function.
    """
    lines = []
    for (label, curve), color in zip(curves.items(), tints("model", len(curves))):
        lines += ax.plot(values, curve, color=color, label=label, linewidth=2)
    ax.axhline(0, color=COLORS["reference"], linewidth=0.6)
    ax.set(xlabel="input $y$", ylabel="feature", xlim=(values[0], values[-1]))
    direct_labels(ax, lines, spacing=0.1)
    return lines


def plot_feature_boxes(ax, capacities, labels):
    """Draw one box per position and function, filled to its capacity, and say so where those at lag 1 are full.

    Parameters
    ----------
    ax : Axes
    capacities : ndarray, shape (n, d)
        Capacity per position and function.
    labels : sequence of str
        Of the functions, the first in the lowest row.
    """
    n, d = capacities.shape
    outline = {"facecolor": "none", "edgecolor": COLORS["reference"], "linewidth": 0.6}
    artists = []
    for row, values in enumerate(capacities.T):
        bottom = 1.25 * row  # the rows stand apart
        artists.append(ax.bar(range(n), values, bottom=bottom, width=0.8, color=COLORS["capacity"], linewidth=0))
        artists.append(ax.bar(range(n), 1, bottom=bottom, width=0.8, **outline))
    lag_axis(ax, n)
    ax.set_yticks(1.25 * np.arange(d) + 0.5, labels)
    ax.set(ylabel="function", ylim=(-0.1, 1.25 * d + 0.6))
    ax.grid(visible=False)
    words, at, to = ("full everywhere", 0.5, n // 2) if capacities.min() > 0.98 else ("full", 0.72, n - 1)
    artists.append(point_out(ax, words, (to, 1.25 * d - 0.25), (at, 0.94), when=capacities[-1].min() > 0.98))
    return list(filter(None, artists))


def plot_feature_stack(ax, capacities, labels):
    """Stack the capacity of each function over the positions (equation 28).

    Parameters
    ----------
    ax : Axes
    capacities : ndarray, shape (n, d)
        Capacity per position and function.
    labels : sequence of str
        Of the functions, the first at the bottom.
    """
    n, d = capacities.shape
    colors = tints("capacity", d)
    areas = ax.stackplot(np.arange(n), *capacities.T, labels=labels, colors=colors, step="mid", linewidth=0)
    ax.axhline(d, color=COLORS["reference"], linestyle="--", linewidth=1)
    lag_axis(ax, n)
    ax.set(ylabel="capacity per input", ylim=(0, 1.06 * d))
    return areas
