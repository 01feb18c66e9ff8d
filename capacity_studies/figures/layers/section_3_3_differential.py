"""Figures of the chapter layers/3-3-differential."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity_studies.figures.strokes import plot_handed_down

__all__ = ["differential", "v1_eq_35"]


def v1_eq_35(wander, shares):
    r"""Left: change of an activity on its way up a network of 64 differential layers, for twelve draws of the random
    signs, with increments of order $\sqrt\epsilon$ (blue) and $\epsilon$ (wine).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    paths = {r"$\sqrt{\epsilon}$": wander[0], r"$\epsilon$": wander[1]}
    for line in figures.plot_decay(axes[0], np.linspace(0, 1, len(wander[0])), paths):
        line.set_linewidth(0.8)
    axes[0].set(xlabel="depth $t$", ylabel="change of an activity", xlim=(0, 1), ylim=(-3.2, 3.2))
    figures.point_out(axes[0], r"steps $\sqrt{\epsilon}$: it wanders", (0.6, wander[0][38].max()), (0.35, 0.93))
    figures.point_out(axes[0], r"steps $\epsilon$: hardly moves", (0.45, wander[1][29].min()), (0.35, 0.07))
    plot_handed_down(axes[1], shares, np.ones(1))
    for ax, title in zip(axes, ("activities, upwards", "capacity: mostly straight")):
        ax.set_title(title)
    return fig


def differential(time, growth, crossed, moved, sites, sampled, handed):
    """A network of differential layers with pseudo-random activations."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    lines = figures.plot_decay(axes[0], time, growth)
    for line, points in zip(lines, moved):
        axes[0].plot(crossed, points, "o", color=line.get_color())
    axes[0].set(xlabel="depth $t$", ylabel="mean square change")
    half, whole = np.interp([0.3, 0.6], time, growth[r"steps $\sqrt{\epsilon}$"])
    words, add = "steps $\\sqrt{\\epsilon}$:\nsquares add up", abs(whole - 2 * half) < 0.2 * whole
    figures.point_out(axes[0], words, (0.6, whole), (0.3, 0.75), when=add)
    still = min(np.max(values) for values in growth.values()) < 0.1
    figures.point_out(axes[0], r"steps $\epsilon$: nothing happens", (0.5, 0.02), (0.64, 0.2), when=still)
    figures.plot_profiles(axes[1], sites, {"capacity": handed}, samples={"gradient": sampled})
    axes[1].set(ylabel="share of the total", xlim=(-5.5, 5.5))
    axes[1].legend(loc="upper left")
    left, right = handed[len(handed) // 2 + np.array([-1, 1])]
    figures.point_out(axes[1], "more goes to\nthe larger weight", (1.05, right), (0.79, 0.62), when=right > left)
    return fig
