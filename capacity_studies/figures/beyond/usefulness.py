"""Figures of the chapter beyond/usefulness."""

import numpy as np
from matplotlib import pyplot as plt

from capacity_studies import plots
from capacity_studies.usefulness.held_out import least

__all__ = ["usefulness", "usefulness_answers", "usefulness_gap", "usefulness_inputs", "usefulness_masking"]


def usefulness(effects, judged, margin):
    """All eight answers: effects by question, with their mean, interval and verdict; effects within the margin are too
    small to count.
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.9))
    plots.plot_effects(ax, dict(zip(effects, judged.values())), margin)
    _name_sides(ax, "capacity loses less", "capacity loses more")
    return fig


def usefulness_inputs(capacity, coefficients):
    """Capacity of each input of the fitted model, and the size of its coefficient (times standard deviation, over
    the largest).
    """
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 2.9), sharex=True)
    for ax, label, heights in zip(axes, ("capacity", "coefficient"), (capacity, coefficients)):
        plots.plot_masked_inputs(ax, heights, least(heights, 16), label)
        ax.set_ylim(0, 1.05)
    axes[0].set_xlabel("")
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
        plots.plot_masking(ax, shares, {rename[k]: v for k, v in losses.items()})
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
        plots.plot_gap(ax, counts, gaps / gaps.max(), label)
        ax.set_title(f"explains {100 * np.corrcoef(counts, gaps)[0, 1] ** 2:.0f} %")
    axes[0].set(ylabel="gap (over the largest)", ylim=(0, 1.05))
    return fig


def usefulness_answers(gaps, choices, margins):
    """Answers of the second protocol: on the gap, and on choices; of each its values, mean, interval and verdict."""
    fig, axes = plt.subplots(2, 1, figsize=(6.3, 5.2), height_ratios=[len(gaps), len(choices)])
    labels = "difference of ln unexplained deviation", "spreads of the set"
    for ax, effects, margin, label in zip(axes, (gaps, choices), margins, labels):
        shown = {name: (each.values, each.mean, each.ends, each.word) for name, each in effects.items()}
        plots.plot_effects(ax, shown, margin, label=label)
        _name_sides(ax, "first named is better", "second is better")
    return fig


def _name_sides(ax, left, right):
    """Write above axes of effects what lies on either side of zero."""
    ax.text(0, 1.01, f"← {left}", va="bottom", transform=ax.transAxes)
    ax.text(1, 1.01, f"{right} →", ha="right", va="bottom", transform=ax.transAxes)
