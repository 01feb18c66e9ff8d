"""Strokes that figures of several chapters share."""

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from capacity.figures import COLORS, PALETTE, SIGNS, layer_colors
from capacity.figures.style import frameless

__all__ = [
    "canvas",
    "height_of_words",
    "in_rows",
    "jar",
    "node",
    "plot_accuracies",
    "plot_handed_down",
    "plot_means",
    "plot_shared_matrix",
    "plot_shares",
    "plot_teeth",
    "series_name",
]

_NAMES = {"elnino": "El Niño", "co2": "CO₂", "eeg": "EEG"}  # of series, in words


def height_of_words(ax, at):
    """Return where words about a point stand, as a fraction of the axes: near the top, or well below a point there."""
    height = ax.transAxes.inverted().transform(ax.transData.transform(at))[1]
    return 0.86 if height < 0.7 else height - 0.28


def in_rows(number):
    """Make panels with one vertical scale, at most five in a row, in which the words of each still have room.

    Returns
    -------
    Figure, list of Axes, list of Axes
        The third are those below which there is room for a label of the horizontal axis.
    """
    rows = -(-number // 5)
    columns = -(-number // rows)
    fig, grid = plt.subplots(rows, columns, figsize=(6.9, 2.7 * rows), sharey=True, squeeze=False)
    for ax in grid.flat[number:]:
        ax.remove()
    return fig, list(grid.flat[:number]), list(grid.flat if columns < 4 else grid[:, columns // 2])


def plot_handed_down(ax, shares, capacities):
    """Draw how the capacities of a layer's outputs go down to its inputs (paper 2, eq. 25).

    Parameters
    ----------
    ax : Axes
    shares : ndarray, shape (n, m)
        What each input receives of the capacity of each output, written beside the edges; each column sums to 1.
    capacities : ndarray, shape (m,)
        Those of the outputs; the width of an edge is the capacity that goes along it.

    Returns
    -------
    list of artists
    """
    n, m = shares.shape
    inputs, outputs, artists = np.arange(n), (np.arange(m) + 0.5) * n / m - 0.5, []
    for (i, j), share in np.ndenumerate(shares):
        if share:
            ends, middle = (outputs[j], inputs[i]), 0.55 * outputs[j] + 0.45 * inputs[i]
            color, width = COLORS["capacity"], 14 * share * capacities[j]
            artists += ax.plot(ends, (1, 0), color=color, linewidth=width, alpha=0.6, solid_capstyle="butt", zorder=1)
            box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
            artists.append(ax.text(middle, 0.55, f"{share:.2f}", ha="center", va="center", bbox=box, zorder=2))
    for j, value in enumerate(capacities):
        artists += node(ax, outputs[j], 1, f"output {j + 1}\n{value:.2f}", "white")
    for i, value in enumerate(shares @ capacities):
        artists += node(ax, inputs[i], 0, f"$y_{i + 1}$\n{value:.2f}", "white")
    frameless(ax)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(-0.2, 1.2), xticks=[], yticks=[])
    return artists


def canvas(width, height):
    """Axes without a frame that fill a figure, in the pixels of a screen from its upper left corner."""
    ax = plt.figure(figsize=(width / 96, height / 96), layout="none").add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")
    return ax


def jar(ax, x, y, width, height, up=0.0, across=None):
    """Draw a jar on a `canvas`, all of it grey, as full as shares say from below and from the left."""
    ax.add_patch(Rectangle((x, y), width, height, color="#888888", alpha=0.22, linewidth=0))
    if across is not None:
        ax.add_patch(Rectangle((x, y), width * across, height * (1 - up), color=COLORS["capacity"], linewidth=0))
    ax.add_patch(Rectangle((x, y + height * (1 - up)), width, height * up, color=COLORS["capacity"], linewidth=0))


def node(ax, x, y, text, color):
    """Draw a node of a diagram: its text in a frame of that colour, grey for white."""
    edge = COLORS["reference"] if color == "white" else color
    box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": edge}
    return [ax.text(x, y, text, ha="center", va="center", bbox=box, zorder=3)]


def plot_accuracies(ax, steps, accuracies, *, colors=None, chance=None, highlighted=None):
    """Draw accuracies against the steps of a training on an axis that shows step 0 too.

    Parameters
    ----------
    ax : Axes
    steps : sequence of int
    accuracies : dict of str to (ndarray, ndarray)
        {label: (means, ends of intervals of shape (2, times))}, the latter drawn as bands, or None.
    colors : list, optional
    chance : float, optional
        The accuracy of a guess, drawn dotted.
    highlighted : str, optional
        The label of a line that is drawn thick, the others then being thin and pale.
    """
    artists = []
    for (label, (values, ends)), color in zip(accuracies.items(), colors or PALETTE):
        style = {"linewidth": 1.4, "marker": "o"}
        if highlighted is not None:
            thick = {"linewidth": 2.4, "zorder": 3, "marker": "o"}
            style = thick if label == highlighted else {"linewidth": 0.9, "alpha": 0.45}
        artists += ax.plot(steps, values, markersize=3, color=color, label=label, **style)
        if ends is not None:
            ax.fill_between(steps, *ends, color=color, alpha=0.15, linewidth=0)
    if chance is not None:
        ax.axhline(chance, color=COLORS["reference"], linestyle=":", linewidth=1)
    first = min(step for step in steps if step)
    powers = 10 ** np.arange(np.ceil(np.log10(first)), np.log10(max(steps)) + 1e-9).astype(int)
    ax.set_xscale("symlog", linthresh=first, linscale=0.3)
    ax.set_xticks([0, *powers], ["0", *map(str, powers)], minor=False)
    ax.set_xlim(-0.15 * first, 1.1 * max(steps))
    ax.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    ax.set(xlabel="steps (log scale)", ylabel="accuracy", ylim=(0, 1.02))
    return artists


def plot_means(ax, x, means, *, colors=None):
    """Draw means with their intervals against a number.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (n,)
    means : dict of str to (ndarray, ndarray)
        {label: (means, ends of intervals of shape (2, n))}, as `mean_interval` has them; NaN where there is none.
    colors : list, optional
    """
    artists = []
    for (label, (values, ends)), color, marker in zip(means.items(), colors or PALETTE, "os^Dv" * 4):
        artists += ax.plot(x, values, marker=marker, markersize=4, color=color, label=label)
        ax.vlines(x, *ends, color=color, linewidth=1.2)
    return artists


def plot_shared_matrix(ax, matrix, *, limit=None):
    """Draw a matrix with a row per input and a column per sample, from violet (negative) over white to green.

    Parameters
    ----------
    ax : Axes
    matrix : ndarray, shape (n, samples)
    limit : float, optional
        The number that has the darkest colour. Default: the largest entry.
    """
    limit = limit or np.abs(matrix).max()
    rows, columns = matrix.shape
    extent = (0.5, columns + 0.5, rows + 0.5, 0.5)
    image = ax.imshow(
        matrix, cmap=SIGNS, vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest", extent=extent
    )
    ax.set(xlabel="sample", ylabel="input")
    ax.grid(visible=False)
    return [image]


def plot_shares(ax, shares, outlines=None, *, horizontal=False, color=None):
    """Draw a bar for each input or sample, in front of the outline that it had at another temperature.

    Parameters
    ----------
    ax : Axes
    shares : ndarray, shape (n,)
    outlines : ndarray, shape (n,), optional
        The same at the temperature 0.
    horizontal : bool, optional
        Let the bars run to the right, the first on top.
    color : color, optional
        Of the bars. Default: that of capacity.
    """
    index = np.arange(1, len(shares) + 1)
    bar, size = (ax.barh, "height") if horizontal else (ax.bar, "width")
    bars = [*bar(index, shares, color=color or COLORS["capacity"], **{size: 0.8})]
    if outlines is not None:
        bars += bar(index, outlines, facecolor="none", edgecolor=COLORS["error"], linewidth=0.8, **{size: 0.8})
    end = (index[-1] + 0.5, 0.5) if horizontal else (0.5, index[-1] + 0.5)
    ax.set(**{"ylim" if horizontal else "xlim": end, "xlim" if horizontal else "ylim": (0, 1)})
    ax.grid(axis="y" if horizontal else "x", visible=False)
    return bars


def plot_teeth(ax, x, functions):
    """Draw functions on an interval with as many teeth as layers made, {label: values}, dark to light."""
    artists = []
    for (label, values), color in zip(functions.items(), layer_colors(len(functions))):
        artists += ax.plot(x, values, color=color, label=label)
    ax.set(xlabel="input", ylabel="output", ylim=(0, 1.03), xlim=(x[0], x[-1]))
    return artists


def series_name(name):
    """Name of a series as figures have it."""
    return _NAMES.get(name, name)
