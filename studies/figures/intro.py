"""Figures of the chapter intro."""

from matplotlib import pyplot as plt

from capacity.figures import COLORS, plot_budget

__all__ = ["overview"]


def overview(channels, allocations, n, full):
    """What a model spends on each of the last samples of a signal, the most recent on the right."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    older, spike, newer = allocations[channels][n // 2 - 2 : n // 2 + 1]
    notes = [(n // 2 + 1, f"a spike at lag {n // 2 + 1}")] if spike > max(older, newer) + 0.1 else []
    notes += [(1 + full[channels] // 2, f"full: the last {full[channels]}")]
    plot_budget(
        ax, allocations[channels], COLORS["capacity"], notes if full[channels] < n else [(n // 2, "full everywhere")]
    )
    return fig
