"""Figures of the chapter companions/geometry-relu."""

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels, layer_colors, point_out
from capacity.figures.style import plain_log_ticks
from capacity.statistics import mean_interval
from capacity_studies.expressivity import activation_region_bound, arrangement_regions
from capacity_studies.figures.strokes import plot_accuracies, plot_means, plot_teeth

__all__ = [
    "depth_figure",
    "fragile",
    "l_shape_figure",
    "plot_linear_regions",
    "plot_slice",
    "plot_tangent_changes",
    "rates_figure",
    "shaken_figure",
    "slices_figure",
    "tangent_change",
    "training",
]

_FILLS = [PALETTE[i] for i in (0, 8, 2, 3, 4, 7)]  # pale, wine could not be told from pink


def slices_figure(slices, places):
    """Activation regions in the plane through images of a 3, a 5 and an 8, before training and after."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.5))
    for ax, cut, name in zip(axes, slices, ("start", "true labels", "random labels")):
        plot_slice(ax, cut, places, ["3", "5", "8"], linewidth=0.5)
        ax.set_title(f"{name}: {cut.n_regions}")
    return fig


def depth_figure(depths, means, in_all):
    """Activation regions of one number of units in more and more layers, over half its square."""
    fig, ax = plt.subplots(figsize=(4.6, 2.5))
    plot_means(ax, depths, means)
    one_layer = arrangement_regions(in_all) / activation_region_bound(in_all, 2)
    ax.axhline(one_layer, color=COLORS["reference"], linestyle=":", linewidth=1)
    ax.text(np.mean(depths), 0.6 * one_layer, "dotted: one layer, exactly", ha="center", va="top")
    ax.set(
        ylim=(0, 1.6),
        xticks=depths,
        xlabel=f"hidden layers ({in_all} units in all)",
        ylabel="regions over #neurons²/2",
    )
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def l_shape_figure(cells, parts):
    """The seven activation regions of $f = max(1 - max(x_1, 0) - max(x_2, 0), 0)$, filled in one colour for each of
    the five linear regions.
    """
    fig, ax = plt.subplots(figsize=(3.6, 2.9))
    plot_linear_regions(ax, cells, parts)
    for x, y, formula in ((1.25, 1.2, "0"), (-1, -1, "1"), (-1, 0.5, "1 - x_2"), (0.5, -1, "1 - x_1")):
        ax.text(x, y, f"$f = {formula}$", ha="center", va="center", rotation=90 * (formula == "1 - x_1"))
    point_out(ax, "$f = 1 - x_1 - x_2$", (0.3, 0.3), (0.69, 0.9))
    return fig


def training(shares, planar, linear, scores, times):
    """Activation regions during training, with 0, 25, 50 and 100 % of the labels drawn at random."""
    names = [f"{round(100 * s)} %" for s in shares]
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.9))
    colors = layer_colors(4)[::-1]
    for ax, values, what in zip(
        axes,
        (planar, linear, scores),
        ("regions in a plane", "regions on a line", "training accuracy"),
    ):
        curves = {n: mean_interval(values[:, j].T) for j, n in enumerate(names)}
        handles = plot_accuracies(ax, times, curves, colors=colors)
        ax.set(title=what, ylabel="", ylim=(0, 1.05 if ax is not axes[0] else 0.9))
    fig.legend(handles=handles, title="random labels", loc="outside lower center", ncols=4)
    return fig


def rates_figure(at_rate, ordered):
    """Left: regions in the plane at the end of training over those at the start, for several learning rates of Adam,
    with true and with random labels.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.5))
    for k, ax in enumerate(axes):
        found = {
            n: mean_interval(np.stack([at_rate[r][k][j] for r in ordered], axis=1))
            for j, n in enumerate(("true labels", "random labels"))
        }
        handles = plot_means(ax, ordered, found)
        ax.set(
            xscale="log",
            xlabel="learning rate (log scale)",
            ylabel=("regions, end over start", "training accuracy")[k],
        )
        ax.set_xticks(ordered, [f"{r:g}" for r in ordered], rotation=90)
        ax.minorticks_off()
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


def shaken_figure(percent, shaken, on_interval, teeth, corners):
    """The sawtooth of six layers, 64 pieces, after each of its weights and biases has been multiplied by $1 +
    varepsilon xi$ with a normal $xi$, the same at all $varepsilon$.
    """
    net, (fig, ax) = shaken(percent), plt.subplots(figsize=(4.6, 1.9))
    ax.plot(on_interval(teeth).breakpoints, corners(teeth), color="#c0c0c0", linewidth=0.6)
    curve = plot_teeth(ax, on_interval(net).breakpoints, {"": corners(net)})
    curve[0].set(color=PALETTE[0], zorder=3)
    ax.set(xlim=(0, 1), ylim=(-0.5, 1.5))
    return fig


