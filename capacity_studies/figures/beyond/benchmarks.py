"""Figures of the chapter beyond/benchmarks."""

from matplotlib import pyplot as plt

from capacity_studies import plots

__all__ = ["figure_kernels", "figure_times"]


def figure_times(counts, times):
    """Time of one fit and one capacity per input against the number of channels, by method."""
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    plots.plot_times(ax, counts, times, xlabel="channels")
    return fig


def figure_kernels(steps):
    """Time of each step of a capacity against the least that the machine allows: {step: (least, times)}."""
    fig, ax = plt.subplots(figsize=(4.6, 3.2))
    plots.plot_limits(ax, steps)
    return fig
