"""Figures of the chapter beyond/far-back."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS
from capacity.figures.style import readable
from capacity_studies.figures.strokes import series_name
from capacity_studies.memory_measures import half_lag

__all__ = ["further_back", "moved"]

_ORANGE = COLORS["capacity"]
_MEASURES = {
    "capacity": (_ORANGE, "-"),
    "memory": ("C0", "-"),
    "state-size": ("C2", "--"),
    "Fisher memory": ("C4", "-."),
    "squared gradient": ("black", ":"),
}


def further_back(profiles):
    """Share of each measure that lies at a lag or beyond, {layer: {measure: values, the most recent first}}; a dot is
    where half of the capacity does.
    """
    fig, axes = plt.subplots(2, len(profiles) // 2, figsize=(6.3, 4.6), sharex=True, sharey=True)
    for ax, (name, measures) in zip(axes.flat, profiles.items()):
        for measure, (color, style) in _MEASURES.items():
            by_lag = np.asarray(measures[measure], float)
            behind = 1 - (np.cumsum(by_lag) - by_lag) / by_lag.sum()
            width = 2.2 if measure == "capacity" else 1.2
            ax.plot(np.arange(1, behind.size + 1), behind, style, color=color, linewidth=width, label=measure)
        ax.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
        half = half_lag(measures["capacity"])
        ax.text(0, 1.03, f"half within lag {half}", color=readable(_ORANGE), transform=ax.transAxes)
        ax.plot(half, 0.5, "o", color=_ORANGE, markersize=5)
        ax.set_title(name, pad=17)
        ax.set_xscale("log", base=2)
        ax.set(xlim=(1, behind.size), ylim=(0, 1.02), xticks=[1, 4, 16, 64], xticklabels=[1, 4, 16, 64])
        ax.minorticks_off()
    for ax in axes[-1]:
        ax.set_xlabel("lag (log scale)")
    for ax in axes[:, 0]:
        ax.set_ylabel("share at this lag\nor beyond")
    fig.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=5, handlelength=1.8, columnspacing=1
    )
    return fig


def moved(before, after, n):
    """Half-lags of capacity before (empty) and after training (filled), {task: {layer: half-lags of the draws}}."""
    fig, axes = plt.subplots(1, len(before), figsize=(6.3, 2.6), sharey=True)
    orange = _ORANGE
    for ax, (task, layers) in zip(axes, before.items()):
        rows, draws = np.arange(len(layers)), np.array([after[task][name] for name in layers])
        start, end = ([np.median(part[task][name]) for name in layers] for part in (before, after))
        ax.hlines(rows, start, end, color="0.7", linewidth=1, zorder=0)
        ax.plot(start, rows, "o", color=orange, markerfacecolor="white", label="before training")
        ax.plot(end, rows, "o", color=orange, label="after")
        ax.plot(draws.ravel(), rows.repeat(draws.shape[1]), "|", color=orange, markersize=7, label="each draw")
        ax.axvline(n / 2, color="black", linestyle=":", linewidth=0.8, label="half of the inputs")
        ax.set(
            title=series_name(task),
            xlabel="half-lag (samples)",
            xlim=(0, 0.72 * n),
            yticks=range(len(layers)),
            yticklabels=layers,
        )
    axes[0].invert_yaxis()
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
