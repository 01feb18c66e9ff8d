"""Plots of the regions of ReLU networks, and of how the derivatives by the parameters change with the input."""

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, PALETTE, layer_colors, plain_log_ticks

__all__ = ["plot_linear_regions", "plot_slice", "plot_tangent_changes"]

_FILLS = [PALETTE[i] for i in (0, 8, 2, 3, 4, 7)]  # pale, wine could not be told from pink


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
