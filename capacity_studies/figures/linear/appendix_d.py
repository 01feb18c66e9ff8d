"""Figures of the chapter linear/appendix-d."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS
from capacity.figures.style import readable

__all__ = [
    "adapt",
    "counterexample",
    "plot_adaptation",
    "plot_fixed_weights",
    "plot_recovery",
]


def adapt(a, weights, first_weights, ends_of):
    """What another parameter must be for the optimum to be attained, once one weight is fixed."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.2))
    with np.errstate(all="ignore"):
        other, square = 0.7 / weights, (a - 0.25) / (first_weights * (1 - first_weights))
        distance = np.where(np.isfinite(square), np.sqrt(square), np.nan if a != 0.25 else 0)
    plot_adaptation(axes[0], weights, other, [(0, 0)], limits=(-3, 3))
    plot_adaptation(axes[1], first_weights, distance, ends_of(a), limits=(-0.1, 2))
    axes[0].set(title="product", xlabel="fixed weight $w_2$", ylabel="$w_1$ that it needs")
    axes[1].set(title="recurrence", xlabel="fixed weight $w_1$", ylabel="distance of poles")
    return fig


def counterexample(values, lowest):
    """Lowest loss found for each value of the fixed weight in the counterexample; losses below 1e-34 are drawn
    there.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    plot_fixed_weights(ax, values, np.maximum(lowest, 1e-34), (0, 1))
    return fig


def plot_fixed_weights(ax, weights, losses, impossible):
    """Draw the lowest loss for each value of a fixed weight, with the interval shaded where no real solution exists."""
    artists = [ax.axvspan(*impossible, color="#eeeeee", zorder=0)]
    artists += ax.plot(weights, losses, "o", color=COLORS["parameters"], markersize=3.5)
    centre, beside = np.mean(impossible), {"transform": ax.get_xaxis_transform(), "ha": "center", "va": "center"}
    artists.append(ax.text(centre, 0.45, "no real solution:\nlost", **beside))
    for side in (weights[0] + impossible[0], weights[-1] + impossible[1]):
        artists.append(ax.text(side / 2, 0.45, "recovered", **beside))
    ax.set(xlabel="fixed weight $w_1$", ylabel="loss (log scale)", yscale="log")
    return artists


def plot_adaptation(ax, fixed, needed, lost, *, limits):
    """Draw what another parameter must be for the optimum, given that of a fixed one.

    Parameters
    ----------
    ax : Axes
    fixed, needed : ndarray, shape (points,)
        Values of the fixed parameter and what the other must be then, NaN where nothing will do.
    lost : list of (float, float)
        The intervals of values that lose the optimum: shaded, or a line with an arrow if it is one value.
    limits : (float, float)
        Of the vertical axis.
    """
    low, high = limits
    artists = ax.plot(fixed, needed, color=COLORS["parameters"], linewidth=2)
    grey, middle = COLORS["reference"], 0.5 * (low + high)
    for begin, end in lost:
        if begin == end:
            artists.append(ax.axvline(begin, color=grey, linewidth=1))
            word = {"xytext": (0.04, 0.95), "textcoords": "axes fraction", "va": "top", "color": grey}
            arrow = {"arrowstyle": "->", "color": grey}
            artists.append(ax.annotate("lost\nonly here", (begin, middle), arrowprops=arrow, **word))
        else:
            artists.append(ax.axvspan(begin, end, color=grey, alpha=0.15, linewidth=0, zorder=0))
            centre = {"ha": "center", "va": "center", "color": grey}
            artists.append(ax.text(0.5 * (begin + end), middle, "lost", **centre))
    ax.set(xlim=(fixed[0], fixed[-1]), ylim=limits)
    return artists


def plot_recovery(ax, losses, redundant, *, threshold=None, sides=()):
    """Draw the loss of each draw as a dot, one row per set of frozen layers.

    Parameters
    ----------
    ax : Axes
    losses : dict of str to ndarray
        Losses on a scale of the caller's, by set; the first in the top row.
    redundant : dict of str to bool
        Whether each set is redundant, which gives its colour.
    threshold : float, optional
        Where to draw the line between recovered and not.
    sides : sequence of str, optional
        What to write above the axes, left and right of that line.
    """
    artists = []
    for row, (name, values) in enumerate(losses.items()):
        color = COLORS["parameters"] if redundant[name] else COLORS["reference"]
        height = row + 0.25 * np.linspace(-1, 1, len(values))
        artists += ax.plot(np.sort(values), height, "o", color=color, markersize=3.5, alpha=0.7, markeredgewidth=0)
    if threshold is not None:
        artists.append(ax.axvline(threshold, color=COLORS["reference"], linestyle="--", linewidth=1))
        for words, place, name in zip(sides, ("right", "left"), ("parameters", "reference")):
            style = {"ha": place, "va": "bottom", "color": readable(COLORS[name])}
            artists.append(ax.text(threshold, 1.02, f" {words} ", transform=ax.get_xaxis_transform(), **style))
    ax.set_yticks(range(len(losses)), list(losses))
    ax.set(xscale="log", ylim=(len(losses) - 0.4, -0.6))
    ax.grid(axis="y", visible=False)
    return artists
