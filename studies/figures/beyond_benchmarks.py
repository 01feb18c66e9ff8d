"""Figures of the chapter beyond/benchmarks."""

from matplotlib import pyplot as plt

from studies import figures

__all__ = ["figure_times"]


def figure_times(counts, times):
    """Time of one fit and one capacity per input against the number of channels, by method."""
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    figures.plot_times(ax, counts, times, xlabel="channels")
    return fig
