"""Plots of paper 2, Sections 3 and 4: each takes axes and results, draws, and returns the artists."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from capacity.figures.style import COLORS, PALETTE, SHADES, frameless, plain_log_ticks, readable, tints, with_minus

__all__ = ["plot_capacity_network", "plot_decay", "plot_orders", "plot_profiles", "plot_propagation"]

MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


def plot_capacity_network(ax: Axes, states: Any, transition: np.ndarray) -> list[Any]:
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
    layers, places = np.nonzero(reached)
    nodes = ax.scatter(
        places,
        layers,
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


def plot_propagation(ax: Axes, states: np.ndarray, widths: np.ndarray | None = None) -> list[Any]:
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
    artists: list[Any] = [
        ax.imshow(rows, cmap=SHADES["capacity"], origin="lower", aspect="auto", extent=extent, interpolation="nearest")
    ]
    if widths is not None:
        for sign in (-2, 2):
            artists += ax.plot(sign * widths, np.arange(layers + 1), color=COLORS["reference"], linestyle="--")
    ax.set(xlabel="position", ylabel="layer", xlim=extent[:2], ylim=extent[2:])
    ax.grid(visible=False)
    return artists


def plot_profiles(
    ax: Axes,
    x: np.ndarray,
    profiles: Mapping[str, np.ndarray],
    *,
    reference: np.ndarray | None = None,
    reference_label: str | None = None,
    crosses: np.ndarray | None = None,
    samples: Mapping[str, Any] | None = None,
    log: bool = False,
    line: bool = True,
    colors: Sequence[Any] | None = None,
) -> list[Any]:
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
    artists: list[Any] = []
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


def plot_orders(
    ax: Axes,
    x: ArrayLike,
    errors: ArrayLike,
    *,
    law: Any = None,
    color: str = PALETTE[0],
    marker: str = "o",
    label: str | None = None,
) -> list[Any]:
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


def plot_decay(
    ax: Axes,
    x: np.ndarray,
    theory: Mapping[str, np.ndarray],
    samples: Mapping[str, Any] | None = None,
    *,
    references: Mapping[str, np.ndarray] | None = None,
    colors: Sequence[Any] | None = None,
) -> list[Any]:
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
