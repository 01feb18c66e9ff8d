"""Plots of the second half of paper 1: poles of recurrent models, several components, fitted autocorrelations."""

import numpy as np

from capacity.checks import common_length
from capacity.figures.style import COLORS, PALETTE, channel_color, channel_label, lag_axis, log_lag_axis

__all__ = [
    "component_color",
    "plot_allocation_per_component",
    "plot_difference",
    "plot_extended_spectrum",
    "plot_frequencies",
    "plot_on_log_lags",
    "plot_poles",
    "plot_two_curves",
]


def component_color(components):
    """Colour of an input with that many components: 1, 4, 16, ... in turn, none of them that of a channel count."""
    return ["#444444", PALETTE[4], PALETTE[9]][round(np.log2(components) / 2) % 3]


def plot_extended_spectrum(ax, double, certified):
    """Draw singular values in double precision over those that were certified."""
    lines = ax.plot(np.arange(1, len(certified) + 1), certified, "o", color=COLORS["target"], label="certified")
    lines += ax.plot(np.arange(1, len(double) + 1), double, "x", color=COLORS["capacity"], label="double precision")
    ax.set(xlabel="rank of the singular value", ylabel="value / largest (log scale)", yscale="log")
    ax.legend(loc="lower left")
    return lines


def plot_poles(ax, poles):
    """Draw the poles of fitted recurrences {channels: poles} on the real line, one row per model."""
    artists = [ax.axvspan(-1, 1, color="#eeeeee", zorder=0)]
    for row, (channels, values) in enumerate(poles.items()):
        color = channel_color(channels)
        artists += ax.plot(values, np.full(len(values), row), "|", color=color, markersize=14, markeredgewidth=1.6)
    ax.set_yticks(range(len(poles)), [str(channels) for channels in poles])
    ax.set(xlabel="pole $W^{(\\mathrm{rec})}$ (shaded: stable)", ylabel="channels", ylim=(-0.6, len(poles) - 0.4))
    ax.grid(axis="y", visible=False)
    return artists


def plot_on_log_lags(ax, allocations, *, colors=None, labels=None, **line):
    """Draw capacity per input against the lag on a logarithmic axis; arguments as in `plot_allocation`.

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    n, lines = common_length(allocations, "allocations"), []
    for key, values in allocations.items():
        color = colors[key] if colors else channel_color(key) if isinstance(key, int) else None
        lines += ax.plot(np.arange(n, 0, -1), values, color=color, label=labels[key] if labels else str(key), **line)
    log_lag_axis(ax, n)
    ax.set(ylabel="capacity per input")
    return lines


def plot_allocation_per_component(ax, allocations, components, *, colors=None, labels=None):
    """Draw capacity per position divided by the number of components; the right axis shows the undivided capacity.

    Parameters
    ----------
    ax : Axes
    allocations : dict to ndarray, shape (n,)
        Capacity per position (not divided), by channel count or any key.
    components : int or dict
        Number d of components, for all or by the same keys. Only with one d for all is there a right axis.

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    n, lines = common_length(allocations, "allocations"), []
    for key, values in allocations.items():
        d = components[key] if isinstance(components, dict) else components
        color = colors[key] if colors else channel_color(key)
        label = labels[key] if labels else channel_label(key)
        lines += ax.plot(np.arange(n), values / d, color=color, label=label, drawstyle="steps-mid")
    lag_axis(ax, n)
    ax.set(ylabel="capacity per position\nand component", ylim=(0, 1.05))
    if not isinstance(components, dict):
        right = ax.secondary_yaxis("right", functions=(lambda y: y * components, lambda y: y / components))
        right.set_ylabel("capacity per position")
    return lines


def plot_two_curves(ax, model, target, *, ylabel, log=False):
    """Draw a quantity of the model over the same of the target, against the lag (Figure 14, left)."""
    lags = np.arange(1, len(target) + 1)
    lines = ax.plot(lags, target, color=COLORS["target"], linewidth=3, alpha=0.5, label="target")
    lines += ax.plot(lags, model, color=COLORS["model"], label="model")
    ax.set(xlabel="lag (samples)", ylabel=ylabel)
    if log:
        ax.set_yscale("log")
    return lines


def plot_difference(ax, difference, *, ylabel):
    """Draw the size of a difference against the lag, on a logarithmic axis (Figure 14, centre and right)."""
    lines = ax.plot(np.arange(1, len(difference) + 1), np.abs(difference), color=COLORS["error"])
    ax.set(xlabel="lag (samples)", ylabel=ylabel, yscale="log")
    return lines


def plot_frequencies(ax, frequencies, allocations, *, spectrum=None):
    """Draw capacity along frequencies {channels or name: capacity}, over the shape of a power spectrum if given."""
    lines = []
    if spectrum is not None:
        lines.append(ax.fill_between(frequencies, spectrum / np.max(spectrum), color="#dddddd", label="spectrum"))
    for channels, values in allocations.items():
        lines += ax.plot(frequencies, values, color=channel_color(channels), label=channel_label(channels))
    ax.set(xlabel="frequency (cycles per sample)", ylabel="capacity per direction", ylim=(0, 1.05), xlim=(0, 0.5))
    return lines
