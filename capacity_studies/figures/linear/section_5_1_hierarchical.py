"""Figures of the chapter linear/5-1-hierarchical."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from capacity import figures

__all__ = ["digit_spikes", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "figure_8", "folded"]


def figure_3(small_tree, steps, budget):
    """Figure 3 of paper 1."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 3.4), height_ratios=[1.5, 1])
    back = sum(steps)
    figures.plot_architecture(axes[0], small_tree, back=back)
    axes[0].set_title(f"{back} steps back = {' + '.join(map(str, steps))}")
    figures.plot_budget(
        axes[1], budget, figures.COLORS["capacity"], [(8, "hardly any"), (5, "a spike:\n4 steps back"), (1, "full")]
    )
    axes[1].bar(7 - back, budget[7 - back], width=1, fill=False, edgecolor=figures.COLORS["model"], linewidth=1.8)
    axes[1].set(xlim=axes[0].get_xlim(), ylabel="capacity\nper input", ylim=(0, 1.75))
    return fig


def figure_4(paper_fits, channel_counts, parameters, totals, n, losses, reference, fits):
    """Figure 4 of paper 1; losses below 1e-16 are drawn there."""
    losses, reference, best = (
        np.maximum(loss, 1e-16) for loss in (losses, reference, [fits[c].loss for c in channel_counts])
    )
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.9))
    spread = np.maximum([(paper_fits[c].restarts.min(), paper_fits[c].restarts.max()) for c in channel_counts], 1e-16)
    figures.plot_totals(axes[0], channel_counts, parameters, totals, n)
    figures.plot_losses(axes[1], channel_counts, losses, reference=reference, spread=spread, label="L-BFGS-B")
    figures.plot_losses(axes[1], channel_counts, best, label="Gauss-Newton", style="^:", color="black")
    figures.plot_losses_against_size(axes[2], parameters, totals, losses, reference=reference)
    figures.legend_above(axes[1])
    first = totals.index(n)
    full = channel_counts[first]
    figures.point_out(axes[0], "full", (full, n), (0.66, 0.08))
    figures.point_out(axes[1], f"Gauss-\nNewton:\nfull at {full}", (full, best[first]), (0.165, 0.2))
    figures.point_out(axes[1], "L-BFGS-B\nruns out of\niterations", (full, losses[first]), (0.8, 0.86))
    figures.point_out(axes[2], "all $n$\nfull", (n, 1e-11), (0.37, 0.24))
    return fig


