"""Figures of the chapter beyond/explorer."""

from matplotlib import pyplot as plt

from capacity.figures import COLORS, plot_budget

__all__ = ["explorer_figure"]


def explorer_figure(allocations, goal):
    """Capacity by lag, by number of inputs and of channels; a lag that one would like to reach is marked."""
    fig, axes = plt.subplots(1, len(allocations), figsize=(6.9, 2.3), sharey=True, squeeze=False)
    for ax, ((inputs, channels), allocation) in zip(axes[0], allocations.items()):
        plot_budget(ax, allocation, COLORS["capacity"], [(goal, f"lag {goal}")] if goal <= inputs else [])
        ax.set(title=f"{inputs} inputs, {channels} channel{'s' * (channels > 1)}")
        ax.label_outer()
    fig.get_layout_engine().set(wspace=0.06)
    return fig
