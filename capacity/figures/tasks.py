"""Plots of paper 1, Section 6.2 and Appendix D, and of the comparison of processes."""

import numpy as np

from capacity.figures.style import COLORS, frameless, readable

__all__ = ["plot_findings", "plot_recovery"]


def plot_findings(ax, findings):
    """Draw which findings hold on which processes: a row for each finding, a filled square where it holds.

    Parameters
    ----------
    ax : Axes
    findings : dict of str to dict of str to bool
        By finding, the first on top, and by process, the same ones in all.
    """
    names = list(next(iter(findings.values())))
    rows = [(x, y, found[name]) for y, found in enumerate(findings.values()) for x, name in enumerate(names)]
    artists = []
    for holds, face in ((True, COLORS["reference"]), (False, "white")):
        at = np.array([(x, y) for x, y, found in rows if bool(found) == holds]).reshape(-1, 2)
        artists += ax.plot(
            *at.T, "s", markersize=8, color=face, markeredgecolor=COLORS["reference"], markeredgewidth=0.6
        )
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(findings)), list(findings))
    ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(len(findings) - 0.4, -0.6))
    ax.xaxis.tick_top()
    frameless(ax)
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
