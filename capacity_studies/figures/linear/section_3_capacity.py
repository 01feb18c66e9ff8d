"""Figures of the chapter linear/3-capacity."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, point_out, tints
from capacity.figures.style import frameless, readable
from capacity_studies.figures.strokes import canvas, jar

__all__ = [
    "FRAME",
    "axes_figure",
    "chain_figure",
    "error_shares",
    "plane_with_jars",
    "plot_chain",
    "plot_error_shares",
    "plot_free_and_constrained",
    "plot_projection",
    "projection",
]

_DIRECTION, _FIRST = np.array([0.35, -0.25, 0.85]), np.array([1.0, 0.0, 0.0])  # to the reader; the first axis points up
_READER = _DIRECTION / np.linalg.norm(_DIRECTION)
_UP = (_FIRST - _READER[0] * _READER) / np.linalg.norm(_FIRST - _READER[0] * _READER)
FRAME = np.array([np.cross(_READER, _UP), _UP, _READER])
"""Where the three axes point in a picture: its rows lead to the right, up and to the reader."""


def projection(degrees, towards, line):
    """Left: a direction at the angle theta to the normal of a constraint; the solutions form the whole line
    orthogonal to the normal.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.1))
    plot_projection(ax, towards(degrees), line.vectors[:, 0])
    return fig


def axes_figure(space, n):
    """Capacity per input of five random constraints on twelve inputs."""
    fig, ax = plt.subplots(figsize=(6.3, 2.2))
    plot_free_and_constrained(ax, space.spatial())
    for middle, word in ((space.spatial()[-1] / 2, "constrained"), (0.8, "free")):
        ax.text(1.0125 * n + 0.4, middle, word, va="center")
    ax.set_xlim(0.3, 1.2 * n + 0.4)
    return fig


def error_shares(freedoms, shares, largest):
    """Share of the squared error that 22 random subspaces of dimensions 1 to 11 carry, against their free dimension;
    each has three points.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.8))
    plot_error_shares(ax, freedoms, shares, largest)
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def chain_figure(forward, backward):
    """The same four constraint spaces, of 2, 3, 1 and 4 constraints, added in two orders."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.4), sharey=True)
    names = [f"space {i}" for i in range(1, 5)]
    plot_chain(axes[0], forward, names)
    plot_chain(axes[1], backward, names[::-1])
    axes[0].set_title("from 1 to 4")
    axes[1].set_title("from 4 to 1")
    for ax in axes:
        ax.set_ylim(0, 1.5)
    top = forward.sum(axis=0)
    highest, same = int(top.argmax()), np.allclose(top, backward.sum(axis=0))
    at = highest + 1, top[highest]
    point_out(axes[1], "the tops are the same,\nthe parts are not", at, (0.35, 0.87), when=same)
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


def plane_with_jars(space, errors):
    """One constraint on three inputs, what it leaves of random errors, and a jar for each input, as full as its
    capacity; places are those of ``edition/static/plane.js``.
    """
    width, height, x, y, unit, spread, rim, bottom = 441.6, 288, 140, 144, 118, 45, 76, 236
    capacities, grey = space.spatial(), "#888888"
    ax = canvas(width, height)

    def places(points, size):
        return np.array([[x], [y]]) + size * FRAME[:2] @ np.atleast_2d(points).T * [[1], [-1]]

    plane, normal = np.linalg.svd(space.vectors.T)[2][1:], space.vectors[:, 0]
    turns = np.linspace(0, 2 * np.pi, 72)
    around = np.column_stack([np.cos(turns), np.sin(turns)])
    ax.plot(*places(around @ FRAME[:2], unit), color=grey, alpha=0.35, linewidth=0.75)
    ax.fill(*places(around @ plane, unit), facecolor=grey + "2e", edgecolor=grey, linewidth=1.5)
    for index, axis in enumerate(np.eye(3)):
        ax.plot(*places([-axis, axis], unit), color=COLORS["reference"], linewidth=0.75)
        ax.text(*places(axis, 132).ravel(), f"$x_{index + 1}$", ha="center", va="center", fontsize=10.5)
    ax.plot(*places(errors @ plane.T @ plane, spread), "o", color=grey, markersize=3.75, markeredgewidth=0)
    ax.plot(*places([0 * normal, normal * np.sign(normal @ FRAME[2])], unit), color=COLORS["capacity"], linewidth=3)
    ax.plot(*places(normal * np.sign(normal @ FRAME[2]), unit), "o", color=COLORS["capacity"], markersize=12)
    for index, capacity in enumerate(capacities):
        left = 296 + 46 * index
        jar(ax, left, rim, 34, bottom - rim, up=capacity)
        ax.text(left + 17, bottom + 17, f"{capacity:.2f}", ha="center", fontsize=10.5)
        ax.text(left + 17, 274, f"$x_{index + 1}$", ha="center", fontsize=10.5, color=COLORS["reference"])
    ax.text(296, 52, f"{space.total} of 3", fontsize=30, weight="bold", color=COLORS["capacity"])
    return ax.figure


