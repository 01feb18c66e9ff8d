"""Figures of the chapter linear/3-capacity."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from capacity.figures import COLORS, plot_chain, plot_error_shares, plot_free_and_constrained, plot_projection

__all__ = ["FRAME", "axes_figure", "chain_figure", "error_shares", "plane_with_jars", "projection"]

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
        ax.text(n + 0.55, middle, word, va="center")
    ax.set_xlim(0.3, n + 2.8)
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
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


def plane_with_jars(space, errors):
    """One constraint on three inputs, what it leaves of random errors, and a jar for each input, as full as its
    capacity; places are those of ``edition/static/plane.js``.
    """
    width, height, x, y, unit, spread, rim, bottom = 441.6, 288, 140, 144, 118, 45, 76, 236
    capacities, grey = space.spatial(), "#888888"
    fig = plt.figure(figsize=(width / 96, height / 96), layout="none")
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")

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
        left, depth = 296 + 46 * index, (bottom - rim) * capacity
        ax.add_patch(Rectangle((left, rim), 34, bottom - rim, color=grey, alpha=0.22, linewidth=0))
        ax.add_patch(Rectangle((left, bottom - depth), 34, depth, color=COLORS["capacity"], linewidth=0))
        ax.text(left + 17, bottom + 17, f"{capacity:.2f}", ha="center", fontsize=10.5)
        ax.text(left + 17, 274, f"$x_{index + 1}$", ha="center", fontsize=10.5, color=COLORS["reference"])
    ax.text(296, 52, f"{space.total} of 3", fontsize=30, weight="bold", color=COLORS["capacity"])
    return fig
