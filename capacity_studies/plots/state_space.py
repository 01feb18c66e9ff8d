"""Plots of state-space models: their poles, their memory, and where fits put their capacity."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, direct_labels, plain_log_ticks

__all__ = ["plot_disc", "plot_half_lags", "plot_half_lags_against", "plot_memory_ranks", "series_name"]

_MARKERS = "osD^v"
_NAMES = {"elnino": "El Niño", "co2": "CO₂", "eeg": "EEG"}  # of series, in words


def series_name(name):
    """Name of a series as figures have it."""
    return _NAMES.get(name, name)


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
