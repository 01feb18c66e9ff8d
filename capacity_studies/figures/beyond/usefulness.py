"""Figures of the chapter beyond/usefulness."""

import re

import numpy as np
import seaborn as sns
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE
from capacity.figures.style import with_minus

__all__ = [
    "plot_effects",
    "plot_gap",
    "plot_masking",
    "usefulness",
    "usefulness_answers",
    "usefulness_gap",
    "usefulness_masking",
]


def usefulness(effects, judged, margin):
    """All eight answers: effects by question, with their mean, interval and verdict; effects within the margin are too
    small to count.
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.9))
    plot_effects(ax, dict(zip(effects, judged.values())), margin)
    _name_sides(ax, "capacity loses less", "capacity loses more")
    return fig


def usefulness_masking(masked, seen, shares):
    """Loss after masking a quarter, a half and three quarters of the inputs, by four criteria: means, and a dot for
    each set (rows) or network (images).
    """
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.9))
    rename = {
        "capacity": "capacity",
        "gradient": "gradient",
        "recency": "age or variance",
        "variance": "age or variance",
        "random": "random",
    }
    panels = {"rows": {k: np.array([m.losses[k] for m in masked.values()]) for k in masked["eeg"].losses}}
    panels |= {name: found.losses for name, found in seen.items()}
    for ax, (name, losses) in zip(axes, panels.items()):
        plot_masking(ax, shares, {rename[k]: v for k, v in losses.items()})
        ax.set_title(name)
    for ax in axes[1:]:
        ax.set_ylabel("")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


def usefulness_gap(capacity, weights, gaps):
    """What stacks lose more on new samples than on their own, over the largest, by capacity and by parameters."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.4), sharey=True)
    labels = "total capacity", "parameters"
    for ax, counts, label in zip(axes, (capacity, weights), labels):
        plot_gap(ax, counts, gaps / gaps.max(), label)
        ax.set_title(f"explains {100 * np.corrcoef(counts, gaps)[0, 1] ** 2:.0f} %")
    axes[0].set(ylabel="gap (over the largest)", ylim=(0, 1.05))
    return fig


def usefulness_answers(gaps, choices, margins):
    """Answers of the second protocol: on the gap, and on choices; of each its values, mean, interval and verdict."""
    fig, axes = plt.subplots(2, 1, figsize=(6.3, 5.2), height_ratios=[len(gaps), len(choices)])
    labels = "difference of ln unexplained deviation", "spreads of the set"
    titles = "What tells the gap?", "What chooses better?"
    for ax, effects, margin, label, title in zip(axes, (gaps, choices), margins, labels, titles):
        shown = {_row(name): (each.values, each.mean, each.ends, each.word) for name, each in effects.items()}
        plot_effects(ax, shown, margin, label=label)
        ax.set_title(title, pad=18)
        _name_sides(ax, "first named is better", "second is better")
    return fig


def _row(name):
    """Name of an answer in its figure: 'fits: κ or p' is 'after fits: κ or parameters'."""
    kind, choice = name.split(": ")
    return {"gap": "", "fits": "after fits: ", "no fit": "before fits: "}[kind] + re.sub(r"\bp$", "parameters", choice)


def _name_sides(ax, left, right):
    """Write above axes of effects what lies on either side of zero."""
    ax.text(0, 1.01, f"← {left}", va="bottom", transform=ax.transAxes)
    ax.text(1, 1.01, f"{right} →", ha="right", va="bottom", transform=ax.transAxes)


def plot_effects(ax, effects, margin, *, label="difference of ln loss"):
    """Draw effects, {name: (values, mean, ends, word)}, one row each, on a symmetric logarithmic axis.

    Parameters
    ----------
    ax : Axes
    effects : dict of str to tuple
        Values, one for each set or network; their mean; the ends of an interval for it; a word, written on the right.
    margin : float
        Effects closer to 0 count as none: the band.
    label : str, optional
        What an effect is.

    Returns
    -------
    list of artists
        Of the intervals.
    """
    names = list(effects)
    rows = {"effect": np.concatenate([np.ravel(e[0]) for e in effects.values()])}
    rows["name"] = [name for name in names for _ in np.ravel(effects[name][0])]
    ax.axvspan(-margin, margin, color=COLORS["reference"], alpha=0.12, linewidth=0)
    ax.axvline(0, color=COLORS["reference"], linewidth=0.8)
    style = {"color": PALETTE[5], "size": 4, "alpha": 0.8, "jitter": False, "zorder": 2}
    sns.stripplot(data=rows, x="effect", y="name", order=names, ax=ax, **style)
    bars = []
    for row, (_, mean, ends, word) in enumerate(effects.values()):
        bars += ax.plot(ends, [row + 0.28] * 2, color=COLORS["reference"], linewidth=2, solid_capstyle="butt")
        ax.plot(mean, row + 0.28, "D", color=COLORS["reference"], markersize=4)
        place = {"xycoords": ("axes fraction", "data"), "xytext": (4, 0), "textcoords": "offset points"}
        ax.annotate(word, (1, row), color=COLORS["reference"], va="center", **place)
    ax.set_xscale("symlog", linthresh=0.1, linscale=0.8)
    ticks = [-1, -0.1, 0, 0.1, 1]  # more have no room on a phone
    ax.set_xticks(ticks, [with_minus(f"{tick:g}") for tick in ticks], minor=False)
    ax.set(xlabel=f"{label} (log scale beyond ±0.1)", ylabel="", ylim=(len(names) - 0.4, -0.5))
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    return bars


def plot_masking(ax, shares, losses):
    """Draw the loss after masking against the share of inputs that is masked, {criterion: losses}.

    Parameters
    ----------
    ax : Axes
    shares : sequence of float
    losses : dict of str to ndarray, shape (sets, shares)
        Drawn as a mean over the sets, with a dot for each.

    Returns
    -------
    Axes
    """
    counts = {name: len(values) for name, values in losses.items()}
    rows = {
        "loss": np.concatenate([np.ravel(values) for values in losses.values()]),
        "share": [f"{100 * share:g} %" for count in counts.values() for _ in range(count) for share in shares],
        "masked": [name for name, count in counts.items() for _ in range(count * len(shares))],
    }
    colors = dict(zip(losses, [COLORS["capacity"], PALETTE[0], PALETTE[2], COLORS["reference"]]))
    same = {"data": rows, "x": "share", "y": "loss", "hue": "masked", "palette": colors, "ax": ax}
    sns.stripplot(**same, dodge=True, jitter=False, size=2.5, alpha=0.5, legend=False)
    sns.pointplot(**same, dodge=0.6, errorbar=None, markers=["D", "o", "s", "X"], markersize=4, linewidth=1)
    ax.set(xlabel="inputs masked", ylabel="ln loss")
    ax.get_legend().remove()
    return ax


def plot_gap(ax, counts, gaps, label):
    """Draw what models lose more on new samples than on their own against a count of each, with a straight line.

    Parameters
    ----------
    ax : Axes
    counts, gaps : ndarray, shape (models,)
    label : str
        Of the count.

    Returns
    -------
    list of Line2D
        The points and the line.
    """
    kind = {"color": COLORS["capacity"]} if label.startswith("total capacity") else {"color": PALETTE[0]}
    points = ax.plot(counts, gaps, "o", markersize=3, alpha=0.7, **kind)
    ends = np.array([0, counts.max()])
    line = ax.plot(ends, np.polyval(np.polyfit(counts, gaps, 1), ends), color=COLORS["reference"], linewidth=1)
    ax.set(xlabel=label, xlim=(0, 1.05 * counts.max()))
    return points + line
