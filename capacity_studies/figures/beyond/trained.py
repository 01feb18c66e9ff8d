"""Figures of the chapter beyond/trained."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, tints
from capacity_inspection.figures import plot_input_map
from capacity_studies.figures.strokes import plot_shares

__all__ = [
    "digits",
    "harmonics_figure",
    "pixels_figure",
    "plot_before_and_after",
    "plot_group_shares",
    "three",
    "trained_tracker",
]


def trained_tracker(by_kind, box, ms, bins):
    """What the output for the note A4 (440 Hz) spends on the points of a spectrogram: box is its receptive field, ms
    the duration of a frame, bins the places of the harmonics above the note's own frequency.
    """
    shown = np.s_[70:103, 70:286]  # a little more than the receptive field
    edges = (-16.5 * ms, 16.5 * ms, -74.5, 141.5)
    limits = [(box.start[1] - 86.5) * ms, (box.stop[1] - 86.5) * ms, box.start[2] - 144.5, box.stop[2] - 144.5]
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 3.9), sharey=True)
    for ax, (name, field) in zip(axes, by_kind.items()):
        plot_input_map(ax, field[shown].T[::-1], extent=edges, receptive=limits, title=name)
        ax.set(xlabel="time (ms)", xticks=[-100, 0, 100])
    axes[0].set_yticks(bins, ["1/2", *map(str, range(1, 8))])
    axes[0].set_ylabel("pitch (multiples of the note's frequency)")
    return fig


def three(groups):
    """Capacity of three inputs, the middle one shared by two hidden units, when the output adds or subtracts these."""
    fig, axes = plt.subplots(1, len(groups), figsize=(4.6, 2.2), sharey=True)
    for ax, (name, shares) in zip(axes, groups.items()):
        for bar in plot_shares(ax, shares):
            at = (bar.get_x() + bar.get_width() / 2, bar.get_height())
            ax.annotate(f"{at[1]:.2f}", at, (0, 1), textcoords="offset points", ha="center", va="bottom")
        ax.set(title=name, ylim=(0, 0.8), xlabel="input")
        ax.set_xticks([1, 2, 3], ["$x_1$", "$x_2$", "$x_3$"])
    axes[0].set_ylabel("capacity")
    return fig


def harmonics_figure(harmonics, time, in_time):
    """The same capacity by harmonic of the stacking (left; random weights: mean and range over all draws) and by
    time (right).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7))
    points = plot_group_shares(axes[0], ["1/2", *map(str, range(1, 8))], harmonics)
    axes[0].set_xlabel("harmonic")
    axes[0].legend(loc="upper right", handletextpad=0.1)
    near = np.abs(time) < 130
    for line, field in zip(points, in_time.values()):
        axes[1].plot(time[near], field[near], color=line.get_color())
    axes[1].set(xlabel="time (ms)", ylabel="share per frame")
    return fig


def digits(mean_fields, pairs):
    """Mean fields before and after training, the edge of each map being the receptive field; and widths of all fields,
    by kind of network.
    """
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.5), width_ratios=[1, 1, 2.3])
    for ax, field, title in zip(axes, mean_fields, ("before", "after")):
        reach = len(field) // 2
        edge = reach + 0.5
        plot_input_map(ax, field, extent=(-edge, edge, edge, -edge), title=title)
        ax.set(aspect="equal", xlabel="pixel", xticks=[-reach, 0, reach], yticks=[-reach, 0, reach])
    plot_before_and_after(axes[2], pairs)
    axes[2].set_ylabel("width of the field (pixels)")
    return fig


def pixels_figure(spending, centres, sides, extents):
    """What a unit in the middle of the last feature map spends on the pixels, with random weights; the square around
    the centre of the field that holds half of it, and the sides of that and of the receptive field.
    """
    titles = {"squeezenet": "SqueezeNet", "densenet121": "DenseNet-121", "resnet50": "ResNet-50", "vgg19": "VGG-19"}
    fig, axes = plt.subplots(1, len(spending), figsize=(1.575 * len(spending), 2.0), squeeze=False, sharey=True)
    for ax, (name, field) in zip(axes[0], spending.items()):
        (y, x), r = centres[name], sides[name] / 2
        plot_input_map(ax, field, holding=(x - r, x + r, y + r, y - r), title=titles[name])
        ax.set(
            aspect="equal", xticks=[0, 112, 223], yticks=[0, 112, 223], xlabel=f"{sides[name]} of {extents[name]} px"
        )
    return fig


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


def plot_before_and_after(ax, pairs):
    """Draw a number of each network before and after training, joined by lines, one column for each kind.

    Parameters
    ----------
    ax : Axes
    pairs : dict of str to (ndarray, ndarray), each of shape (networks,)
        Before and after, by the kind of network.

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
    ax.legend(points[:2], ("before", "after"), loc="upper right", handletextpad=0.1)
    ax.grid(visible=False, axis="x")
    return lines
