"""Figures of the chapter layers/in-between."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, legend_above, point_out, tints
from capacity.figures.style import frameless, readable

__all__ = ["interpolation", "plot_interpolation", "plot_positions", "plot_rules", "plot_way", "relu_figure", "way"]

FEATURE_COLORS = {"random": PALETTE[0], "smooth": PALETTE[2], "local": PALETTE[3]}
_DARK, _LIGHT = tints("capacity", 2)
RULE_COLORS = (_DARK, _LIGHT, COLORS["capacity"], COLORS["capacity"])  # pseudo-random, linear, and what lies between


def way(nu, ends, local, moved):
    """A wide layer between the ends: capacity per input of local features, and how far each kind of features is."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[3, 2], layout="none")
    fig.subplots_adjust(left=0.12, right=0.97, bottom=0.26, top=0.97, wspace=0.12)
    plot_rules(axes[0], dict(zip(("pseudo-random", "linear"), ends["local"])) | {"between": local[nu]})
    (uneven, even), arrow = ends["local"], {"arrowstyle": "->"}
    peak, full, top = int(np.argmax(uneven)), np.flatnonzero(even > 0.9), 1.1 * max(uneven.max(), even.max())
    axes[0].set(xlim=(peak - 14, peak + 22), ylim=(0, top))
    marks = [("pseudo-random", peak, uneven, (5, 0.9))]
    full = full[full < peak + 20]  # those that are seen
    if full.size:
        marks.append(("linear: full here,\n1 each", int(full[-1]), even, (5.5, 0.54)))
    for words, i, values, (shift, height) in marks:
        axes[0].annotate(words, (i + 1, values[i]), (peak + shift, height * top), va="center", arrowprops=arrow)
    axes[0].text(peak - 13, 0.9 * top, rf"$\nu$ = {nu:g}", va="center")
    plot_way(axes[1], {kind: values[nu] for kind, values in moved.items()})
    return fig


def interpolation(m, couplings, positions, crossovers, even, whitened, whitened_crossovers):
    """From the pseudo-random rule (0) to the linear rule (1), for three kinds of learned features; the curves of
    random and smooth ones nearly coincide.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.0), sharey=True)
    plot_interpolation(axes[0], couplings, positions, crossovers, scale=np.sqrt(m))
    lines = plot_interpolation(axes[1], even, whitened, whitened_crossovers)
    axes[0].axvline(np.sqrt(m) / 2, color="grey", linewidth=0.8)
    axes[0].set(xscale="log", xlabel=r"coupling $\nu$ times $\sqrt{m}$ (log scale)")
    axes[1].set(xlabel=r"coupling $\nu$", ylabel="")
    axes[0].text(np.sqrt(m) / 2, 0.12, "ReLU ", ha="right")
    name, curve = next(iter(positions.items()))
    middle = np.interp(-np.log(m) / 2, np.log(couplings), curve)
    half = abs(middle - 0.5) < 0.1
    point_out(axes[0], "half way at $1/\\sqrt{m}$", (1, middle), (0.08, 0.76), ha="left", when=half)
    turns = np.sqrt(m) * crossovers[name]
    at = (turns.min(initial=np.inf), -0.08)
    point_out(axes[0], "each tick: one\ndirection turns", at, (0.04, 0.36), ha="left", when=turns.size > 0)
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def relu_figure(nus, exact, approximate, by_rule):
    """Left: position between the ends for leaky ReLUs of all slopes, exact (solid) and by eq. 14 (dashed). Right:
    capacity per input of local features at the ends and for a ReLU, exactly and by eq. 14.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.1))
    plot_positions(axes[0], nus, exact, approximate)
    axes[0].axvline(0.5, color="grey", linewidth=0.8)
    plot_rules(axes[1], by_rule)
    axes[0].text(0.53, 0.08, "ReLU:\nsolid is exact,\ndashed is eq. 14", transform=axes[0].get_xaxis_transform())
    legend_above(axes[0], ncols=3, columnspacing=1.0)
    legend_above(axes[1], ncols=2, columnspacing=1.0)
    return fig


def plot_interpolation(ax, coupling, positions, crossovers, *, scale=1.0):
    """Draw how far capacities have moved from the pseudo-random to the linear end, and where each direction turns.

    Parameters
    ----------
    ax : Axes
    coupling : ndarray, shape (k,)
    positions : dict of str to ndarray, shape (k,)
        By kind of features; 0 at the pseudo-random end, 1 at the linear one.
    crossovers : dict of str to ndarray
        Couplings at which the single directions turn, drawn as ticks below the curves.
    scale : float, optional
        What the couplings are multiplied by.
    """
    lines = []
    for row, (name, values) in enumerate(positions.items()):
        color = FEATURE_COLORS[name]
        lines += ax.plot(scale * coupling, values, color=color, label=name)
        ax.plot(scale * crossovers[name], np.full(len(crossovers[name]), -0.08 - 0.07 * row), "|", color=color)
    ax.axhline(0.5, color=COLORS["reference"], linewidth=0.8, linestyle=":")
    ax.set(ylim=(-0.27, 1.03), yticks=[0, 0.25, 0.5, 0.75, 1.0], ylabel="position between the ends")
    return lines


def plot_positions(ax, coupling, exact, approximate):
    """Draw positions between the ends against the coupling: exact ones solid, those of eq. 14 dashed."""
    lines = []
    for name, values in exact.items():
        lines += ax.plot(coupling, values, "-", color=FEATURE_COLORS[name], label=name)
        ax.plot(coupling, approximate[name], "--", color=FEATURE_COLORS[name])
    ax.set(xlabel=r"coupling $\nu$ of a leaky ReLU", ylabel="position between the ends")
    found = np.concatenate([*exact.values(), *approximate.values()])
    ax.set_ylim(min(-0.03, found.min() - 0.03), max(1.03, found.max() + 0.03))
    return lines


def plot_rules(ax, allocations):
    """Draw the capacity per input of a wide layer by several rules {name: capacities}."""
    lines = []
    for (name, values), color, style in zip(allocations.items(), cycle(RULE_COLORS), cycle(("-", "-", "-", "--"))):
        lines += ax.plot(np.arange(1, len(values) + 1), values, style, color=color, linewidth=1.2, label=name)
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, None))
    return lines


def plot_way(ax, positions):
    """Draw how far kinds of features are from the pseudo-random rule (0) to the linear one (1), one track for each."""
    points = []
    for height, (name, at) in enumerate(reversed(positions.items())):
        ax.plot([0, 1], [height, height], color=COLORS["error"], linewidth=1, zorder=1)
        points += ax.plot(at, height, "o", color=FEATURE_COLORS[name], markersize=9)
        ax.text(0, height + 0.16, name, color=readable(FEATURE_COLORS[name]), va="bottom")
    ax.set_xticks([0, 1], ["pseudo-\nrandom", "linear"])
    ax.set(xlim=(-0.12, 1.12), ylim=(-0.4, len(positions) - 0.4), yticks=[], xlabel="position")
    frameless(ax)
    return points
