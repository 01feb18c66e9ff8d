"""Figures of the chapter beyond/state-space."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels, legend_above, plot_allocation, plot_on_log_lags, tints
from capacity.figures.style import plain_log_ticks
from capacity_studies.figures.strokes import series_name

__all__ = [
    "conditions",
    "fitted_poles",
    "half_lags",
    "memory_figure",
    "plot_disc",
    "plot_half_lags",
    "plot_half_lags_against",
    "plot_memory_ranks",
    "state_space_initialisations",
]

_MARKERS = "osD^v"


def state_space_initialisations(poles, spaces):
    """Poles of a model as it is initialised, and what its constraint spaces, by name, allocate to each lag."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[4, 5])
    plot_disc(axes[0], {"poles": poles})
    plot_allocation(axes[1], {f"{name}: {space.total}": space.spatial() for name, space in spaces.items()})
    axes[1].set(ylim=(0, 1.05))
    axes[1].legend(loc="upper left", handlelength=1, borderpad=0.1)
    fig.draw_without_rendering()
    fig.set_layout_engine("none")
    return fig


def memory_figure(remembered, counts, ranks):
    """How much of each lag the states remember, by initialisation; and the sum over all lags, by pairs of poles."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    plot_on_log_lags(axes[0], remembered, colors=dict(zip(remembered, tints("model", len(remembered)))))
    axes[0].set(ylabel="memory")
    axes[0].legend(loc="upper left")
    plot_memory_ranks(axes[1], counts, [rank.total for rank in ranks], [rank.numerical for rank in ranks])
    return fig


def half_lags(before, after, n):
    """Lag within which half of the capacity lies, of models with two pairs of poles: at three initialisations
    (empty) and after fits from them (filled).
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.2))
    plot_half_lags(ax, before, after, n)
    for label, fill in (("before", "none"), ("after a fit", "full")):
        ax.plot([], [], "o", color=COLORS["reference"], markersize=5, fillstyle=fill, label=label)
    legend_above(ax, ncols=5)
    return fig


def fitted_poles(decaying, measured):
    """Poles of the best fits with two pairs, of decaying processes and of measured series."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.4))
    plot_disc(axes[0], decaying)
    plot_disc(axes[1], measured)
    for ax in axes:
        legend_above(ax, ncols=2, columnspacing=1, handletextpad=0.2)
    return fig


def conditions(numbers, by_size, horizons, by_horizon, n):
    """Lag, of n, within which half of the capacity lies after a fit, by number of pairs and by steps ahead."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7), sharey=True)
    plot_half_lags_against(axes[0], numbers, by_size, n, xlabel="pairs of poles")
    plot_half_lags_against(axes[1], horizons, by_horizon, n, xlabel="steps ahead")
    axes[1].set(ylabel="")
    return fig


def plot_disc(ax, poles):
    """Draw the poles of pairs {name: poles} and their conjugates in the unit circle, beyond which no pole is stable.

    Parameters
    ----------
    ax : Axes
    poles : dict of str to ndarray, shape (pairs,), complex

    Returns
    -------
    list of Artist
        The circle first.
    """
    turn = np.linspace(0, 2 * np.pi, 241)
    artists = ax.plot(np.cos(turn), np.sin(turn), color=COLORS["reference"], linewidth=0.8)
    for (name, values), marker, color in zip(poles.items(), _MARKERS, PALETTE):
        both = np.concatenate([values, np.conj(values)])
        artists += ax.plot(
            both.real, both.imag, marker, color=color, markersize=5, fillstyle="none", label=series_name(name)
        )
    ax.set(xlim=(-1.08, 1.08), ylim=(-1.08, 1.08), aspect="equal", xlabel="real part", ylabel="imaginary part")
    ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    return artists


def plot_memory_ranks(ax, pairs, exact, numerical):
    """Draw the memory capacity against the number of pairs: the rank itself, and the rank in double precision."""
    lines = ax.plot(pairs, exact, "o-", color=COLORS["model"], markersize=4, label="distinct poles")
    lines += ax.plot(pairs, numerical, "kx", label="numerical rank")
    ax.set(xlabel="pairs of poles", ylabel="memory capacity")
    ax.legend(loc="upper left")
    return lines


def plot_half_lags(ax, before, after, n):
    """Draw for each series the lag within which half of the capacity lies, at several starts and after fits from them.

    Parameters
    ----------
    ax : Axes
    before, after : dict of str to dict of str to float
        By start and series.
    n : int
        Number of inputs; half of it is marked.

    Returns
    -------
    list of Artist
        For each start the points before and those after.
    """
    names = list(next(iter(before.values())))
    rows, artists = np.arange(len(names))[::-1], []
    ax.axvline(n / 2, color=COLORS["reference"], linestyle=":", linewidth=1)
    middle = {"xytext": (4, 4), "textcoords": "offset points", "color": COLORS["reference"]}
    ax.annotate("half of\nthe inputs", (n / 2, rows[-1] - 0.4), va="bottom", **middle)
    shifts = np.linspace(0.22, -0.22, len(before))
    for start, marker, color, shift in zip(before, _MARKERS, PALETTE, shifts):
        ends = [[values[start][name] for name in names] for values in (before, after)]
        ax.hlines(rows + shift, *ends, color=color, alpha=0.35, linewidth=1)
        style = {"color": color, "marker": marker, "linestyle": "none", "markersize": 5}
        artists += ax.plot(ends[0], rows + shift, fillstyle="none", **style)
        artists += ax.plot(ends[1], rows + shift, label=start, **style)
    ax.set_yticks(rows, [*map(series_name, names)])
    ax.set(xscale="log", xlabel="lag within which half of the capacity lies (log scale)")
    ax.set_xlim(1.5, n)
    plain_log_ticks(ax.xaxis)
    ax.grid(axis="y", visible=False)
    return artists


def plot_half_lags_against(ax, x, curves, n, *, xlabel):
    """Draw the lag within which half of the capacity lies against something else, {series: lags}.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (points,)
    curves : dict of str to ndarray, shape (points,)
    n : int
        Number of inputs; half of it is marked.
    xlabel : str

    Returns
    -------
    list of Line2D
        One per series.
    """
    ax.axhline(n / 2, color=COLORS["reference"], linestyle=":", linewidth=1)
    lines = []
    for (name, values), marker, color in zip(curves.items(), _MARKERS, PALETTE):
        lines += ax.plot(x, values, marker=marker, color=color, markersize=5, label=series_name(name))
    ax.set(xlabel=xlabel, ylabel="half of the capacity\nwithin this lag", xscale="log", ylim=(0, 0.6 * n))
    ax.set_xticks(x, [f"{value:g}" for value in x], minor=False)
    ax.minorticks_off()
    direct_labels(ax, lines)
    return lines
