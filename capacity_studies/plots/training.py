"""Plots of networks during and after training: lengths, accuracies, and where a curve has gone."""

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, PALETTE, SIGNS, layer_colors, plain_log_ticks, readable

__all__ = [
    "plot_accuracies",
    "plot_activities_along",
    "plot_influences",
    "plot_lengths_in_training",
    "plot_means",
    "plot_stack",
    "plot_training",
]


def plot_lengths_in_training(ax, lengths, steps, intervals=None):
    """Draw the length of a curve's image by layer, one line for each time in a training, pale at the start.

    Parameters
    ----------
    ax : Axes
    lengths : ndarray, shape (times, layers + 1)
        Of the curve itself, and of its images.
    steps : sequence of int
        The times, in steps of the training.
    intervals : ndarray, shape (2, times, layers + 1), optional
        Ends of an interval about each length, drawn as a band at the first and the last time.
    """
    layers, artists = np.arange(lengths.shape[1]), []
    colors = layer_colors(len(steps))[::-1]
    for i, (row, step, color) in enumerate(zip(lengths, steps, colors)):
        artists += ax.plot(layers, row, "o-", markersize=3, color=color, label=f"step {step}")
        if intervals is not None and i in (0, len(steps) - 1):
            ax.fill_between(layers, *intervals[:, i], color=color, alpha=0.2, linewidth=0)
    ax.set(yscale="log", xlabel="layer", ylabel="length (log scale)", xticks=layers)
    plain_log_ticks(ax.yaxis)
    return artists


def plot_accuracies(ax, steps, accuracies, intervals=None, *, colors=None, chance=None, highlighted=None):
    """Draw accuracies against the steps of a training, {label: accuracies}, on an axis that shows step 0 too.

    Parameters
    ----------
    ax : Axes
    steps : sequence of int
    accuracies : dict of str to ndarray, shape (times,)
    intervals : dict of str to ndarray, shape (2, times), optional
        Ends of an interval about each of them, drawn as bands.
    colors : list, optional
    chance : float, optional
        The accuracy of a guess, drawn dotted.
    highlighted : str, optional
        The label of a line that is drawn thick, the others then being thin and pale.
    """
    artists = []
    for (label, values), color in zip(accuracies.items(), colors or PALETTE):
        style = {"linewidth": 1.4, "marker": "o"}
        if highlighted is not None:
            thick = {"linewidth": 2.4, "zorder": 3, "marker": "o"}
            style = thick if label == highlighted else {"linewidth": 0.9, "alpha": 0.45}
        artists += ax.plot(steps, values, markersize=3, color=color, label=label, **style)
        if intervals is not None:
            ax.fill_between(steps, *intervals[label], color=color, alpha=0.15, linewidth=0)
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


def plot_activities_along(ax, activities, *, ends=("", "")):
    """Draw the activities of units along a curve, a row for each unit, from violet (-1) over white to green (1).

    Parameters
    ----------
    ax : Axes
    activities : ndarray, shape (points, units)
    ends : tuple of str, optional
        What the curve leads from and to.
    """
    extent = (0, 1, activities.shape[1] + 0.5, 0.5)
    image = ax.imshow(activities.T, cmap=SIGNS, vmin=-1, vmax=1, aspect="auto", interpolation="nearest", extent=extent)
    ax.set_xticks([0, 1], list(ends))
    ax.set(xlabel="along the curve", ylabel="unit")
    ax.grid(visible=False)
    return [image]


def plot_training(axes, steps, lengths, accuracies, *, chance):
    """Draw lengths by layer for each kind of points, side by side, and accuracies beside them (survey, Figs 4 and 5).

    Parameters
    ----------
    axes : list of Axes
        One for each kind of points, and one.
    steps : sequence of int
    lengths : dict of str to (ndarray, ndarray)
        {kind: (means, ends of intervals)} as in `plot_lengths_in_training`.
    accuracies : dict of str to (ndarray, ndarray)
        {label: (means, ends of intervals)} as in `plot_accuracies`.
    chance : float
        The accuracy of a guess.

    Returns
    -------
    list of artists
        The lines of the first axes, one for each step.
    """
    lines = [plot_lengths_in_training(ax, means, steps, ends) for ax, (means, ends) in zip(axes, lengths.values())]
    low = min(means.min() for means, _ in lengths.values())
    top = max(ends.max() for _, ends in lengths.values())
    for ax, kind in zip(axes, lengths):
        ax.set(title=f"{kind} points", ylim=(0.8 * low, 1.15 * top), ylabel="length (log scale)" * (ax is axes[0]))
    last, (means, ends) = axes[-1], ({k: v[i] for k, v in accuracies.items()} for i in (0, 1))
    plot_accuracies(last, steps, means, ends, chance=chance)
    last.set(title="accuracy", ylabel="")
    last.legend(loc="best")
    return lines[0]


def plot_influences(ax, scales, measured, law):
    """Draw the influence of each layer's weights on the outputs, points, and the law, lines.

    Parameters
    ----------
    ax : Axes
    scales : sequence of float
        The variances sigma_w^2 of the networks.
    measured, law : ndarray, shape (scales, layers)
        Relative change of the outputs when the weights of a layer change a little, and what is predicted.
    """
    layers, artists = np.arange(1, np.shape(measured)[1] + 1), []
    for scale, points, line, color in zip(scales, measured, law, layer_colors(len(scales))):
        artists += ax.plot(layers, line, color=color, label=rf"$\sigma_w^2 = {scale:g}$")
        artists += ax.plot(layers, points, "o", color=color, markersize=4)
    ax.set(yscale="log", xlabel="layer whose weights change", ylabel="change of outputs (log scale)")
    return artists


def plot_means(ax, x, means, intervals, *, colors=None):
    """Draw means with their intervals against a number, {label: means}.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (n,)
    means : dict of str to ndarray, shape (n,)
        NaN where there is none.
    intervals : dict of str to ndarray, shape (2, n)
        Their ends.
    colors : list, optional
    """
    artists = []
    for (label, values), color, marker in zip(means.items(), colors or PALETTE, "os^Dv" * 4):
        artists += ax.plot(x, values, marker=marker, markersize=4, color=color, label=label)
        ax.vlines(x, *intervals[label], color=color, linewidth=1.2)
    return artists


def plot_stack(ax, names, chosen):
    """Draw the layers of a network as a stack of boxes, the inputs below, with the chosen one filled.

    Parameters
    ----------
    ax : Axes
    names : list of str
        From the inputs up.
    chosen : int
        Which one.
    """
    colors, artists = layer_colors(len(names)), []
    for i, name in enumerate(names):
        face = colors[i] if i == chosen else "#f2f2f2"
        box = mpl.patches.FancyBboxPatch(
            (0.05, i + 0.12), 0.9, 0.76, boxstyle="round,pad=0,rounding_size=0.12", facecolor=face, edgecolor="#7f7f7f"
        )
        artists.append(ax.add_patch(box))
        dark = np.dot(mpl.colors.to_rgb(face), [0.2126, 0.7152, 0.0722]) < 0.45
        ax.text(0.5, i + 0.5, name, ha="center", va="center", color="white" if dark else readable("#555555"))
    ax.set(xlim=(0, 1), ylim=(-0.1, len(names) + 0.1), xticks=[], yticks=[])
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    return artists
