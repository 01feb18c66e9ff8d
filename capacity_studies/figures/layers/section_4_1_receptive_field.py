"""Figures of the chapter layers/4-1-receptive-field."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["gradients_figure", "growth", "window"]


def window(L, deepest, held, states):
    """The capacity of one output on its way down through layers that hand a third of it to each of three neighbours."""
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    bottom, seen = deepest - L, np.arange(L, -1, -1)
    words = f"could be seen: {2 * L + 1} inputs", f"95 % of the capacity: {held[bottom]:.0f}"
    figures.plot_seen_and_held(ax, states[bottom:], seen, held[bottom:] / 2, words, most=deepest)
    return fig


def growth(widths, widths_2d, depths, depths_2d):
    """Width of the effective receptive field against depth, mean (points) and range of one standard deviation over
    networks (bands).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.2), width_ratios=[3, 2])
    for ax, found, layers in zip(axes, (widths, widths_2d), (depths, depths_2d)):
        bands = {
            name: values.mean(axis=0) + np.array([[-1], [1]]) * values.std(axis=0) for name, values in found.items()
        }
        means = {name: values.mean(axis=0) for name, values in found.items()}
        figures.plot_growth(ax, layers, means, bands=bands, names=list(widths), guide=1.3 * np.sqrt(layers))
        ax.set_title("1-D" if ax is axes[0] else "2-D")
        ax.annotate(
            "slope 1/2",
            (layers[-3], 1.3 * np.sqrt(layers[-3])),
            (-4, 4),
            textcoords="offset points",
            ha="right",
            color=figures.COLORS["reference"],
        )
    axes[0].annotate(
        "residual: narrower,\nsame slope",
        (0.97, 0.04),
        xycoords="axes fraction",
        ha="right",
        color=figures.COLORS["reference"],
    )
    fig.legend(handles=axes[0].lines, loc="outside lower center", ncols=2)
    return fig


def gradients_figure(capacity, gradient_layers, square, absolute):
    """Gradients of random networks of rectifiers, averaged over networks and each scaled to sum 1, and the capacity
    of the central output (dashed).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9), sharey=True)
    x = np.arange(len(capacity)) - gradient_layers
    for ax, coherent in zip(axes, (False, True)):
        means = {"$g^2$": square[coherent].mean(axis=0), "$|g|$": absolute[coherent].mean(axis=0)}
        shares = {name: values / values.sum() for name, values in means.items()}
        blues = figures.tints("model", 2)
        lines = figures.plot_profiles(ax, x, shares, reference=capacity, reference_label="capacity", colors=blues)
        lines[-1].set(color=figures.COLORS["capacity"], linewidth=2)
        ax.set(
            title="positive weights" if coherent else "weights of both signs",
            ylabel="" if coherent else "share of the total",
        )
    figures.point_out(axes[0], "$g^2$ is\nthe capacity", (1.4, 0.135), (0.8, 0.72))
    figures.point_out(axes[0], "$|g|$ is wider", (-5, 0.047), (0.2, 0.45))
    figures.point_out(axes[1], "$|g|$ is\nthe capacity", (3, 0.08), (0.82, 0.55))
    figures.point_out(axes[1], "$g^2$ is\nnarrower", (-1.2, 0.185), (0.2, 0.72))
    fig.legend(handles=lines, loc="outside lower center", ncols=3)
    return fig
