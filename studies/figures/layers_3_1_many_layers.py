"""Figures of the chapter layers/3-1-many-layers."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.depth import propagate_through_layers

__all__ = ["figure_4"]


def figure_4(residual, n_small, start, large, n_large, widths):
    """Figure 4 of paper 2."""
    small = propagate_through_layers([residual(n_small)] * 8, start(n_small))
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.3), width_ratios=[3, 2])
    figures.plot_capacity_network(axes[0], small, residual(n_small).toarray())
    plain = {"bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1}}
    figures.point_out(axes[0], "one output,\ncapacity 1", (8.3, 8), (0.84, 0.93), **plain)
    figures.point_out(axes[0], "each layer hands\nit down by\nsquared weights", (7.8, 5.5), (0.17, 0.76), **plain)
    figures.point_out(axes[0], "a bell at\nthe inputs", (10.3, 0.2), (0.88, 0.25), **plain)
    figures.plot_propagation(axes[1], np.array(large)[:, n_large // 2 - 24 : n_large // 2 + 25], widths)
    figures.point_out(axes[1], "width\n$\\propto \\sqrt{\\mathrm{layers}}$", (2 * widths[90], 90), (0.81, 0.88))
    return fig
