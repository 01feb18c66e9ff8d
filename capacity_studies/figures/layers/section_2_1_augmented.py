"""Figures of the chapter layers/2-1-augmented."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, SHADES
from capacity.figures.style import frameless
from capacity_studies.figures.strokes import node

__all__ = ["copies_figure", "figure_1", "plot_augmented_layer", "plot_copies", "plot_layer"]


ROWS, COLUMNS = 36, 12  # for more there is no room to write each number


def figure_1(P):
    """Figure 1 of paper 2."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.2))
    plot_layer(axes[0], P[:3, :2])
    plot_augmented_layer(axes[1], P[:3, :2])
    axes[0].set_title("as it is written")
    axes[1].set_title("with a copy per output")
    return fig


def copies_figure(capacity):
    """Capacity of a ReLU layer: one number for each input (row) in each copy (column), where there is room for it, and
    their sums over the copies in bold orange, which add up to the number of parameters.
    """
    rows = min(len(capacity.copies), ROWS)
    fig, ax = plt.subplots(figsize=(5.2, max(2.2, 0.7 + 0.17 * rows)))
    plot_copies(ax, capacity.copies)
    return fig


def plot_layer(ax, projection):
    """Draw a layer as it is written: inputs, weighted sums, activations, output (Figure 1, left).

    Parameters
    ----------
    ax : Axes
    projection : ndarray, shape (n, m)
        Weights P; the width of an edge is the size of its weight, dashed edges are negative.

    Returns
    -------
    list of artists
    """
    n, m = projection.shape
    inputs, outputs = _column(n, n), _column(m, n)
    artists = []
    for j in range(m):
        for i in range(n):
            artists += _edge(ax, (0, inputs[i]), (1, outputs[j]), PALETTE[j], projection[i, j])
        artists += _edge(ax, (1, outputs[j]), (2, np.mean(inputs)), COLORS["reference"])
        artists += node(ax, 1, outputs[j], rf"$f(z_{j + 1})$", PALETTE[j])
    artists += [artist for i in range(n) for artist in node(ax, 0, inputs[i], f"$y_{i + 1}$", "white")]
    artists += node(ax, 2, np.mean(inputs), r"$\varphi$", "white")
    _bare(ax, {0: "inputs $Y$", 1: r"$f(P^T Y)$", 2: "output"}, inputs)
    artists += [_remark(ax, "not linear here", (1, outputs[0] + 0.25), (1, max(inputs) + 0.45), ha="center")]
    return artists


def plot_augmented_layer(ax, projection):
    """Draw the same layer with one copy of the inputs per output, so that all paths are linear (Figure 1, right)."""
    n, m = projection.shape
    inputs = np.concatenate([_column(n, n) - j * (n + 0.4) for j in range(m)])
    outputs = [np.mean(inputs[j * n : (j + 1) * n]) for j in range(m)]
    artists = []
    for j in range(m):
        for i in range(n):
            at = inputs[j * n + i]
            artists += _edge(ax, (0, at), (1, outputs[j]), PALETTE[j], projection[i, j])
            artists += node(ax, 0, at, rf"$\eta_{j + 1} y_{i + 1}$", PALETTE[j])
        artists += _edge(ax, (1, outputs[j]), (2, np.mean(inputs)), COLORS["reference"])
        artists += node(ax, 1, outputs[j], rf"$\eta_{j + 1} z_{j + 1}$", "white")
    artists += node(ax, 2, np.mean(inputs), r"$\varphi$", "white")
    _bare(ax, {0: r"copies $\tilde Y$", 1: r"$\tilde P^T \tilde Y$", 2: "output"}, inputs)
    artists += [_remark(ax, "linear from here on", (2.2, max(inputs) + 0.1), (0.4, max(inputs) + 0.1))]
    return artists


def _column(count, height):
    """Return heights of `count` nodes, spread over a column made for `height` of them."""
    return height - 1 - (np.arange(count) + 0.5) * height / count + 0.5


def _edge(ax, start, end, color, weight=0.5):
    style = "-" if weight >= 0 else (0, (4, 2))
    return ax.plot(*zip(start, end), color=color, linewidth=0.5 + 2.2 * abs(weight), linestyle=style, zorder=1)


def _remark(ax, words, tip, at, *, ha="left"):
    arrow = {"arrowstyle": "->", "color": COLORS["reference"]}
    return ax.annotate(words, tip, xytext=at, ha=ha, va="center", arrowprops=arrow, annotation_clip=False)


def _bare(ax, names, heights):
    ax.set_xticks(list(names), list(names.values()))
    ax.set_yticks([])
    frameless(ax)
    ax.set(xlim=(-0.35, 2.2), ylim=(min(heights) - 0.6, max(heights) + 0.6))


def plot_copies(ax, copies, *, vmax=None):
    """Draw the capacity of each input in each of its copies, with the sum over the copies beside each row."""
    n, m = copies.shape
    image = ax.imshow(copies, cmap=SHADES["capacity"], vmin=0, vmax=vmax, aspect="auto")
    artists = [image]
    roomy = n <= ROWS and m <= COLUMNS
    for (i, j), value in np.ndenumerate(copies) if roomy else ():
        dark = value > 0.6 * (vmax or copies.max())
        artists += [ax.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if dark else "black")]
    shown = range(0, n, -(-n // ROWS))
    beside = {"va": "center", "color": COLORS["capacity"], "weight": "bold"}
    artists += [ax.text(m - 0.35, i, f"{copies[i].sum():.2f}", **beside) for i in shown]
    artists += [
        ax.annotate("sum", (m - 0.35, -0.5), (0, 7), textcoords="offset points", annotation_clip=False, **beside)
    ]
    named = range(0, m, -(-m // (2 * COLUMNS)))
    ax.set_xticks(named, [rf"$\eta_{{{j + 1}}}$" for j in named])
    ax.set_yticks(shown, [f"$y_{{{i + 1}}}$" for i in shown])
    ax.set(xlabel="copy", ylabel="input")
    ax.grid(visible=False)
    ax.tick_params(length=0)
    return artists
