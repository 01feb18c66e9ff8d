"""Figures of the chapter beyond/scaling."""

import numpy as np
from matplotlib import pyplot as plt

from capacity_studies import plots

__all__ = ["bend", "figure_capacity", "figure_loss", "figure_recurrent"]


def bend(channel_counts, numbers, totals, n_inputs):
    """Numbers of parameters and total capacities of hierarchical models against their channels, and the power law
    through the first two capacities.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.4))
    lines = plots.plot_totals(ax, channel_counts, numbers, totals, n_inputs)
    ax.get_legend().remove()
    law = totals[0] * np.array(channel_counts) ** np.log2(totals[1] / totals[0])
    lines[2:] = ax.plot(channel_counts, law, ":", color=plots.COLORS["reference"])
    ax.set_ylim(2, 20_000)
    plots.direct_labels(ax, lines, ["parameters", "capacity", "power law"])
    full = int(np.argmax(totals == n_inputs))
    plots.point_out(ax, f"full: the {n_inputs} inputs", (channel_counts[full], n_inputs), (0.78, 0.12), in_layout=False)
    return fig


def figure_capacity(channels, totals, doublings, slopes):
    """Total capacity against channels, by depth; and local exponents, by what they are of, at doublings of channels."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    plots.plot_capacity_growth(axes[0], channels, totals)
    plots.plot_slopes(axes[1], doublings, slopes)
    plots.point_out(axes[0], "level: full", (channels[-1], 8), (0.75, 0.1))
    plots.point_out(axes[1], "to 2", (np.sqrt(doublings[-1] * doublings[-2]), slopes["parameters"][-1]), (0.8, 0.7))
    fig.get_layout_engine().set(wspace=0.1)
    return fig


def figure_loss(losses, exponential, power):
    """Losses of hierarchical models against channels, with both fitted laws."""
    return _loss_laws(losses, exponential, power, "channels")


def figure_recurrent(curves, exponential, power):
    """Losses of recurrent models against total capacity, with both fitted laws."""
    return _loss_laws(curves, exponential, power, "total capacity")


def _loss_laws(losses, exponential, power, xlabel):
    """Losses, {process: (x, loss)}, on a linear and on a logarithmic axis, each with the law that is straight there."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), sharey=True)
    straight = {p: (x, np.exp(exponential[p].intercept + exponential[p].slope * x)) for p, (x, _) in losses.items()}
    bent = {p: (x, np.exp(power[p].intercept) * x ** power[p].slope) for p, (x, _) in losses.items()}
    lines = plots.plot_loss_laws(axes[0], losses, straight, xlabel=xlabel)
    plots.plot_loss_laws(axes[1], losses, bent, xlabel=xlabel, log=True)
    axes[0].annotate("nearly straight:\nexponential", (0.95, 0.95), xycoords="axes fraction", ha="right", va="top")
    axes[1].annotate("bends:\nno power law", (0.05, 0.05), xycoords="axes fraction")
    axes[1].set_ylabel("")
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=3)
    return fig
