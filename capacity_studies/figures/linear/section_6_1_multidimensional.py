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


def figure_12(largest, allocations, channel_counts, n, optima):
    """Figure 12 of paper 1; dotted, the optimum where it is known."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7))
    for ax, d in zip(axes, (1, largest)):
        shares = {c: allocations[d, c] / d for c in channel_counts}
        figures.plot_strips(ax, shares, labels=None if d == 1 else [""] * len(shares))
        for row, c in enumerate(c for c in channel_counts if (d, c) in optima):
            ax.plot(1.2 * row + optima[d, c] / d, ":", color="black", linewidth=0.9, drawstyle="steps-mid")
        ax.set(title=f"{d} component{'s' * (d > 1)}: full is {d}", ylim=(-0.1, 6.2))
    axes[1].set_ylabel("")
    top = 1.2 * (len(channel_counts) - 1)
    most = allocations[largest, channel_counts[-1]] / largest
    figures.point_out(axes[0], "full everywhere", (n // 2, top + 1), (0.5, 0.92))
    figures.point_out(axes[1], "full at the\nshortest lags", (n - 1, top + 1), (0.72, 0.92))
    figures.point_out(axes[1], "the oldest\nrise again", (1, top + most[1]), (0.2, 0.92))
    return fig
