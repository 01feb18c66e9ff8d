"""Figures of the chapter linear/6-2-feature-maps."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.tasks import hermite_features, quadrature_moments

__all__ = ["boxes_figure", "features_figure", "moments_figure"]


def boxes_figure(c, boxes):
    """Left: three functions of one input, its features."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[2, 3])
    names, grid = ["$h_1$", "$h_2$", "$h_3$"], np.linspace(-2, 2, 81)
    figures.plot_features(axes[0], grid, dict(zip(names, hermite_features(3)(grid).reshape(-1, 3).T)))
    figures.plot_feature_boxes(axes[1], boxes[c], names)
    axes[1].set(title=f"{boxes[c].sum():.0f} of 24 units", ylabel="")
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
        lines = figures.plot_moments(
            ax, (fine, coarse), curves, points, ylabel="second moment" if name == "Hermite" else None
        )
        figures.direct_labels(ax, lines[::2], gap=0.09)
        ax.set_title(name)
    return fig


def features_figure(channel_counts, profiles, d, n):
    """Capacity per function and input of hierarchical models on Hermite features, stacked."""
    fig, axes = plt.subplots(1, len(channel_counts), figsize=(6.9, 2.7), sharey=True)
    for ax, c in zip(axes, channel_counts):
        areas = figures.plot_feature_stack(ax, profiles[c], [f"$h_{j + 1}$" for j in range(d)])
        ax.set(title=f"{c} channels", ylabel="capacity per input" if ax is axes[0] else "", ylim=(0, 1.4 * d))
    figures.point_out(axes[0], "full at lag 1", (n - 1, d), (0.7, 0.92))
    figures.point_out(axes[0], "$h_3$ fades first", (n // 4, profiles[channel_counts[0]][n // 4].sum()), (0.42, 0.5))
    figures.point_out(axes[1], "the oldest fill up early", (1, d), (0.5, 0.92))
    figures.point_out(axes[-1], "one unit per function", (n // 2, d), (0.5, 0.92))
    fig.legend(handles=areas, loc="outside upper center", ncols=d)
    return fig