def plot_free_and_constrained(ax, capacities, labels=()):
    """Draw one bar per input, filled up to its capacity; labels stand above the bars, from the first input on."""
    index = np.arange(1, len(capacities) + 1)
    bars = ax.bar(index, capacities, color=COLORS["capacity"], width=0.8, label="capacity")
    rest = ax.bar(
        index,
        1 - capacities,
        bottom=capacities,
        color="white",
        edgecolor=COLORS["error"],
        width=0.8,
        label="degrees of freedom",
    )
    for place, label in zip(index, labels):
        ax.text(place, 1.03, label, ha="center", va="bottom", color=readable(COLORS["capacity"]))
    ax.set(xlabel="input", ylabel="capacity per input", xticks=index[:: 1 + len(index) // 25])
    ax.set(ylim=(0, 1.25 if labels else 1.05), yticks=np.linspace(0, 1, 5))
    ax.grid(visible=False)
    return [*bars, *rest]


def plot_error_shares(ax, free, shares, degrees_of_freedom):
    """Draw the shares of the squared error that subspaces carry, against what is free of each (paper 1, eq. 6).

    The two lines are what equation 6 says of the mean, and the upper bound; markers are hollow, so that both stay
    in sight.

    Parameters
    ----------
    ax : Axes
    free : ndarray, shape (subspaces,)
        The dimension of each subspace minus its capacity.
    shares : dict of str to ndarray, shape (subspaces,)
        The mean squared error along each subspace over that of the whole space, by the name of the distribution.
    degrees_of_freedom : int
        The free dimensions of the whole space.
    """
    end = float(degrees_of_freedom)
    lines = ax.plot([0, end], [0, 1], color=COLORS["reference"], linewidth=1, zorder=3)
    lines += ax.plot([0, 1, end], [0, 1, 1], color=COLORS["reference"], linewidth=1, linestyle="--")
    for (name, values), marker, color in zip(shares.items(), cycle("os^"), cycle(PALETTE)):
        lines += ax.plot(free, values, marker, color=color, label=name, markersize=5, markerfacecolor="none")
    ax.text(1.0, 1.02, "upper bound", va="bottom")
    arrow = {"arrowstyle": "->", "color": COLORS["reference"]}
    ax.annotate("equation (6)", (0.55 * end, 0.55), xytext=(0.7 * end, 0.25), arrowprops=arrow)
    xlabel = r"free dimension of the subspace, $n_S - \kappa_S$"
    ax.set(xlabel=xlabel, ylabel="share of the squared error", xlim=(-0.1, end), ylim=(0, 1.15))
    return lines


def plot_chain(ax, links, labels):
    """Draw what each constraint space of a chain adds to those before it, stacked per input (paper 1, eq. 10).

    Parameters
    ----------
    ax : Axes
    links : ndarray, shape (spaces, n)
        The conditional capacities, from the first space of the chain (at the bottom) to the last.
    labels : sequence of str
        The name of each space; the same name has the same colour in any order.
    """
    if len(labels) != len(links):
        raise ValueError(
            f"labels: expected one per space, {len(links)}, got {len(labels)}; name each space of the chain"
        )
    index, colors = np.arange(1, links.shape[1] + 1), dict(zip(sorted(labels), tints("capacity", len(labels))))
    bars, bottom = [], np.zeros(links.shape[1])
    for values, label in zip(links, labels):
        bars += ax.bar(index, values, bottom=bottom, width=0.8, color=colors[label], label=label)
        bottom = bottom + values
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, 1.05), xticks=index[:: 1 + len(index) // 13])
    ax.grid(axis="x", visible=False)
    return bars


def plot_projection(ax, direction, normal):
    """Draw a direction of the plane, its projection on a constraint's normal, and beside them the direction's capacity.

    The projection is as long as the cosine of the angle between the two. Its square is the capacity, the filled part of
    a bar of height 1; the rest of the bar is free (eq. 2, for two lines of the plane). Solutions of the constraint lie
    on the line orthogonal to the normal.

    Parameters
    ----------
    ax : Axes
    direction, normal : ndarray, shape (2,)
        Unit vectors along the direction and along the normal of the constraint, at most a right angle apart.
    """
    length, distance = float(direction @ normal), float(abs(np.linalg.det([direction, normal])))
    foot, (blue, orange, grey) = length * normal, (COLORS[name] for name in ("model", "capacity", "error"))
    across = (direction - foot) / distance if distance else np.array([-normal[1], normal[0]])
    side = min(0.07, length, distance)  # of the square that marks the right angle
    corner = foot + side * np.array([-normal, across - normal, across])
    angle = np.linspace(0, np.arctan2(distance, length), 30)
    arc = np.outer(np.cos(angle), normal) + np.outer(np.sin(angle), across)  # of radius 1
    lines = [
        *ax.plot(*np.transpose([-0.1 * normal, 1.2 * normal]), color=orange, linewidth=0.8),
        *ax.plot(*np.transpose([-0.35 * across, 1.1 * across]), color=grey, linewidth=0.8),
        *ax.plot(*np.transpose([direction, foot]), color=grey, linestyle="--", linewidth=1),
        *ax.plot(*corner.T, color=grey, linewidth=0.8),
        *ax.plot(*(0.14 * arc.T), color=COLORS["reference"], linewidth=0.8),
        *ax.plot(*np.transpose([np.zeros(2), foot]), color=orange, linewidth=5, solid_capstyle="butt"),
        *ax.plot(*np.transpose([np.zeros(2), direction]), color=blue, linewidth=1.8),
    ]
    left, capacity = 1.8, length**2
    outline = {"edgecolor": grey, "align": "edge", "width": 0.22}
    bars = [
        *ax.bar(left, capacity, color=orange, **outline),
        *ax.bar(left, 1 - capacity, bottom=capacity, color="white", **outline),
    ]
    ax.text(*(1.23 * normal), "normal", color=readable(orange), va="center")
    ax.text(*(1.08 * across), "solutions ", color=readable(grey), ha="right", va="top")
    near = {"textcoords": "offset points", "va": "bottom"}
    beside = {"xytext": (3, 1), "ha": "left"} if angle[-1] > np.radians(17) else {"xytext": (-2, 3), "ha": "right"}
    ax.annotate("direction", direction, color=blue, **beside, **near)
    ax.annotate(
        rf"length $\cos\,\theta$ = {length:.3f}",
        0.04 * normal,
        (0, -5),
        color=readable(orange),
        ha="left",
        **near | {"va": "top"},
    )
    if angle[-1] > np.radians(27):  # else there is no room between the two
        reach = 0.2 if 0.2 < length < 0.3 else 0.3  # not on the line from the direction to its foot
        ax.text(*(reach * arc[15]), r"$\theta$", ha="center", va="center")
    for share, bottom, words, color in (
        (capacity, 0, r"capacity $\cos^2\theta$", readable(orange)),
        (1 - capacity, capacity, r"free $\sin^2\theta$", readable(grey)),
    ):
        ax.text(left + 0.26, bottom + share / 2, f"{words}\n= {share:.2f}", color=color, va="center")
    frameless(ax)
    ax.set(xlim=(-0.62, 2.9), ylim=(-0.38, 1.15), aspect="equal", xticks=[], yticks=[])
    return lines + bars
