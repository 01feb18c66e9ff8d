"""Plots of fits: the losses that are reached, and the poles of fitted recurrences (paper 1, Section 5)."""

import numpy as np

from capacity.figures.style import (
    COLORS,
    legend_above,
    log_channel_axis,
    plain_log_ticks,
)

__all__ = [
    "plot_extended_spectrum",
    "plot_losses",
    "plot_losses_against_size",
    "plot_poles",
]


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


def plot_extended_spectrum(ax, double, certified):
    """Draw singular values in double precision over those that were certified."""
    lines = ax.plot(np.arange(1, len(certified) + 1), certified, "o", color=COLORS["target"], label="certified")
    lines += ax.plot(np.arange(1, len(double) + 1), double, "x", color=COLORS["reference"], label="double precision")
    ax.set(xlabel="rank of the singular value", ylabel="value / largest (log scale)", yscale="log")
    ax.legend(loc="lower left")
    return lines


def plot_poles(ax, poles):
    """Draw the poles of fitted recurrences {channels: poles} on the real line, one row per model."""
    artists = [ax.axvspan(-1, 1, color="#eeeeee", zorder=0)]
    for row, values in enumerate(poles.values()):
        artists += ax.plot(
            values, np.full(len(values), row), "|", color=COLORS["model"], markersize=14, markeredgewidth=1.6
        )
    ax.set_yticks(range(len(poles)), [str(channels) for channels in poles])
    ax.set(xlabel="pole $W^{(\\mathrm{rec})}$ (shaded: stable)", ylabel="channels", ylim=(-0.6, len(poles) - 0.4))
    ax.grid(axis="y", visible=False)
    return artists


def _reference_line(ax, value):
    ax.dataLim.update_from_data_y([value], ignore=False)  # axhline itself does not make room on a log axis
    return ax.axhline(value, color=COLORS["reference"], linestyle="--", linewidth=1, label="fully connected")
