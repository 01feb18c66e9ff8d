"""Plots of paper 2, Sections 3 and 4: each takes axes and results, draws, and returns the artists."""

from itertools import cycle

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, PALETTE, SHADES, frameless, plain_log_ticks, readable, tints, with_minus

__all__ = [
    "plot_capacity_map",
    "plot_capacity_network",
    "plot_centres",
    "plot_decay",
    "plot_gradient_curves",
    "plot_growth",
    "plot_orders",
    "plot_profiles",
    "plot_propagation",
    "plot_seen_and_held",
]

ON_GREY = mpl.colors.LinearSegmentedColormap.from_list("on grey", ["#e4e4e4", *SHADES["capacity"]([0.33, 0.67, 1.0])])
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


def plot_capacity_network(ax, states, transition):
    """Draw the nodes that capacity reaches, shaded by it, and the connections that hand it down (Figure 4).

    Parameters
    ----------
    ax : Axes
    states : sequence of ndarray, shape (n,)
        Capacities kappa^0, ..., kappa^L.
    transition : ndarray, shape (n, n)
        Its entries different from zero are the connections; the width of one shows the capacity that it hands on.

    Returns
    -------
    list of artists
    """
    states = np.asarray(states)
    depth, n = states.shape[0] - 1, states.shape[1]
    ends, starts = np.nonzero(transition)
    near = np.abs(ends - starts) < n // 2  # hops around a ring are not drawn
    segments, widths = [], []
    for layer in range(1, depth + 1):
        flows = transition[ends, starts] * states[layer, starts]
        segments += [[(i, layer - 1), (j, layer)] for i, j in zip(ends[near], starts[near])]
        widths += list(flows[near])
    shown = np.sqrt(np.array(widths) / states.max())
    edges = mpl.collections.LineCollection(
        segments, colors=COLORS["capacity"], linewidths=np.where(shown, 0.4 + 2.4 * shown, 0), zorder=1
    )
    ax.add_collection(edges)
    reached = states > 0
    nodes = ax.scatter(
        *np.nonzero(reached)[::-1],
        c=np.sqrt(states[reached]),
        s=52,
        cmap=SHADES["capacity"],
        vmin=0,
        vmax=1,
        edgecolors="#7f7f7f",
        linewidths=0.6,
        zorder=2,
    )
    ax.set_yticks([0, depth], [r"inputs, $\kappa^0$", rf"layer {depth}, $\kappa^{{{depth}}}$"])
    ax.set_xticks([0, n // 2, n - 1], [with_minus(-(n // 2)), "0", str(n - 1 - n // 2)])
    ax.set(xlabel="position", xlim=(-0.7, n - 0.3), ylim=(-0.5, depth + 0.5))
    frameless(ax)
    return [edges, nodes]


def plot_propagation(ax, states, widths=None):
    """Draw the capacity of every position in every layer as an image, the last layer on top.

    Parameters
    ----------
    ax : Axes
    states : ndarray, shape (layers + 1, n)
        Capacities kappa^0, ..., kappa^L around the centre; each row is scaled to its own maximum.
    widths : ndarray, shape (layers + 1,), optional
        Standard deviations, drawn as a pair of curves at twice their size.
    """
    layers, n = states.shape[0] - 1, states.shape[1]
    rows = states / states.max(axis=1, keepdims=True)
    extent = (-(n // 2) - 0.5, n - n // 2 - 0.5, -0.5, layers + 0.5)
    artists = [
        ax.imshow(rows, cmap=SHADES["capacity"], origin="lower", aspect="auto", extent=extent, interpolation="nearest")
    ]
    if widths is not None:
        for sign in (-2, 2):
            artists += ax.plot(sign * widths, np.arange(layers + 1), color=COLORS["reference"], linestyle="--")
    ax.set(xlabel="position", ylabel="layer", xlim=extent[:2], ylim=extent[2:])
    ax.grid(visible=False)
    return artists


def plot_seen_and_held(ax, states, seen, held, words, *, most=None):
    """Draw what one output could see of each layer below it, and the part of this that holds most of its capacity.

    Parameters
    ----------
    ax : Axes
    states : ndarray, shape (layers + 1, n)
        Capacities kappa^0, ..., kappa^L around the centre; each row is shaded up to its own maximum.
    seen, held : ndarray, shape (layers + 1,)
        Half of the width, in sites, of what could be seen of each layer (grey), and of the part (between dashed lines).
    words : (str, str)
        What stands beside the two arrows below the inputs, of what could be seen and of the part.
    most : int, optional
        The number of layers that the axes have room for; by default those drawn.
    """
    layers, n = states.shape[0] - 1, states.shape[1]
    most, at, color = most or layers, np.arange(layers + 1), readable(COLORS["capacity"])
    extent = (-(n // 2) - 0.5, n - n // 2 - 0.5, -0.5, layers + 0.5)
    shades = np.ma.masked_less(states / states.max(axis=1, keepdims=True), 0.01)
    artists = [ax.fill_betweenx(at, -seen, seen, color="#e4e4e4", linewidth=0, zorder=0)]
    artists += [ax.imshow(shades, cmap=ON_GREY, origin="lower", aspect="auto", extent=extent, interpolation="nearest")]
    for sign in (-1, 1):
        artists += ax.plot(sign * held, at, color=color, linestyle="--", linewidth=1.2)
    arrow, dark = {"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0}, COLORS["reference"]
    words = [
        ax.annotate("", (-seen[0], -0.26 * most), (seen[0], -0.26 * most), arrowprops=arrow | {"color": dark}),
        ax.annotate("", (-held[0], -0.08 * most), (held[0], -0.08 * most), arrowprops=arrow | {"color": color}),
        ax.annotate(words[0], (0, -0.28 * most), ha="center", va="top", color=dark),
        ax.annotate(words[1], (held[0] + 0.03 * most, -0.08 * most), va="center", color=color),
        ax.annotate("one output", (0, layers), (8, 2), textcoords="offset points"),
    ]
    for word in words:
        word.set_in_layout(False)  # the axes keep their place at any number of layers
    artists += [*words, *ax.plot(0, layers, "o", color=PALETTE[0], markersize=6)]
    ax.set(
        xlim=(-1.05 * most, 1.05 * most),
        ylim=(-0.46 * most, 1.08 * most),
        yticks=np.arange(0, most + 1, max(most // 4, 1)),
    )
    ax.set(xlabel="position (sites)", ylabel="layer")
    ax.grid(visible=False)
    return artists


def plot_capacity_map(ax, field, *, title=None, output=None):
    """Draw the capacity of the positions of a plane, scaled to its maximum, and where the output sits."""
    artists = [
        ax.imshow(np.sqrt(field / field.max()), cmap=SHADES["capacity"], vmin=0, vmax=1, interpolation="nearest")
    ]
    if output is not None:
        artists += ax.plot(*output[::-1], "+", color=COLORS["model"], markersize=8, markeredgewidth=1.4)
    ax.set(xticks=[], yticks=[], xlabel="position", ylabel="position")
    ax.label_outer()
    ax.grid(visible=False)
    ax.spines[:].set_visible(True)
    if title:
        ax.set_title(title, weight="normal", loc="center")
    return artists


def plot_profiles(
    ax,
    x,
    profiles,
    *,
    reference=None,
    reference_label=None,
    crosses=None,
    samples=None,
    log=False,
    line=True,
    colors=None,
):
    """Draw profiles over positions, {label: values}.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (n,)
    profiles : dict of str to ndarray, shape (n,)
    reference : ndarray, shape (..., n), optional
        Drawn dashed, with the label `reference_label`.
    crosses : ndarray, optional
        Drawn as black crosses.
    samples : dict of str to Curve, optional
        Sampled means, drawn as points with three standard errors.
    log, line : bool, optional
        Logarithmic capacities; join the points.
    colors : list, optional
        By default the tints of capacity.
    """
    artists = []
    for (label, values), color, marker in zip(
        profiles.items(), colors or tints("capacity", len(profiles)), cycle(MARKERS)
    ):
        style = "-" if line else ""
        artists += ax.plot(x, values, marker=marker, markersize=3.5, linestyle=style, color=color, label=label)
    if reference is not None:
        lines = ax.plot(
            x, np.transpose(reference), "--", color=COLORS["reference"], linewidth=1.2, label=reference_label
        )
        artists += lines[:1]
    if crosses is not None:
        ax.plot(x, crosses, "kx", zorder=4)
    for label, curve in (samples or {}).items():
        artists += [ax.errorbar(curve.x, curve.mean, 3 * curve.standard_error, fmt="k.", capsize=2, label=label)]
    ax.set(xlabel="position (sites)", ylabel="capacity" + (" (log scale)" if log else ""))
    if log:
        ax.set_yscale("log")
    return artists


def plot_orders(ax, x, errors, *, law=None, color=PALETTE[0], marker="o", label=None):
    """Draw errors against a step or a depth, log-log, with the fitted power law."""
    artists = ax.plot(x, errors, marker, color=color, label=label)
    ax.set(xscale="log", yscale="log")
    if law is not None:
        artists += ax.plot(x, law(x), "-", color=color, linewidth=1)
        falling = law.exponent < 0
        corner, side = ((0.97, 0.93), "right") if falling else ((0.04, 0.93), "left")
        text = with_minus(f"exponent {law.exponent:.2f}")
        ax.annotate(text, corner, xycoords="axes fraction", ha=side, color=readable(color))
    plain_log_ticks(ax.xaxis)
    plain_log_ticks(ax.yaxis)
    return artists


def plot_centres(ax, centres):
    """Draw the distributions over networks of the centres of receptive fields, {name: centres}, as outlines."""
    artists = []
    bins = np.linspace(-1, 1, 41) * max(np.abs(values).max() for values in centres.values())
    for (name, values), color in zip(centres.items(), cycle(PALETTE)):
        artists += ax.hist(values, bins, density=True, histtype="step", color=color, label=name, linewidth=1.4)[2]
    ax.set(xlabel="centre / width", ylabel="density")
    ax.legend(loc="upper left", handlelength=1)
    return artists


def plot_growth(ax, depths, widths, *, bands=None, names=None, guide=None):
    """Draw widths of receptive fields against depth, log-log, {name: widths}.

    Parameters
    ----------
    ax : Axes
    depths : ndarray, shape (k,)
    widths : dict of str to ndarray, shape (k,)
    bands : dict of str to ndarray, shape (2, k), optional
        Spread over networks.
    names : list of str, optional
        All names of the figure, which decide the colours; by default those of `widths`.
    guide : ndarray, shape (k,), optional
        Dashed line for comparison.
    """
    artists = []
    colors = dict(zip(names or widths, cycle(PALETTE)))
    for name, values in widths.items():
        color = colors[name]
        artists += ax.plot(depths, values, "o-", markersize=3, color=color, label=name)
        if bands and name in bands:
            ax.fill_between(depths, *bands[name], color=color, alpha=0.2, linewidth=0)
    if guide is not None:
        artists += ax.plot(depths, guide, "--", color=COLORS["reference"], label=r"$\propto \sqrt{L}$")
    ax.set(xscale="log", yscale="log", xlabel="layers $L$ (log scale)", ylabel="width in sites (log scale)")
    ax.set_xlim(depths[0] * 0.9, depths[-1] * 1.1)
    plain_log_ticks(ax.xaxis)
    plain_log_ticks(ax.yaxis)
    return artists


def plot_gradient_curves(ax, grid, gradient, *, color, title):
    """Draw the gradient of one random network along a line of inputs, scaled to its largest size."""
    artists = ax.plot(grid, gradient / np.abs(gradient).max(), color=color, linewidth=0.8)
    ax.set(xlabel="input", ylabel="gradient / largest", ylim=(-1.1, 1.1), yticks=[-1, 0, 1])
    ax.label_outer()
    ax.set_title(title, weight="normal")
    return artists


def plot_decay(ax, x, theory, samples=None, *, references=None, colors=None):
    """Draw curves that decay with depth, {name: values}, and sampled ones with three standard errors as bars.

    Parameters
    ----------
    ax : Axes
        With its scales already set.
    x : ndarray, shape (points,)
    theory : dict of str to ndarray, shape (points,)
    samples : dict of str to Curve, optional
        Means with standard errors, by the same names.
    references : dict of str to ndarray, optional
        Drawn in black, dotted and dashed.
    colors : list, optional

    Returns
    -------
    list of Line2D
        One per curve and reference.
    """
    lines = []
    for (name, values), color in zip(theory.items(), cycle(colors or PALETTE)):
        lines += ax.plot(x, values, color=color, label=name)
        if samples and name in samples:
            curve = samples[name]
            ax.errorbar(curve.x, curve.mean, 3 * curve.standard_error, fmt=".", color=color, capsize=2)
    for (name, values), style in zip((references or {}).items(), (":", "--")):
        lines += ax.plot(x, values, style, color="black", linewidth=1, label=name)
    return lines
