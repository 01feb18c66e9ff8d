"""Plots of the survey's Sections 1 and 2: each takes axes and results, draws, and returns the artists."""

from itertools import cycle

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, PALETTE, SIGNS, layer_colors, plain_log_ticks, readable

__all__ = [
    "plot_boundaries",
    "plot_counts_against_length",
    "plot_growth_by_activation",
    "plot_growth_rates",
    "plot_lengths",
    "plot_phases",
    "plot_projected_curve",
    "plot_rates",
    "plot_teeth",
]

MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


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


def plot_teeth(ax, x, functions):
    """Draw functions on an interval with as many teeth as layers made, {label: values}, dark to light."""
    artists = []
    for (label, values), color in zip(functions.items(), layer_colors(len(functions))):
        artists += ax.plot(x, values, color=color, label=label)
    ax.set(xlabel="input", ylabel="output", ylim=(0, 1.03), xlim=(x[0], x[-1]))
    return artists


def plot_projected_curve(ax, points, *, closed=True, extent=1.4):
    """Draw a curve in a plane, with a dot where it starts, without ticks.

    Parameters
    ----------
    ax : Axes
    points : ndarray, shape (points, 2)
    closed : bool, optional
        Join the last point to the first.
    extent : float, optional
        Half the side of the square that is shown.
    """
    x, y = np.transpose(np.concatenate([points, points[:1]]) if closed else points)
    artists = ax.plot(x, y, color=PALETTE[0], linewidth=0.8)
    artists += ax.plot(x[:1], y[:1], "o", color=COLORS["reference"], markersize=4)
    ax.set(xlim=(-extent, extent), ylim=(-extent, extent), xticks=[], yticks=[], aspect="equal")
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


def plot_phases(ax, sigma_w, sigma_b, growth, edge):
    """Draw the growth of curves in wide networks over the plane of scales, with the edge of chaos.

    Parameters
    ----------
    ax : Axes
    sigma_w, sigma_b : ndarray, shapes (columns,) and (rows,)
        Equally spaced.
    growth : ndarray, shape (rows, columns)
        The factor per layer; its logarithm is shown, blue below 1 and red above.
    edge : ndarray, shape (rows,)
        The sigma_w at which the factor is 1.
    """
    reach = np.abs(np.log2(growth)).max()
    image = ax.pcolormesh(
        sigma_w, sigma_b, np.log2(growth), cmap=SIGNS, vmin=-reach, vmax=reach, shading="nearest", rasterized=True
    )
    lines = ax.plot(edge, sigma_b, color="black")
    for x, y, text in ((0.1, 0.88, "ordered"), (0.62, 0.5, "chaotic")):
        ax.annotate(text, (x, y), xycoords="axes fraction", color=readable("#555555"))
    ax.set(xlabel=r"$\sigma_w$", ylabel=r"$\sigma_b$")
    ax.set(xlim=(sigma_w[0], sigma_w[-1]), ylim=(sigma_b[0], sigma_b[-1]))
    ax.grid(visible=False)
    return [image, *lines]


def plot_growth_by_activation(ax, measured, exact):
    """Draw the growth of curves per layer side by side for several activations, {variance: {name: growth}}.

    Parameters
    ----------
    ax : Axes
    measured : dict of float to dict of str to (float, float)
        By variance and activation: means and standard errors, as points with bars of two of these.
    exact : dict of float to dict of str to float
        Drawn as short lines.
    """
    artists = []
    for (variance, found), marker in zip(measured.items(), cycle(MARKERS)):
        at, (mean, error) = np.arange(len(found)), np.transpose(list(found.values()))
        artists += [ax.errorbar(at, mean, 2 * error, fmt=marker, color="black", markersize=4, capsize=2)]
        laws = [exact[variance][name] for name in found]
        artists += [ax.hlines(laws, at - 0.3, at + 0.3, color=PALETTE[0])]
        ax.text(at[-1] + 0.4, mean[-1], rf"$\sigma_w^2 = {variance:g}$", va="center")
    ax.set(yscale="log", xlim=(-0.5, at[-1] + 1.3), xlabel="activation", ylabel="growth per layer (log scale)")
    ax.set_xticks(at, list(found))
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
