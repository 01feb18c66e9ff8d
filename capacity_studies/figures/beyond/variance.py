"""Figures of the chapter beyond/variance."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["error_bars", "gaps_figure", "networks_figure", "variances_figure"]


def error_bars(coefficients, errors, capacities, count):
    """Coefficients of a fitted stack by lag with two standard errors, and the capacities of the inputs."""
    fig, axes = plt.subplots(2, 1, figsize=(5.4, 3.6), sharex=True)
    lags = np.arange(len(coefficients), 0, -1)
    axes[0].errorbar(lags, coefficients, 2 * errors, fmt="o", color=figures.PALETTE[0], markersize=3.5, capsize=3)
    axes[0].axhline(0, color=figures.COLORS["reference"], linewidth=0.8)
    axes[0].set(ylabel="coefficient", ylim=(-0.75, 1.25), title=f"fitted to {count} samples")
    axes[1].bar(lags, capacities, color=figures.COLORS["capacity"], width=0.8)
    axes[1].set(ylabel="capacity", xlabel="lag of the input (samples)", ylim=(0, 1.05))
    axes[1].set_xlim(len(lags) + 0.7, 0.3)
    return fig


def variances_figure(panels):
    """Measured variance of each coefficient against the capacity of its input, in units of the noise over N."""
    fig, axes = plt.subplots(1, len(panels), figsize=(6.3, 2.8))
    for ax, (title, (capacities, variances, draws)) in zip(axes, panels.items()):
        spread = 2 * variances * np.sqrt(2 / draws)
        ax.errorbar(capacities, variances, spread, fmt="o", color=figures.PALETTE[0], markersize=3.5, linewidth=1)
        ax.plot([0, 1], [0, 1], color=figures.COLORS["reference"], linestyle="--", linewidth=1)
        ax.set(title=title, xlabel="capacity of the input", xlim=(0, 1.05), ylim=(0, None))
    axes[0].set_ylabel("variance of the coefficient\n(noise / N)")
    return fig


def gaps_figure(counts, measured, totals, parameters):
    """N/2 times the gap, over the noise, of fits to more and more samples; capacities and numbers of parameters."""
    fig, ax = plt.subplots(figsize=(5.4, 3.0))
    colors, blues = (figures.tints(quantity, len(measured))[::-1] for quantity in ("capacity", "model"))
    for color, blue, (name, (means, errors)) in zip(colors, blues, measured.items()):
        lines = (
            (totals[name], color, "-", f"capacity {totals[name]}"),
            (parameters[name], blue, ":", f"{parameters[name]} parameters"),
        )
        for height, shade, style, label in lines:
            ax.axhline(height, color=shade, linewidth=1, linestyle=style)
            ax.annotate(label, (1.02, height), xycoords=("axes fraction", "data"), va="center")
        ax.errorbar(counts, means, 2 * errors, fmt="o", color=color, markersize=4, capsize=3, label=name)
    ax.set(xscale="log", yscale="log", xlabel="samples N (log scale)", ylabel="N/2 × gap / noise (log scale)")
    ax.set_xticks(counts, counts)
    ax.set_yticks([5, 10, 20, 40, 80], [5, 10, 20, 40, 80])
    ax.minorticks_off()
    fig.legend(loc="outside upper center", ncols=len(measured))
    return fig


def networks_figure(ratios, titles):
    """The gap of students, and of classifiers of digits, over what predicts it, with intervals, {kind: {setting}}; a
    panel for each title and as many settings as it says, the last one for digits.
    """
    *students, digits = ratios.items()
    settings, panels = iter(students[0][1]), []
    for title, count in titles.items():
        names = [next(settings) for _ in range(count)]
        panels.append((title, [(kind, {name: row[name] for name in names}) for kind, row in students]))
    panels.append((digits[0], [digits]))
    heights = [len(rows[0][1]) for _, rows in panels]
    fig, axes = plt.subplots(len(panels), 1, figsize=(6.3, 6.6), height_ratios=heights, sharex=True)
    for ax, (title, rows) in zip(axes, panels):
        names = list(rows[0][1])
        for place, (color, marker, (kind, row)) in enumerate(zip(figures.PALETTE, "os^", rows)):
            means, ends = zip(*row.values())
            low, high = np.transpose(ends)
            at = np.arange(len(names)) + 0.2 * (place - (len(rows) - 1) / 2)
            ax.hlines(at, np.maximum(low, 1e-3), np.maximum(high, 1e-3), color=color, linewidth=1.4)
            ax.plot(means, at, marker, color=color, markersize=4.5, label=kind)
        ax.axvspan(2 / 3, 3 / 2, color=figures.COLORS["error"], alpha=0.2, linewidth=0)
        ax.set_yticks(range(len(names)), [name.split(", ")[-1] for name in names])
        ax.set(title=title, ylim=(len(names) - 0.5, -0.5))
        ax.grid(axis="y", visible=False)
    axes[0].set(xscale="log", xlim=(0.1, 20))
    axes[0].set_xticks([0.1, 0.3, 1, 3, 10], ["0.1", "0.3", "1", "3", "10"])
    axes[0].minorticks_off()
    axes[-1].set_xlabel("← less than predicted    gap / prediction (log scale)    more than predicted →")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig
