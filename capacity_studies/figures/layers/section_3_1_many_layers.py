"""Figures of the chapter layers/3-1-many-layers."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, SHADES, plot_capacity_network, plot_propagation, point_out

__all__ = ["figure_4", "maps_figure", "plot_capacity_map"]


def figure_4(small, shares, large, widths):
    """Figure 4 of paper 2: capacity in a small network with the shares of its layers, and in a large one."""
    middle = large.shape[1] // 2
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.3), width_ratios=[3, 2])
    plot_capacity_network(axes[0], small, shares)
    point_out(axes[0], "one output,\ncapacity 1", (8.3, 8), (0.84, 0.93))
    point_out(axes[0], "each layer hands\nit down by\nsquared weights", (7.8, 6.5), (0.17, 0.8))
    plot_propagation(axes[1], large[:, middle - 24 : middle + 25], widths)
    point_out(axes[1], "width\n$\\propto \\sqrt{\\mathrm{layers}}$", (2 * widths[90], 90), (0.81, 0.88))
    return fig


def maps_figure(maps, outputs):
    """Capacity that one output (orange cross) hands to the pixels of an image, by kind of network."""
    fig, axes = plt.subplots(1, len(maps), figsize=(6.3, 2.1))
    for ax, (title, field), output in zip(axes, maps.items(), outputs):
        plot_capacity_map(ax, field, title=title, output=output)
    point_out(axes[2], "folded back\nat the border", (7, 12), (0.57, 0.35))
    return fig


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
