"""Figures of the chapter layers/in-between."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["interpolation", "relu_figure", "way"]


def way(nu, ends, local, moved):
    """A wide layer between the ends: capacity per input of local features, and how far each kind of features is."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[3, 2], layout="none")
    fig.subplots_adjust(left=0.09, right=0.97, bottom=0.26, top=0.97, wspace=0.12)
    figures.plot_rules(axes[0], dict(zip(("pseudo-random", "linear"), ends["local"])) | {"between": local[nu]})
    peak, arrow = int(np.argmax(ends["local"][0])), {"arrowstyle": "->"}
    edge = int(np.flatnonzero(ends["local"][1] > 0.9)[-1])
    axes[0].set(xlim=(peak - 14, peak + 22), ylim=(0, 5))
    for words, i, values, at in (
        ("pseudo-random", peak, ends["local"][0], (5, 4.5)),
        ("linear: full here,\n1 each", edge, ends["local"][1], (5.5, 2.7)),
    ):
        axes[0].annotate(words, (i + 1, values[i]), (peak + at[0], at[1]), va="center", arrowprops=arrow)
    axes[0].text(peak - 13, 4.5, rf"$\nu$ = {nu:g}", va="center")
    figures.plot_way(axes[1], {kind: values[nu] for kind, values in moved.items()})
    return fig


def interpolation(m, couplings, positions, crossovers, even, whitened, whitened_crossovers):
    """From the pseudo-random rule (0) to the linear rule (1), for three kinds of learned features; the curves of
    random and smooth ones nearly coincide.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.0), sharey=True)
    figures.plot_interpolation(axes[0], couplings, positions, crossovers, scale=np.sqrt(m))
    lines = figures.plot_interpolation(axes[1], even, whitened, whitened_crossovers)
    axes[0].axvline(np.sqrt(m) / 2, color="grey", linewidth=0.8)
    axes[0].set(xscale="log", xlabel=r"coupling $\nu$ times $\sqrt{m}$ (log scale)")
    axes[1].set(xlabel=r"coupling $\nu$", ylabel="")
    axes[0].text(np.sqrt(m) / 2, 0.12, "ReLU ", ha="right")
    axes[0].annotate("half way at $1/\\sqrt{m}$", (1, 0.52), (0.02, 0.72), arrowprops={"arrowstyle": "->"})
    axes[0].annotate("each tick: one\ndirection turns", (0.6, -0.07), (0.013, 0.2), arrowprops={"arrowstyle": "->"})
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def relu_figure(nus, exact, approximate, by_rule):
    """Left: position between the ends for leaky ReLUs of all slopes, exact (solid) and by eq. 14 (dashed). Right:
    capacity per input of local features at the ends and for a ReLU, exactly and by eq. 14.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.1))
    figures.plot_positions(axes[0], nus, exact, approximate)
    axes[0].axvline(0.5, color="grey", linewidth=0.8)
    figures.plot_rules(axes[1], by_rule)
    axes[0].text(0.53, 0.06, "ReLU:\nsolid is exact,\ndashed is eq. 14")
    figures.legend_above(axes[0], ncols=3, columnspacing=1.0)
    figures.legend_above(axes[1], ncols=2, columnspacing=1.0)
    return fig