def figure_5(spaces, small, spatial, spectral, n):
    """Figure 5 of paper 1."""
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.6))
    figures.plot_spectra(axes[0], {c: spaces[c] for c in small})
    figures.plot_strips(axes[1], spatial)
    figures.plot_strips(axes[2], spectral, kind="component", labels=[""] * len(spectral))
    figures.point_out(axes[0], "cut: noise", (n // 3, 1e-31), (0.24, 0.2))
    figures.point_out(axes[1], "8 channels: full", (n // 2, 4.6), (0.5, 0.93))
    figures.point_out(axes[2], "full at large\nvariances", (6, 1.2 * 2 + 1), (0.55, 0.9))
    for ax in axes[1:]:
        ax.set_ylim(top=6)
    axes[0].legend(handletextpad=0, labelspacing=0.1, loc="lower right", bbox_to_anchor=(1.03, 0.2))
    return fig


def digit_spikes(spatial, white, few):
    """Capacity per input of the models with one channel (left) and a few (right), with the covariance of the process
    (coloured) and, at the same weights, with white inputs (dotted).
    """
    n = len(spatial[1])
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.5), sharey=True)
    lines = [figures.plot_allocation(ax, {c: spatial[c]})[0] for ax, c in zip(axes, (1, few))]
    for ax, c in zip(axes, (1, few)):
        dotted = figures.plot_allocation(
            ax, {"white inputs": white[c]}, colors={"white inputs": "black"}, linestyle=":"
        )
    axes[1].set_ylabel("")
    axes[0].set(ylim=(0, 1.35), yticks=[0, 0.5, 1])
    figures.point_out(axes[0], "spike at distance\n$32 = 2^5$", (n - 33, 0.97), (0.2, 0.88))
    figures.point_out(axes[0], "16", (n - 17, 0.97), (0.6, 0.88))
    figures.point_out(axes[0], "8", (n - 9, 0.97), (0.8, 0.88))
    figures.point_out(axes[1], "both ends of a block of 8", (n - 33, 0.95), (0.5, 0.9))
    figures.point_out(axes[1], "", (n - 40, 0.95), (0.45, 0.87))
    fig.legend(handles=lines + dotted, loc="outside upper center", ncols=3)
    return fig


def figure_6(panels, n):
    """Figure 6 of paper 1; `panels` has the shares of runs by lag and along eigenvectors, then those of the optimum."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 3.9), sharey=True)
    for ax, shares, kind in zip(axes.flat, panels, ("lag", "component") * 2):
        lines = figures.plot_bound_and_errors(ax, shares.bound, shares.error, kind=kind)
    axes[0, 0].set_title("paper's method")
    axes[1, 0].set_title("optimum")
    for ax, label in zip(axes.flat, ("share (log scale)", "") * 2):
        ax.set_ylabel(label)
    figures.point_out(axes[0, 0], "called full, but\nerrors remain", (n - 6, 1e-4), (0.45, 0.3))
    figures.point_out(axes[1, 0], "full, and\nno errors left", (n - 6, 1e-9), (0.5, 0.25))
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=2)
    return fig


def figure_7(forward, backward, n):
    """Figure 7 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.5), sharey=True)
    areas = figures.plot_layer_stack(axes[0], forward)
    figures.plot_layer_stack(axes[1], backward)
    axes[0].set_title("forward chain")
    axes[1].set(title="backward chain", ylabel="", ylim=(0, 1.35), yticks=[0, 0.5, 1])
    figures.point_out(axes[0], "layer 1 takes the shortest lags", (n - 3, 1), (0.5, 0.9))
    figures.point_out(axes[1], "nothing is left for it", (n - 3, 1), (0.5, 0.9))
    fig.legend(handles=areas, loc="outside upper center", ncols=6, handlelength=0.9, columnspacing=0.9)
    return fig


def figure_8(independent, marginal):
    """Figure 8 of paper 1."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 4.8), width_ratios=[2, 3])
    for row, shares in zip(axes, (independent, marginal)):
        figures.plot_layer_totals(row[0], shares)
        figures.plot_strips(row[1], shares)
    axes[0, 0].set_title("independent")
    axes[1, 0].set_title("marginal")
    figures.point_out(axes[1, 0], "others can\nstand in", (5.5, 0.5), (0.83, 0.6))
    return fig


def folded(by_block, by_place):
    """Inputs folded into a square whose last row is the most recent block; each is filled from the left by the leverage
    of its column and from below by that of its row. Places are those of ``edition/static/fold.js``.
    """
    side, width, height, left, top = len(by_block), 441.6, 412.8, 84, 66
    pitch, orange = 304 / side, figures.COLORS["capacity"]
    size = 0.86 * pitch
    fig = plt.figure(figsize=(width / 96, height / 96), layout="none")
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")

    def fill(x, y, wide, high, across=0.0, up=0.0):  # all of it grey, then orange from the left and from below
        ax.add_patch(Rectangle((x, y), wide, high, color="#888888", alpha=0.22, linewidth=0))
        ax.add_patch(Rectangle((x, y), wide * across, high * (1 - up), color=orange, linewidth=0))
        ax.add_patch(Rectangle((x, y + high * (1 - up)), wide, high * up, color=orange, linewidth=0))

    places = pitch * (side - 1 - np.arange(side))
    for x, p in zip(left + places, by_place):
        fill(x, 26, size, 30, across=p)
        for y, q in zip(top + places, by_block):
            fill(x, y, size, size, p, q)
    for y, q in zip(top + places, by_block):
        fill(30, y, 44, size, up=q)
    total = np.sum(1 - np.outer(1 - by_block, 1 - by_place))
    words = {"fontsize": 10.5, "color": figures.COLORS["reference"]}
    ax.text(left + 304, 46, "place", **words)
    ax.text(52, 60, "block", ha="center", **words)
    ax.text(left + 304, 386, "newest", ha="right", **words)
    ax.text(left, 404, f"{round(total)} of {side**2}", fontsize=30, weight="bold", color=orange)
    return fig
