"""Figures of the chapter intro."""

from matplotlib import pyplot as plt

from capacity.figures import COLORS, plot_budget

__all__ = ["overview"]


def overview(allocation, full):
    """What a model spends on each of the last samples of a signal, the most recent on the right, of which the last ones
    are full.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    n = len(allocation)
    older, spike, newer = allocation[n // 2 - 2 : n // 2 + 1]
    notes = [(n // 2 + 1, f"a spike at lag {n // 2 + 1}")] if spike > max(older, newer) + 0.1 else []
    notes += [(1 + full // 2, f"full: the last {full}")]
    plot_budget(ax, allocation, COLORS["capacity"], notes if full < n else [(n // 2, "full everywhere")])
    return fig
