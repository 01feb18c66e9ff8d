"""Plots of paper 1: allocations, spectra and losses. Each takes axes and results, draws, and returns the artists."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from capacity._validation import common_length
from capacity.figures.style import (
    COLORS,
    capacity_colors,
    channel_color,
    channel_label,
    input_axis,
    legend_above,
    log_channel_axis,
    log_lag_axis,
    plain_log_ticks,
)

__all__ = [
    "plot_allocation",
    "plot_budget",
    "plot_frequencies",
    "plot_losses",
    "plot_losses_against_size",
    "plot_on_log_lags",
    "plot_spectra",
    "plot_strips",
    "plot_totals",
]


def plot_totals(ax: Axes, channels: ArrayLike, parameters: ArrayLike, totals: ArrayLike, full: Any) -> list[Any]:
    """Draw parameters and total capacity against the number of channels, log-log (Figures 4 and 10, left)."""
    lines = ax.plot(channels, parameters, "s-", color=COLORS["parameters"], label="parameters $p$")
    lines += ax.plot(channels, totals, "o-", color=COLORS["capacity"], label=r"capacity $\kappa$")
    lines += [ax.axhline(full, color=COLORS["reference"], linestyle="--", linewidth=1, label=rf"$n = {full}$")]
    log_channel_axis(ax, channels)
    ax.set(ylabel="number (log scale)", yscale="log")
    plain_log_ticks(ax.yaxis)
    legend_above(ax)
    return lines


def plot_allocation(
    ax: Axes,
    allocations: Mapping[Any, np.ndarray],
    *,
    kind: str = "lag",
    labels: Mapping[Any, str] | None = None,
    colors: Mapping[Any, Any] | None = None,
    **line: Any,
) -> list[Any]:
    """Draw the capacity per input of several models.

    Parameters
    ----------
    ax : Axes
    allocations : dict to ndarray, shape (n,)
        By channel count, or by name.
    kind : {'lag', 'component'}, optional
        What the entries are: positions of the receptive field, or directions ordered by decreasing variance.
    labels, colors : dict, optional
        By the same keys; the channel counts' own by default.
    **line
        Properties of the lines, such as ``linewidth``.
    """
    n, lines = common_length(allocations, "allocations"), []
    colors = colors or capacity_colors(allocations)
    for key, values in allocations.items():
        label = labels[key] if labels else channel_label(key)
        lines += ax.plot(np.arange(n), values, color=colors[key], label=label, **{"drawstyle": "steps-mid"} | line)
    input_axis(ax, n, kind)
    ax.set(ylabel="capacity per input" if kind == "lag" else "capacity per direction")
    return lines


def plot_strips(
    ax: Axes, allocations: Mapping[Any, np.ndarray], *, kind: str = "lag", labels: Sequence[str] | None = None
) -> list[Any]:
    """Fill one strip per model or layer to the capacity of each input, the first at the bottom; grey is free.

    Parameters
    ----------
    ax : Axes
    allocations : dict to ndarray, shape (n,)
        By channel count, or by name; at most 1 per input. The strip in row r stands between 1.2 r and 1.2 r + 1.
    kind : {'lag', 'component'}, optional
        As in `plot_allocation`.
    labels : list of str, optional
        Instead of the names of the models.

    Returns
    -------
    list of StepPatch
        The filled part of each strip.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> len(plot_strips(Figure().subplots(), {1: np.linspace(0, 1, 8), 2: np.ones(8)}))
    2
    """
    n, filled = common_length(allocations, "allocations"), []
    bottoms = 1.2 * np.arange(len(allocations))
    for bottom, values in zip(bottoms, allocations.values()):
        ax.axhspan(bottom, bottom + 1, color=COLORS["reference"], alpha=0.15, linewidth=0)
        edges = np.arange(n + 1) - 0.5
        filled.append(ax.stairs(bottom + values, edges, baseline=bottom, fill=True, color=COLORS["capacity"]))
    input_axis(ax, n, kind)
    ax.set_yticks(bottoms + 0.5, labels or [channel_label(key) for key in allocations])
    ylabel = "capacity per input" if kind == "lag" else "capacity per direction"
    ax.set(ylim=(-0.1, 1.2 * len(allocations)), xlim=(-0.5, n - 0.5), ylabel=ylabel)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False)
    return filled


def plot_on_log_lags(
    ax: Axes,
    allocations: Mapping[Any, np.ndarray],
    *,
    colors: Mapping[Any, Any] | None = None,
    labels: Mapping[Any, str] | None = None,
    **line: Any,
) -> list[Any]:
    """Draw capacity per input against the lag on a logarithmic axis; arguments as in `plot_allocation`."""
    n, lines = common_length(allocations, "allocations"), []
    colors = colors or capacity_colors(allocations)
    for key, values in allocations.items():
        lines += ax.plot(
            np.arange(n, 0, -1), values, color=colors[key], label=labels[key] if labels else str(key), **line
        )
    log_lag_axis(ax, n)
    ax.set(ylabel="capacity per input")
    return lines


def plot_budget(ax: Axes, allocation: np.ndarray, color: str, notes: Sequence[tuple[int, str]]) -> list[Any]:
    """Fill the capacity of each input, below the bound of one, and point out inputs.

    Parameters
    ----------
    ax : Axes
    allocation : ndarray, shape (n,)
        Capacity per input, the oldest first.
    color : str
    notes : list of (int, str)
        Lags, and what is to be said of the input at each; the words stand above the bound, from left to right in the
        order of the list.
    """
    n = len(allocation)
    ax.axhspan(0, 1, color=COLORS["reference"], alpha=0.15, linewidth=0)
    filled = ax.stairs(allocation, np.arange(n + 1) - 0.5, fill=True, color=color)
    input_axis(ax, n, "lag")
    ax.set(ylabel="capacity per input", ylim=(0, 1.4), xlim=(-0.5, n - 0.5), yticks=[0, 0.5, 1])
    words = [
        ax.annotate(
            text,
            (n - lag, min(1.0, allocation[n - lag] + 0.02)),
            xytext=((k + 0.5) / len(notes), 0.97),
            textcoords="axes fraction",
            ha="center",
            va="top",
            arrowprops={"arrowstyle": "->", "color": COLORS["reference"], "shrinkB": 0},
        )
        for k, (lag, text) in enumerate(notes)
    ]
    return [filled, *words]


def plot_frequencies(
    ax: Axes, frequencies: np.ndarray, allocations: Mapping[Any, np.ndarray], *, spectrum: np.ndarray | None = None
) -> list[Any]:
    """Draw capacity along frequencies {channels or name: capacity}, over the shape of a power spectrum if given."""
    lines: list[Any] = []
    if spectrum is not None:
        lines.append(ax.fill_between(frequencies, spectrum / np.max(spectrum), color="#dddddd", label="spectrum"))
    for (channels, values), color in zip(allocations.items(), capacity_colors(allocations).values()):
        lines += ax.plot(frequencies, values, color=color, label=channel_label(channels))
    ax.set(xlabel="frequency (cycles per sample)", ylabel="capacity per direction", ylim=(0, 1.05), xlim=(0, 0.5))
    return lines


def plot_spectra(ax: Axes, spaces: Mapping[Any, Any]) -> list[Any]:
    """Draw the eigenvalues of the capacity weighting matrix for several channel counts (Figure 5, left).

    Parameters
    ----------
    ax : Axes
    spaces : dict of int to ConstraintSpace
        By channel count. Values above the cut are filled, values cut off are hollow.
    """
    lines = []
    for channels, space in spaces.items():
        values = np.square(space.basis.singular_values / space.basis.singular_values[0])
        index, color = np.arange(1, values.size + 1), channel_color(channels)
        kept = index <= space.total
        lines += ax.plot(index[kept], values[kept], ".", color=color, label=channel_label(channels))
        ax.plot(
            index[~kept],
            np.maximum(values[~kept], 1e-40),
            ".",
            color=color,
            markerfacecolor="none",
            markeredgewidth=0.7,
        )
    cuts = [np.square(space.basis.threshold / space.basis.singular_values[0]) for space in spaces.values()]
    ax.dataLim.update_from_data_y([max(cuts)], ignore=False)  # axhline itself does not make room on a log axis
    lines += [ax.axhline(max(cuts), color=COLORS["reference"], linestyle="--", linewidth=1)]
    ax.set(xlabel="rank of the eigenvalue", ylabel="eigenvalue / largest (log scale)", yscale="log")
    return lines


def plot_losses(
    ax: Axes,
    channels: ArrayLike,
    losses: ArrayLike,
    *,
    reference: Any = None,
    spread: Any = None,
    label: str = "Gauss-Newton",
    style: str = "o-",
    color: Any = None,
) -> list[Any]:
    """Draw the optimal loss against the number of channels, log-log (Figures 4 and 10, centre)."""
    color = color or COLORS["loss"]
    lines: list[Any] = ax.plot(channels, losses, style, color=color, label=label)
    if spread is not None:
        lines += [ax.fill_between(channels, *np.transpose(spread), color=color, alpha=0.2, linewidth=0)]
    if reference is not None:
        lines += [_reference_line(ax, reference)]
    log_channel_axis(ax, channels)
    ax.set(ylabel="loss $\\mathcal{L}$ (log scale)", yscale="log")
    return lines


def plot_losses_against_size(
    ax: Axes, parameters: ArrayLike, totals: ArrayLike, losses: ArrayLike, *, reference: Any = None
) -> list[Any]:
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
