"""Figures of the chapter layers/2-3-decoupling."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["figure_2", "figure_3", "mean_field", "slopes_figure", "two_copies"]


def two_copies(gains, by_signs, nu):
    """Left: a piecewise-linear activation. Centre: an input times the gains of two outputs, for arguments of all four
    pairs of signs, and the coupling as a slope. Right: blocks of three outputs, those off the diagonal as dark as the
    coupling is large. Panels stand where ``edition/static/kink.js`` has them.
    """
    fig = plt.figure(figsize=(4.6, 2.3), layout="none")
    left, centre, right = (
        fig.add_axes((x, 0.22, wide, 0.62)) for x, wide in ((0.07, 0.23), (0.43, 0.27), (0.73, 0.26))
    )
    figures.plot_kink(left, *gains)
    left.set_ylabel("")
    figures.plot_coupled_copies(centre, np.vstack(by_signs[:2]), np.vstack(by_signs[2:]), nu)
    for words in centre.texts[:2]:
        words.remove()
    right.imshow(np.where(np.eye(3), 1, nu), cmap="Greys", vmin=0, vmax=1.2)
    right.set(xticks=[-0.5, 0.5, 1.5, 2.5], yticks=[-0.5, 0.5, 1.5, 2.5], xticklabels=[], yticklabels=[])
    right.grid(color="white", linewidth=3)
    right.tick_params(length=0)
    right.set(xlabel="three outputs", frame_on=False)
    for ax, title in zip((left, centre, right), ("activation $f(z)$", f"slope {nu:.2f}", f"coupling {nu:.2f}")):
        ax.set_title("")  # that on the left
        ax.set_title(title, fontweight="normal", loc="center")
    return fig


def figure_2(copies, n, moments, m):
    """Figure 2 of paper 2."""
    fig, axes = plt.subplots(1, 4, figsize=(6.9, 2.5), layout="compressed")
    for (name, copy), (left, right) in zip(copies.items(), axes.reshape(2, 2)):
        figures.plot_scatter_of_copies(left, copy[:1500, 0], copy[:1500, n])
        figures.plot_covariance_blocks(right, moments[name], m)
        words = {
            "linear": ("one copy,\nrepeated", "the same\nin every block"),
            "pseudo-random": ("equal size,\nsign by chance", "nothing off\nthe diagonal"),
        }
        for ax, remark, title in zip((left, right), words[name], (name, r"covariance $\tilde\Sigma$")):
            ax.set_title(f"{title}\n{remark}", fontweight="normal", loc="center")
    return fig


def slopes_figure(grid, curve, points, waves, tuned):
    """Left: coupling of leaky ReLUs against the slope on the negative side, with estimates from samples. Right: two
    families whose coupling a frequency tunes.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.0), sharey=True)
    figures.plot_coupling_curves(axes[0], grid, {"closed form": curve}, (grid[::5], *np.transpose(points)))
    tuned_lines = figures.plot_coupling_curves(axes[1], waves, tuned)
    axes[0].set_xlabel("slope for negative arguments")
    axes[1].set(xlabel="frequency $w$", ylabel="")
    for at, name in ((-1, "abs"), (0, "ReLU"), (1, "linear")):
        axes[0].annotate(
            name,
            (at, np.interp(at, grid, curve)),
            (8 - 8 * at, -12 * at),
            textcoords="offset points",
            ha="right" if at > 0 else "left",
            va="center",
        )
    figures.direct_labels(axes[1], tuned_lines)
    return fig


def figure_3(shown, blocks, m, exact, estimates):
    """Figure 3 of paper 2."""
    fig = plt.figure(figsize=(4.6, 4.9))
    top, bottom = fig.subfigures(2, 1, height_ratios=[1.6, 3.4])
    for ax, name in zip(top.subplots(1, 4), shown[:1] + shown[2:]):
        figures.plot_covariance_blocks(ax, blocks[name], m)
        ax.set_title(f"{name}\n" + rf"$\nu = {exact[name]:.2f}$", fontweight="normal", loc="center")
    scale_axes = bottom.subplots()
    figures.plot_coupling_scale(scale_axes, exact, estimates)
    scale_axes.text(0.4, 9.5, "rings: exact\npoints: samples", va="center")
    scale_axes.text(0.72, 12, "all copies the same", va="center")
    scale_axes.text(0.2, 0.5, "both uncoupled on average,\nbut not alike (above)", ha="right", va="center")
    return fig


def mean_field(sizes, by_inputs, by_outputs):
    """Errors of eq. 14 for a ReLU layer, by measure, against the numbers of inputs (left) and outputs (right)."""
    words = {"rms": "root mean square entry", "largest": "largest entry", "along": r"along $p_i$, $p_j$"}
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), sharey=True)
    left, right = ({words[measure]: errors[measure] for measure in words} for errors in (by_inputs, by_outputs))
    lines = figures.plot_block_errors(axes[0], sizes, left, label="inputs $n$")
    figures.plot_block_errors(axes[1], (4, 16, 64), right, label="outputs $m$")
    axes[1].set_ylabel("")
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    axes[0].annotate(
        "vanishes\nlike $1/n$",
        (sizes[1], by_inputs["rms"][1]),
        (-8, -12),
        textcoords="offset points",
        ha="right",
        va="top",
    )
    axes[0].annotate(
        "stays, and capacity sees it",
        (sizes[-1], by_inputs["along"][-1]),
        (0, 7),
        textcoords="offset points",
        ha="right",
        va="bottom",
    )
    axes[1].annotate(
        "more outputs do not help",
        (16, by_outputs["rms"][1]),
        (0, -12),
        textcoords="offset points",
        ha="center",
        va="top",
    )
    return fig
