"""Figures of the chapter linear/fourier."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.allocation import per_frequency
from capacity_studies.figures.strokes import series_name

__all__ = ["fourier"]


def fourier(process_names, covariances, channel_counts, allocations, vectors, frequencies, grid):
    """Capacity along the Fourier components of the input, a panel for each process: at the paper's values one of long
    memory and the yearly sunspot numbers.
    """
    columns = min(len(process_names), 3)
    rows = -(-len(process_names) // columns)
    fig, axes = plt.subplots(rows, columns, figsize=(6.3, 0.5 + 2.4 * rows), sharey=True, squeeze=False)
    for ax in axes.flat[len(process_names) :]:
        ax.set_visible(False)
    for ax, name in zip(axes.flat, process_names):
        spectrum = per_frequency(np.diag(vectors.T @ covariances[name] @ vectors), frequencies)[1]
        lines = figures.plot_frequencies(ax, grid, {c: allocations[name, c] for c in channel_counts}, spectrum=spectrum)
        ax.set_title(series_name(name))
    for ax in axes[:, ::2].flat if columns == 3 else ():
        ax.set_xlabel("")  # that of the middle is as wide as they are
    _point_at_eighths(axes[0, 0], grid, allocations[process_names[0], channel_counts[-1]])
    few = allocations["sunspots", channel_counts[0]]
    peak = (grid[few.argmax()], few.max())
    panel = axes.flat[process_names.index("sunspots")]
    figures.point_out(panel, "the cycle of eleven years", peak, (0.5, 0.8), when=1 / 13 < peak[0] < 1 / 9)
    axes[0, 0].set(ylim=(0, 1.6), yticks=[0, 0.5, 1])
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig


def _point_at_eighths(ax, grid, curve):
    """Point out the multiples of 1/8 at which a curve has a peak, and say so if it has one at each."""
    eighths = np.searchsorted(grid, np.arange(1, 5) / 8)
    padded = np.append(curve, -np.inf)
    peaks = curve[eighths] > np.maximum(curve[eighths - 1], padded[eighths + 1])
    for k, (at, words) in enumerate(zip(eighths, ("1/8", "1/4", "3/8", "1/2")), start=1):
        figures.point_out(ax, words, (k / 8, curve[at]), (k / 4, 0.8), when=peaks.all())
    if peaks.all():
        ax.text(0.25, 1.5, "peaks at multiples of 1/8", ha="center", va="center")
