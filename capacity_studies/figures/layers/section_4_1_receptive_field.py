"""Figures of the chapter layers/4-1-receptive-field."""

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, SHADES, plot_profiles, point_out, tints
from capacity.figures.style import plain_log_ticks, readable
from capacity.statistics import fit_power_law

__all__ = ["gradients_figure", "growth", "plot_growth", "plot_seen_and_held", "window"]

ON_GREY = mpl.colors.LinearSegmentedColormap.from_list("on grey", ["#e4e4e4", *SHADES["capacity"]([0.33, 0.67, 1.0])])


def window(L, deepest, held, states):
    """The capacity of one output on its way down through layers that hand a third of it to each of three neighbours."""
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    bottom, seen = deepest - L, np.arange(L, -1, -1)
    words = f"could be seen: {2 * L + 1} inputs", f"95 % of the capacity: {held[bottom]:.0f}"
    plot_seen_and_held(ax, states[bottom:], seen, held[bottom:] / 2, words, most=deepest)
    return fig


def growth(widths, widths_2d, depths, depths_2d):
    """Width of the effective receptive field against depth, mean (points) and range of one standard deviation over
    networks (bands).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.2), width_ratios=[3, 2])
    means = {}
    for ax, found, layers in zip(axes, (widths, widths_2d), (depths, depths_2d)):
        bands = {
            name: values.mean(axis=0) + np.array([[-1], [1]]) * values.std(axis=0) for name, values in found.items()
        }
        means[ax] = {name: values.mean(axis=0) for name, values in found.items()}
        plot_growth(ax, layers, means[ax], bands=bands, guide=1.3 * np.sqrt(layers))
        ax.set_title("1-D" if ax is axes[0] else "2-D")
        ax.annotate(
            "slope 1/2",
            (layers[-1], 1.3 * np.sqrt(layers[-1])),
            (-14, 0),
            textcoords="offset points",
            ha="right",
            color=COLORS["reference"],
        )
    residual, plain = (
        [curve for name, curve in means[axes[0]].items() if ("residual" in name) == so] for so in (True, False)
    )
    slopes, middle = fit_power_law(depths, [*residual, *plain]).exponent, len(depths) // 2
    so = np.max(residual, axis=0)[-1] < np.min(plain, axis=0)[-1] and np.ptp(slopes) < 0.1
    for words, curve, place in (
        ("plain", np.max(plain, axis=0), (0.3, 0.9)),
        ("residual: narrower,\nsame slope", np.min(residual, axis=0), (0.74, 0.12)),
    ):
        color = readable(_growth_style(words)["color"])
        point_out(axes[0], words, (depths[middle], curve[middle]), place, color=color, when=so)
    kinds = {"equal weights": "", "random, per layer": "per layer", "random, per position": "per position"}
    keys = [plt.Line2D([], [], label=name, **_growth_style(kind) | {"color": "black"}) for name, kind in kinds.items()]
    fig.legend(handles=keys, loc="outside lower center", ncols=3, handlelength=3)
    return fig


def gradients_figure(capacity, gradient_layers, square, absolute):
    """Gradients of random networks of rectifiers, averaged over networks and each scaled to sum 1, and the capacity
    of the central output (dashed).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9), sharey=True)
    x, drawn = np.arange(len(capacity)) - gradient_layers, {}
    for ax, coherent in zip(axes, (False, True)):
        means = {"$g^2$": square[coherent].mean(axis=0), "$|g|$": absolute[coherent].mean(axis=0)}
        drawn[coherent] = shares = {name: values / values.sum() for name, values in means.items()}
        blues = tints("model", 2)
        lines = plot_profiles(ax, x, shares, reference=capacity, reference_label="capacity", colors=blues)
        lines[-1].set(color=COLORS["capacity"], linewidth=2)
        ax.set(
            title="positive weights" if coherent else "weights of both signs",
            ylabel="" if coherent else "share of the total",
        )
    for coherent, name, words, at, place in (
        (False, "$g^2$", "$g^2$ is\nthe capacity", 1.4, (0.8, 0.72)),
        (False, "$|g|$", "$|g|$ is wider", -5, (0.2, 0.45)),
        (True, "$|g|$", "$|g|$ is\nthe capacity", 3, (0.82, 0.55)),
        (True, "$g^2$", "$g^2$ is\nnarrower", -1.2, (0.2, 0.72)),
    ):
        values, at = drawn[coherent][name], at * gradient_layers / 10
        wider = np.sqrt((x**2 @ values) / (x**2 @ capacity) * capacity.sum())
        alike = abs(wider - 1) < 0.1 and np.abs(values - capacity / capacity.sum()).sum() < 0.15
        so = wider > 1.1 if "wider" in words else wider < 0.9 if "narrower" in words else alike
        point_out(axes[int(coherent)], words, (at, np.interp(at, x, values)), place, when=so)
    fig.legend(handles=lines, loc="outside lower center", ncols=3)
    return fig


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


def _growth_style(name):
    """Wine for residual networks, blue for others; dashed with random layers, dotted with random positions."""
    dashes = "--" if "per layer" in name else ":" if "per position" in name else "-"
    return {"color": PALETTE["residual" in name], "linestyle": dashes}


def plot_growth(ax, depths, widths, *, bands=None, guide=None):
    """Draw widths of receptive fields against depth, log-log, {name: widths}; names decide on colours and dashes.

    Parameters
    ----------
    ax : Axes
    depths : ndarray, shape (k,)
    widths : dict of str to ndarray, shape (k,)
    bands : dict of str to ndarray, shape (2, k), optional
        Spread over networks.
    guide : ndarray, shape (k,), optional
        Grey line for comparison.
    """
    artists = []
    for name, values in widths.items():
        style = _growth_style(name)
        artists += ax.plot(depths, values, marker="o", markersize=3, label=name, **style)
        if bands and name in bands:
            ax.fill_between(depths, *bands[name], color=style["color"], alpha=0.2, linewidth=0)
    if guide is not None:
        artists += ax.plot(depths, guide, color=COLORS["error"], linewidth=1, label=r"$\propto \sqrt{L}$")
    ax.set(xscale="log", yscale="log", xlabel="layers $L$ (log scale)", ylabel="width in sites (log scale)")
    ax.set_xlim(depths[0] * 0.9, depths[-1] * 1.1)
    plain_log_ticks(ax.xaxis)
    plain_log_ticks(ax.yaxis)
    return artists
