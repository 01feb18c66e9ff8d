"""Figures of the chapter linear/6-1-multidimensional."""

from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["components_figure", "figure_12"]


def components_figure(c, small_spaces):
    """A small model, three layers on eight positions, fitted to one component and to four."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), sharey=True)
    for ax, d in zip(axes, (1, 4)):
        figures.plot_boxes(ax, small_spaces[d, c].spatial(d), d)
        ax.set_title(f"{d} component{'s' * (d > 1)}: {small_spaces[d, c].total} of {8 * d}")
    axes[1].set_ylabel("")
    return fig


def figure_12(largest, allocations, channel_counts, n):
    """Figure 12 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7))
    for ax, d in zip(axes, (1, largest)):
        lines = figures.plot_allocation_per_component(ax, {c: allocations[d, c] for c in channel_counts}, d)
        ax.set(title=f"$d = {d}$", ylim=(0, 1.4), yticks=[0, 0.5, 1])
        ax.child_axes[0].set_yticks([0, d / 2, d])
    most = allocations[largest, channel_counts[-1]] / largest
    figures.point_out(axes[0], "8 channels: full everywhere", (n // 2, 1.0), (0.5, 0.88))
    figures.point_out(axes[1], "full at the\nlast lag or two", (n - 1, 1.0), (0.75, 0.88))
    figures.point_out(axes[1], "the oldest\nrise again", (1, most[1]), (0.25, 0.88))
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig
