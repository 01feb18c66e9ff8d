"""Plots of fits: the losses that are reached (paper 1, Section 5)."""

import numpy as np

from capacity.figures.style import (
    COLORS,
    legend_above,
    log_channel_axis,
    plain_log_ticks,
)

__all__ = ["plot_losses", "plot_losses_against_size"]


def plot_losses(ax, channels, losses, *, reference=None, spread=None, label="Gauss-Newton", style="o-", color=None):
    """Draw the optimal loss against the number of channels, log-log (Figures 4 and 10, centre)."""
    color = color or COLORS["loss"]
    lines = ax.plot(channels, losses, style, color=color, label=label)
    if spread is not None:
        lines += [ax.fill_between(channels, *np.transpose(spread), color=color, alpha=0.2, linewidth=0)]
    if reference is not None:
        lines += [_reference_line(ax, reference)]
    log_channel_axis(ax, channels)
    ax.set(ylabel="loss $\\mathcal{L}$ (log scale)", yscale="log")
    return lines


def plot_losses_against_size(ax, parameters, totals, losses, *, reference=None):
    """Draw the optimal loss against parameters and against capacity, log-log (Figures 4 and 10, right)."""
    lines = ax.plot(parameters, losses, "s-", color=COLORS["parameters"], label="against $p$")
    lines += ax.plot(totals, losses, "o-", color=COLORS["capacity"], label=r"against $\kappa$")
    if reference is not None:
        lines += [_reference_line(ax, reference)]
    legend_above(ax)
    ax.set(xlabel=r"$p$ or $\kappa$ (log scale)", xscale="log", yscale="log", ylabel="loss $\\mathcal{L}$ (log scale)")
    plain_log_ticks(ax.xaxis)
    return lines


def _reference_line(ax, value):
    ax.dataLim.update_from_data_y([value], ignore=False)  # axhline itself does not make room on a log axis
    return ax.axhline(value, color=COLORS["reference"], linestyle="--", linewidth=1, label="fully connected")
