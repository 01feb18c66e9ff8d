"""Plots for trained networks: what one unit spends on a picture or a spectrogram, and what training changes."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, tints

__all__ = ["plot_before_and_after", "plot_group_shares"]


def plot_group_shares(ax, names, groups):
    """Draw the shares that groups of inputs receive, side by side for several networks.

    Parameters
    ----------
    ax : Axes
    names : list of str
        Of the groups of inputs.
    groups : dict of str to ndarray, shape (inputs,) or (networks, inputs)
        Shares. Those of several networks are drawn as their mean, with a line from the smallest to the largest.

    Returns
    -------
    list of Line2D
        The points of each entry.
    """
    place, lines = np.arange(len(names)), []
    shifts = (np.arange(len(groups)) - (len(groups) - 1) / 2) * 0.25
    for (label, shares), shift, color in zip(
        groups.items(), shifts, (COLORS["capacity"], tints("capacity", 2)[1], PALETTE[0])
    ):
        shares = np.atleast_2d(shares)
        if len(shares) > 1:
            ax.vlines(place + shift, shares.min(axis=0), shares.max(axis=0), color=color, linewidth=1)
        lines += ax.plot(place + shift, shares.mean(axis=0), "o", color=color, markersize=4, label=label)
    ax.set_xticks(place, names)
    ax.set(ylim=(0, None), ylabel="share of capacity")
    ax.grid(visible=False, axis="x")
    return lines


def plot_before_and_after(ax, pairs, *, labels=("before", "after")):
    """Draw a number of each network before and after training, joined by lines, one column for each kind.

    Parameters
    ----------
    ax : Axes
    pairs : dict of str to (ndarray, ndarray), each of shape (networks,)
        Before and after, by the kind of network.
    labels : tuple of str, optional
        What the two ends are, for the legend.

    Returns
    -------
    list of Line2D
        One for each network.
    """
    lines, points = [], []
    for column, (before, after) in enumerate(pairs.values()):
        x = 1.0 * column + np.array([-0.25, 0.25])
        for ends in zip(before, after):
            lines += ax.plot(x, ends, color=PALETTE[0], linewidth=0.9, zorder=2)
            for place, value, color in zip(x, ends, ("white", PALETTE[0])):
                points += ax.plot(place, value, "o", color=color, markeredgecolor=PALETTE[0], markersize=4, zorder=3)
    ax.set_xticks(range(len(pairs)), pairs)
    ax.set(xlim=(-0.6, len(pairs) - 0.4))
    ax.legend(points[:2], labels, loc="upper right", handletextpad=0.1)
    ax.grid(visible=False, axis="x")
    return lines
