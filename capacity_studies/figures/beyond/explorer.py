"""Figures of the chapter beyond/explorer."""

from matplotlib import pyplot as plt

from capacity import figures
from capacity.figures import lag_axis

__all__ = ["explorer_figure"]


def explorer_figure(allocations):
    """Capacity per input, by architecture and by number of channels."""
    fig, axes = plt.subplots(1, len(allocations), figsize=(6.9, 2.6), sharey=True, squeeze=False)
    for ax, (name, curves) in zip(axes[0], allocations.items()):
        lines = figures.plot_allocation(ax, curves)
        n_inputs = len(next(iter(curves.values())))
        lag_axis(ax, n_inputs, step=n_inputs // 4)
        ax.set(title=name, xlabel="lag (samples)", ylabel="capacity per input" if ax is axes[0, 0] else "")
    fig.legend(handles=lines, loc="outside upper center", ncols=len(lines))
    return fig
