"""Figures of the chapter linear/appendix-a."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS
from capacity.figures.style import frameless, readable

__all__ = ["plot_counted_twice", "plot_two_normals", "twice"]


def twice(angle, unit, degrees, added, together):
    """Left: the normals of two constraints in the plane, at the angle that the slider chooses."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[2, 3])
    plot_two_normals(axes[0], unit(0), unit(angle))
    plot_counted_twice(axes[1], degrees, added[angle], together[angle])
    return fig


def plot_two_normals(ax, first, second):
    """Draw the normals of two constraints of the plane, with the line halfway between them.

    Parameters
    ----------
    ax : Axes
    first, second : ndarray, shape (2,)
        Unit vectors.
    """
    orange, grey = COLORS["constraint"], COLORS["error"]
    halfway = (first + second) / np.linalg.norm(first + second)
    lines = ax.plot(*np.transpose([np.zeros(2), 1.05 * halfway]), "--", color=grey, linewidth=1)
    for number, normal in enumerate((first, second), 1):
        lines += ax.plot(*np.transpose([np.zeros(2), normal]), color=orange, linewidth=2)
        ax.text(*(1.12 * normal), f"$k_{number}$", color=readable(orange), ha="center", va="center", in_layout=False)
    ax.text(*(1.1 * halfway), "halfway", color=readable(grey), va="center", in_layout=False)
    frameless(ax)
    ax.set(xlim=(-0.15, 1.7), ylim=(-0.2, 1.3), aspect="equal", xticks=[], yticks=[])
    return lines


def plot_counted_twice(ax, degrees, added, together):
    """Draw the sum of two capacities along each direction of the plane over the capacity of both constraints together.

    Parameters
    ----------
    ax : Axes
    degrees : ndarray, shape (directions,)
        The angle of each direction.
    added, together : ndarray, shape (directions,)
        The sum of the capacities of the two, and the capacity of both together.
    """
    orange, excess = COLORS["capacity"], added - together
    lines = ax.plot(degrees, together, color=COLORS["reference"], linestyle="--", linewidth=1)
    lines += ax.plot(degrees, added, color=orange, linewidth=2)
    areas = [ax.fill_between(degrees, together, added, color=orange, alpha=0.15, linewidth=0)]
    ax.text(degrees[-1], 2.55, "sum of the two", ha="right", va="top", color=readable(orange))
    ax.text(degrees[-1], 2.2, "dashed: both together", ha="right", va="top", color=COLORS["reference"])
    if np.ptp(excess) > 0.2:
        for place, words, side in ((excess.argmax(), "counted\ntwice", "bottom"), (excess.argmin(), "missed", "top")):
            shift = {"xytext": (0, 3 if side == "bottom" else -3), "textcoords": "offset points", "in_layout": False}
            ax.annotate(words, (degrees[place], added[place]), ha="center", va=side, color=readable(orange), **shift)
    ax.set(xlim=(degrees[0], degrees[-1]), ylim=(-0.3, 2.6), xlabel="direction (degrees)", ylabel="capacity")
    ax.set_xticks(np.arange(degrees[0], degrees[-1] + 1, 45))
    return [*lines, *areas]
