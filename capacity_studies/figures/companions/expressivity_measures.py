"""Figures of the chapter companions/expressivity-measures."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.networks import Layer, forward_pass
from capacity_studies import plots
from capacity_studies.expressivity import image_curves, sawtooth

__all__ = ["circle_figure", "figure_1", "figure_2", "figure_3", "sawtooth_figure", "width_figure"]


def figure_1(cells, inside):
    """Figure 1 of the survey."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.5))
    for d, ax in enumerate(axes, 1):
        below = cells[max(d - 2, 0)]
        whole = np.flatnonzero(inside(below, cells[d - 1]) == 1) if d > 1 else []
        shaded = [below.polygon(i) for i in whole]
        plots.plot_boundaries(ax, cells[-1], layers=d, shaded=shaded)
        ax.set_title(f"layer {d}: {cells[d - 1].n_regions} regions")
    return fig


def sawtooth_figure():
    """The tent applied one, two and three times: 2, 4 and 8 linear pieces from 2, 4 and 6 rectifiers."""
    x = np.linspace(0, 1, 1025)
    teeth = {
        f"{L} layers" if L > 1 else "1 layer": forward_pass(sawtooth(L), x[:, None]).outputs[:, 0] for L in (1, 2, 3)
    }
    fig, ax = plt.subplots(figsize=(6.3, 2.2))
    plots.plot_teeth(ax, x, teeth)
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def circle_figure(variance, gaussian, circle):
    """A circle of inputs and its images in layers 1, 3 and 6 of a network of hard tanh units, each projected on the
    plane in which it extends most and scaled to the same size; the dot is where the circle starts.
    """
    layers = [Layer(np.sqrt(variance) * a.weights, None, a.activation) for a in gaussian]
    images = [image.points.reshape(600, -1) for image in image_curves(layers, circle)]
    fig, axes = plt.subplots(1, 3, figsize=(4.6, 1.9))
    for ax, layer in zip(axes, (1, 3, 6)):
        z = images[layer] / np.sqrt(np.mean(np.sum(images[layer] ** 2, axis=1)))
        axes_of = np.linalg.svd(z, full_matrices=False)[2][:2]
        axes_of *= np.sign(axes_of @ (z[0] + 0.5 * z[75]))[:, None]
        plots.plot_projected_curve(ax, z @ axes_of.T)
        ax.set_title(f"layer {layer}")
    return fig


def figure_2(widths, lengths, variances, laws, growth):
    """Figure 2 of the survey."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 5.2))
    middle = widths[min(2, len(widths) - 1)]
    plots.plot_lengths(axes[0, 0], {f"{k} units": lengths[k, 16].mean(axis=0) for k in widths})
    plots.plot_lengths(axes[0, 1], {rf"$\sigma_w^2 = {s}$": lengths[middle, s].mean(axis=0) for s in variances})
    for ax, keys, x, label in (
        (axes[1, 0], [(k, 16) for k in widths], widths, "units $k$"),
        (axes[1, 1], [(middle, s) for s in variances], variances, r"$\sigma_w^2$"),
    ):
        curves = {name: np.array([law(*key) for key in keys]) for name, law in laws.items()}
        plots.plot_growth_rates(ax, x, np.transpose([growth[key] for key in keys]), curves, label=label)
    for ax, letter in zip(axes.flat, "abcd"):
        ax.set_title(f"({letter})", loc="left")
    for ax in axes[0]:
        ax.legend(handlelength=1, labelspacing=0.2, reverse=True)
    fig.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def figure_3(means):
    """Figure 3 of the survey."""
    fig, ax = plt.subplots(figsize=(6.3, 3.4))
    plots.plot_counts_against_length(
        ax, *({name: m[i] for name, m in means.items()} for i in (0, 1, 2)), ylabel="sign changes per unit"
    )
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def width_figure(counted, rate, rate_error, limit):
    """Growth per layer of length and of the three measures against the number of units ($sigma_w^2 = 16$), each
    fitted with an exponential in every network; two standard errors.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.8))
    plots.plot_rates(ax, counted, {name: (rate[name], rate_error[name]) for name in rate}, limit)
    ax.set_ylim(1.0, 2.1)
    fig.legend(loc="outside upper center", ncols=5, handlelength=1)
    return fig
