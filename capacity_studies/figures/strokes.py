"""Strokes that figures of several chapters share."""

import numpy as np

from capacity.figures import COLORS
from capacity.figures.style import frameless

__all__ = ["node", "plot_handed_down"]


def plot_handed_down(ax, shares, capacities):
    """Draw how the capacities of a layer's outputs go down to its inputs (paper 2, eq. 25).

    Parameters
    ----------
    ax : Axes
    shares : ndarray, shape (n, m)
        What each input receives of the capacity of each output, written beside the edges; each column sums to 1.
    capacities : ndarray, shape (m,)
        Those of the outputs; the width of an edge is the capacity that goes along it.

    Returns
    -------
    list of artists
    """
    n, m = shares.shape
    inputs, outputs, artists = np.arange(n), (np.arange(m) + 0.5) * n / m - 0.5, []
    for (i, j), share in np.ndenumerate(shares):
        if share:
            ends, middle = (outputs[j], inputs[i]), 0.55 * outputs[j] + 0.45 * inputs[i]
            color, width = COLORS["capacity"], 14 * share * capacities[j]
            artists += ax.plot(ends, (1, 0), color=color, linewidth=width, alpha=0.6, solid_capstyle="butt", zorder=1)
            box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
            artists.append(ax.text(middle, 0.55, f"{share:.2f}", ha="center", va="center", bbox=box, zorder=2))
    for j, value in enumerate(capacities):
        artists += node(ax, outputs[j], 1, f"output {j + 1}\n{value:.2f}", "white")
    for i, value in enumerate(shares @ capacities):
        artists += node(ax, inputs[i], 0, f"$y_{i + 1}$\n{value:.2f}", "white")
    frameless(ax)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(-0.2, 1.2), xticks=[], yticks=[])
    return artists


def node(ax, x, y, text, color):
    """Draw a node of a diagram: its text in a frame of that colour, grey for white."""
    box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#444444" if color == "white" else color}
    return [ax.text(x, y, text, ha="center", va="center", bbox=box, zorder=3)]
