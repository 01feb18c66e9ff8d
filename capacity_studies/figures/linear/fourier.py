"""Figures of the chapter linear/fourier."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.allocation import per_frequency

__all__ = ["fourier"]


def fourier(process_names, covariances, n, channel_counts, allocations, vectors, frequencies, grid):
    """Capacity along the Fourier components of the input, for a process of long memory (left) and for the yearly
    sunspot numbers (right).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9), sharey=True)
    for ax, name in zip(axes, process_names):
        spectrum = per_frequency(np.diag(vectors.T @ covariances[name] @ vectors), frequencies)[1]
        lines = figures.plot_frequencies(ax, grid, {c: allocations[name, c] for c in channel_counts}, spectrum=spectrum)
        ax.set_title(name)
    slow = allocations[process_names[0], channel_counts[-1]]
    for k, words in enumerate(("1/8", "1/4", "3/8", "1/2"), start=1):
        figures.point_out(axes[0], words, (k / 8, slow[k * n // 8]), (k / 4, 0.8))
    axes[0].text(0.25, 1.5, "peaks at multiples of 1/8", ha="center", va="center")
    figures.point_out(axes[1], "the cycle of eleven years", (1 / 11, 1), (0.5, 0.8))
    axes[0].set(ylim=(0, 1.6), yticks=[0, 0.5, 1])
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig
