"""Figures of the chapter companions/expressivity-measures."""

from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, layer_colors
from capacity.figures.style import plain_log_ticks
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import image_curves, sawtooth
from capacity_studies.figures.strokes import plot_teeth

__all__ = [
    "circle_figure",
    "figure_1",
    "figure_2",
    "figure_3",
    "plot_boundaries",
    "plot_counts_against_length",
    "plot_growth_rates",
    "plot_lengths",
    "plot_projected_curve",
    "plot_rates",
    "sawtooth_figure",
    "width_figure",
]

MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


def figure_1(cells, inside):
    """Figure 1 of the survey."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.5))
    for d, ax in enumerate(axes, 1):
        below = cells[max(d - 2, 0)]
        whole = np.flatnonzero(inside(below, cells[d - 1]) == 1) if d > 1 else []
        shaded = [below.polygon(i) for i in whole]
        plot_boundaries(ax, cells[-1], layers=d, shaded=shaded)
        ax.set_title(f"layer {d}: {cells[d - 1].n_regions} regions")
    return fig


def sawtooth_figure():
    """The tent applied one, two and three times: 2, 4 and 8 linear pieces from 2, 4 and 6 rectifiers."""
    x = np.linspace(0, 1, 1025)
    teeth = {
        f"{L} layers" if L > 1 else "1 layer": forward_pass(sawtooth(L), x[:, None]).outputs[:, 0] for L in (1, 2, 3)
    }
    fig, ax = plt.subplots(figsize=(6.3, 2.2))
    plot_teeth(ax, x, teeth)
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
        plot_projected_curve(ax, z @ axes_of.T)
        ax.set_title(f"layer {layer}")
    return fig


def figure_2(widths, lengths, variances, laws, growth):
    """Figure 2 of the survey."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 5.2))
    middle = widths[min(2, len(widths) - 1)]
    plot_lengths(axes[0, 0], {f"{k} units": lengths[k, 16].mean(axis=0) for k in widths})
    plot_lengths(axes[0, 1], {rf"$\sigma_w^2 = {s}$": lengths[middle, s].mean(axis=0) for s in variances})
    for ax, keys, x, label in (
        (axes[1, 0], [(k, 16) for k in widths], widths, "units $k$"),
        (axes[1, 1], [(middle, s) for s in variances], variances, r"$\sigma_w^2$"),
    ):
        curves = {name: np.array([law(*key) for key in keys]) for name, law in laws.items()}
        plot_growth_rates(ax, x, np.transpose([growth[key] for key in keys]), curves, label=label)
    for ax, letter in zip(axes.flat, "abcd"):
        ax.set_title(f"({letter})", loc="left")
    for ax in axes[0]:
        ax.legend(handlelength=1, labelspacing=0.2, reverse=True)
    fig.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def figure_3(means):
    """Figure 3 of the survey."""
    fig, ax = plt.subplots(figsize=(6.3, 3.4))
    plot_counts_against_length(
        ax, *({name: m[i] for name, m in means.items()} for i in (0, 1, 2)), ylabel="sign changes per unit"
    )
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def width_figure(counted, rate, rate_error, limit):
    """Growth per layer of length and of the three measures against the number of units ($sigma_w^2 = 16$), each
    fitted with an exponential in every network; two standard errors.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.8))
    plot_rates(ax, counted, {name: (rate[name], rate_error[name]) for name in rate}, limit)
    ax.set_ylim(1.0, 2.1)
    fig.legend(loc="outside upper center", ncols=5, handlelength=1)
    return fig


def plot_boundaries(ax, regions, *, layers=None, shaded=()):
    """Draw where units of a network in a plane switch: the boundaries of one layer, in grey those below (Figure 1).

    Parameters
    ----------
    ax : Axes
    regions : PlaneRegions
    layers : int, optional
        How many layers are drawn, the last of them in colour. Default: all.
    shaded : sequence of ndarray, shape (corners, 2), optional
        Polygons that are filled.

    Returns
    -------
    list of artists
        One collection of lines for each layer, and the polygons.
    """
    layers = layers or int(regions.edge_layers.max())
    filled = mpl.collections.PolyCollection(list(shaded), facecolors=PALETTE[2], alpha=0.3, linewidths=0, zorder=0)
    artists = [ax.add_collection(filled)] if len(shaded) else []
    for layer in range(1, layers + 1):
        ends = regions.vertices[regions.edges[regions.edge_layers == layer]]
        style = {"color": PALETTE[0], "linewidth": 1.3} if layer == layers else {"color": "#a0a0a0", "linewidth": 0.8}
        artists.append(ax.add_collection(mpl.collections.LineCollection(ends, zorder=1 + layer, **style)))
    (left, bottom), (right, top) = regions.vertices.min(axis=0), regions.vertices.max(axis=0)
    ax.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[], aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.grid(visible=False)
    ax.spines[:].set_visible(True)
    return artists


def plot_projected_curve(ax, points):
    """Draw a closed curve in a plane, points of shape (points, 2), with a dot where it starts, without ticks."""
    x, y = np.transpose(np.concatenate([points, points[:1]]))
    artists = ax.plot(x, y, color=PALETTE[0], linewidth=0.8)
    artists += ax.plot(x[:1], y[:1], "o", color=COLORS["reference"], markersize=4)
    ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), xticks=[], yticks=[], aspect="equal")
    ax.grid(visible=False)
    ax.spines[:].set_visible(True)
    return artists


def plot_lengths(ax, lengths):
    """Draw lengths, relative to that of the input, against the layer, {label: lengths}, dark to light (Figure 2 a, b).

    Parameters
    ----------
    ax : Axes
    lengths : dict of str to ndarray, shape (layers + 1,)
        From layer 0, the input.
    """
    artists = []
    for (label, values), color in zip(lengths.items(), layer_colors(len(lengths))):
        artists += ax.plot(np.arange(len(values)), values, "o-", markersize=3, color=color, label=label)
    ax.set(yscale="log", xlabel="layer", ylabel="length / input's (log scale)")
    plain_log_ticks(ax.yaxis)
    return artists


def plot_growth_rates(ax, x, measured, laws, *, label):
    """Draw by which factor a layer lengthens a curve: measured with bars, laws as lines (Figure 2 c, d).

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (points,)
        A width or a variance, on a logarithmic axis.
    measured : tuple of ndarray, shape (points,)
        Means and standard errors; bars are two of these.
    laws : dict of str to ndarray, shape (points,)
    label : str
        What x is.
    """
    mean, error = measured
    artists = [ax.errorbar(x, mean, 2 * np.asarray(error), fmt="ko", markersize=4, capsize=2, label="measured")]
    looks = cycle([(PALETTE[3], "--"), (PALETTE[2], "-."), (PALETTE[0], "-"), (PALETTE[7], ":"), (PALETTE[4], "-")])
    for (name, values), (color, style) in zip(laws.items(), looks):
        artists += ax.plot(x, values, style, color=color, linewidth=1.4, label=name, zorder=1)
    ax.set(xscale="log", yscale="log", xlabel=f"{label} (log scale)", ylabel="growth per layer (log scale)")
    ax.set_xticks(x, [f"{value:g}" for value in x])
    ax.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())
    plain_log_ticks(ax.yaxis)
    return artists


def plot_counts_against_length(ax, lengths, counts, laws, *, ylabel):
    """Draw counts of several networks against the length of the curve, log-log, with a law each (Figure 3).

    Parameters
    ----------
    ax : Axes
    lengths, counts, laws : dict of str to ndarray, shape (layers,)
        By network: counts as markers, laws as lines of the same colour; a network without a law has none.
    ylabel : str
    """
    artists = []
    for (name, values), color, marker in zip(counts.items(), cycle(PALETTE), cycle(MARKERS)):
        artists += ax.plot(lengths[name], values, marker, markersize=4, color=color, label=name)
        if name in laws:
            ax.plot(lengths[name], laws[name], "-", color=color, linewidth=1)
    ax.set(xscale="log", yscale="log", xlabel="length of the image (log scale)", ylabel=f"{ylabel} (log scale)")
    plain_log_ticks(ax.xaxis)
    plain_log_ticks(ax.yaxis)
    return artists


def plot_rates(ax, widths, rates, limit):
    """Draw growth per layer of several measures against the width, {name: (rates, standard errors)}, with a limit."""
    artists = []
    for i, ((name, (rate, error)), color, marker) in enumerate(zip(rates.items(), cycle(PALETTE), cycle(MARKERS))):
        beside = np.asarray(widths) * 1.06 ** (i - (len(rates) - 1) / 2)
        style = {"fmt": marker, "color": color, "markersize": 4, "capsize": 2, "label": name}
        artists += [ax.errorbar(beside, rate, 2 * np.asarray(error), **style)]
    artists += [ax.axhline(limit, linestyle="--", color=COLORS["reference"], label=r"$\sqrt{\chi_1}$")]
    ax.set(xscale="log", xlabel="units $k$ (log scale)", ylabel="growth per layer")
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())
    return artists
