"""Plots for attention: capacity of one output token, by the position of the input."""

import numpy as np

from capacity.figures.style import COLORS, tints

__all__ = ["plot_by_position"]


def plot_by_position(ax, capacities, *, lowest=1e-9):
    """Draw the shares of the last token's capacity on a logarithmic axis, {name: values}, the last token as a dot.

    The last token has a share of its own, next to no other, so that no line leads to it. A dotted line marks equal
    shares.

    Parameters
    ----------
    ax : Axes
    capacities : dict of str to ndarray, shape (tokens,)
    lowest : float, optional
        Where the axis begins.

    Returns
    -------
    list of Line2D
        One line for each.
    """
    lines = []
    for (name, values), color, style in zip(capacities.items(), tints("capacity", len(capacities)), ("-", "--", ":")):
        positions = np.arange(1, len(values) + 1)
        lines += ax.plot(positions[:-1], values[:-1], style, color=color, label=name)
        ax.plot(positions[-1], values[-1], "o", color=color, markersize=4, clip_on=False, zorder=3)
    ax.axhline(1 / len(positions), color=COLORS["reference"], linestyle=":", linewidth=0.8)
    ax.annotate("equal shares", (0.5, 1 / len(positions)), xycoords=("axes fraction", "data"), va="bottom")
    ax.set(yscale="log", ylim=(lowest, 2), xlim=(1, len(positions)), xlabel="position of the token")
    ax.set_ylabel("capacity (log scale)")
    return lines