def fragile(errors, summary):
    """What is left of the 1024 pieces of a sawtooth of ten layers when its parameters get relative errors
    $varepsilon$: pieces, and crossings of the height $tfrac12$.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.5))
    lines = plot_means(ax, errors, summary)
    ax.set(xscale="log", ylim=(0, 1.5), ylabel="number / without errors")
    ax.set_xlabel("relative error of the parameters (log scale)")
    names = {"random network": "pieces, random"}
    direct_labels(ax, lines, [names.get(name, name) for name in summary], spacing=0.08)
    return fig


def tangent_change(kink, variances, first_order, change):
    """How much the tangent changes, on average over inputs, when they are perturbed with variance $c$: networks of
    one hidden layer of eight units.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.9))
    laws = {
        r"kinks, $\propto \sqrt{c}$": kink * np.sqrt(variances),
        r"first order, $\propto c$": first_order * variances,
    }
    handles = plot_tangent_changes(ax, variances, change, laws)
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


def plot_slice(ax, regions, points=(), labels=(), *, linewidth=0.6):
    """Draw the borders of regions in a plane, one colour for each layer, dark to light, and points with their labels.

    Parameters
    ----------
    ax : Axes
    regions : PlaneRegions
    points : array_like, shape (points, 2), optional
    labels : sequence of str, optional
    linewidth : float, optional
    """
    artists, layers = [], regions.edge_layers
    shown = sorted(set(layers[layers >= 0]))
    for layer, color in zip(shown, layer_colors(len(shown))):
        ends = regions.vertices[regions.edges[layers == layer]]
        lines = mpl.collections.LineCollection(ends, color=color, linewidth=linewidth, label=f"layer {layer}")
        artists.append(ax.add_collection(lines))
    for (x, y), label in zip(points, labels):
        box = {"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": COLORS["reference"], "linewidth": 1.2}
        artists.append(ax.text(x, y, label, ha="center", va="center", fontsize=9, bbox=box, zorder=4))
    (left, bottom), (right, top) = regions.vertices.min(axis=0), regions.vertices.max(axis=0)
    ax.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[], aspect="equal")
    ax.grid(visible=False)
    ax.spines[:].set_visible(True)
    return artists


def plot_linear_regions(ax, regions, components):
    """Fill the linear regions of a plane, a colour each, with dotted lines between cells that have one map.

    Parameters
    ----------
    ax : Axes
    regions : PlaneRegions
    components : ndarray of int, shape (n_regions,)
        Of `PlaneRegions.linear_components`.

    Returns
    -------
    list of artists
        The cells, the borders between linear regions, and those within.
    """
    cells = np.repeat(np.arange(regions.n_regions), regions.n_corners)
    around = [set(components[cells[regions.sides == edge]]) for edge in range(len(regions.edges))]
    inner = regions.edge_units >= 0
    between = inner & np.array([len(found) > 1 for found in around])
    colors = [_FILLS[component % len(_FILLS)] for component in components]
    polygons = [regions.polygon(cell) for cell in range(regions.n_regions)]
    filled = mpl.collections.PolyCollection(polygons, facecolors=colors, alpha=0.35, linewidths=0, zorder=0)
    artists = [ax.add_collection(filled)]
    for chosen, style in ((between, {"linewidth": 1.4}), (inner & ~between, {"linewidth": 1.0, "linestyle": ":"})):
        ends = regions.vertices[regions.edges[chosen]]
        artists.append(ax.add_collection(mpl.collections.LineCollection(ends, color="#333333", **style)))
    (left, bottom), (right, top) = regions.vertices.min(axis=0), regions.vertices.max(axis=0)
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.grid(visible=False)
    return artists


def plot_tangent_changes(ax, variances, changes, laws):
    """Draw squared changes of derivatives against the variance of a perturbation, log-log, with laws as lines.

    Parameters
    ----------
    ax : Axes
    variances : ndarray, shape (points,)
    changes, laws : dict of str to ndarray, shape (points,)
        Changes as markers; laws as lines, all of the colour of the first changes.
    """
    artists = []
    for (label, values), color, marker in zip(changes.items(), PALETTE, "os^D"):
        artists += ax.plot(variances, values, marker, markersize=4, color=color, label=label)
    for (label, values), style in zip(laws.items(), ("-", "--", "-.", ":")):
        artists += ax.plot(variances, values, style, linewidth=1, color=PALETTE[0], label=label, zorder=1)
    ax.set(xscale="log", yscale="log")
    ax.set(xlabel="variance $c$ (log scale)", ylabel="mean squared change (log scale)")
    plain_log_ticks(ax.yaxis)
    return artists
