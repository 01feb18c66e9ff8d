"""Figures of the chapter beyond/scaling."""

import numpy as np
from matplotlib import pyplot as plt

from studies import figures

__all__ = ["bend", "figure_capacity", "figure_loss", "figure_recurrent"]


def bend(L, stack_of, channel_counts, total_in):
    """Parameters and total capacity of stacks of layers with two taps, each at twice the dilation of the one below,
    against the number of channels.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.4))
    numbers, totals = [stack_of(L, c).n_parameters for c in channel_counts], total_in(L)
    lines = figures.plot_totals(ax, channel_counts, numbers, totals, 2**L)
    ax.get_legend().remove()
    law = totals[0] * np.array(channel_counts) ** np.log2(totals[1] / totals[0])
    lines[2:] = ax.plot(channel_counts, law, ":", color=figures.COLORS["reference"])
    ax.set_ylim(2, 20_000)
    figures.direct_labels(ax, lines, ["parameters", "capacity", "power law"])
    full = int(np.argmax(totals == 2**L))
    figures.point_out(ax, f"full: the {2**L} inputs", (channel_counts[full], 2**L), (0.78, 0.12), in_layout=False)
    return fig


def figure_capacity(channels, totals, doublings, slopes):
    """Figure capacity of the paper."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    figures.plot_capacity_growth(axes[0], channels, totals)
    figures.plot_slopes(axes[1], doublings, slopes)
    figures.point_out(axes[0], "level: full", (channels[-1], 8), (0.75, 0.1))
    figures.point_out(axes[1], "to 2", (np.sqrt(doublings[-1] * doublings[-2]), slopes["parameters"][-1]), (0.8, 0.7))
    fig.get_layout_engine().set(wspace=0.1)
    return fig


def figure_loss(exponential, losses, power):
    """Figure loss of the paper."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), sharey=True)
    straight = {p: (c, np.exp(exponential[p].intercept + exponential[p].slope * c)) for p, (c, _) in losses.items()}
    bent = {p: (c, np.exp(power[p].intercept) * c ** power[p].slope) for p, (c, _) in losses.items()}
    lines = figures.plot_loss_laws(axes[0], losses, straight, xlabel="channels")
    figures.plot_loss_laws(axes[1], losses, bent, xlabel="channels", log=True)
    axes[0].annotate("nearly straight:\nexponential", (0.95, 0.95), xycoords="axes fraction", ha="right", va="top")
    axes[1].annotate("bends:\nno power law", (0.05, 0.05), xycoords="axes fraction")
    axes[1].set_ylabel("")
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=3)
    return fig


def figure_recurrent(recurrent_rate, curves, recurrent_power):
    """Figure recurrent of the paper."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), sharey=True)
    straight = {
        p: (k, np.exp(recurrent_rate[p].intercept + recurrent_rate[p].slope * k)) for p, (k, _) in curves.items()
    }
    bent = {
        p: (k, np.exp(recurrent_power[p].intercept) * k ** recurrent_power[p].slope) for p, (k, _) in curves.items()
    }
    lines = figures.plot_loss_laws(axes[0], curves, straight, xlabel="total capacity")
    figures.plot_loss_laws(axes[1], curves, bent, xlabel="total capacity", log=True)
    axes[0].annotate("nearly straight:\nexponential", (0.95, 0.95), xycoords="axes fraction", ha="right", va="top")
    axes[1].annotate("bends:\nno power law", (0.05, 0.05), xycoords="axes fraction")
    axes[1].set_ylabel("")
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=3)
    return fig
