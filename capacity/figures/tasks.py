"""Plots of paper 1, Section 6.2 and Appendix D, and of the comparison of processes."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, direct_labels, frameless, lag_axis, point_out, readable, tints

__all__ = [
    "plot_adaptation",
    "plot_autocovariances",
    "plot_difference",
    "plot_feature_boxes",
    "plot_feature_stack",
    "plot_features",
    "plot_findings",
    "plot_fixed_weights",
    "plot_moments",
    "plot_prediction",
    "plot_recovery",
    "plot_two_curves",
    "process_styles",
]


def plot_moments(ax, correlations, curves, points, *, ylabel=None):
    """Draw second moments of features against the correlation of their inputs.

    Parameters
    ----------
    ax : Axes
    correlations : tuple of ndarray
        Where the curves are given, and where the points are.
    curves, points : dict of str to ndarray
        By pair of functions: the closed form (lines) and what to compare with it (crosses).
    """
    lines = []
    for (label, values), color in zip(curves.items(), PALETTE):
        lines += ax.plot(correlations[0], values, color=color, label=label)
        lines += ax.plot(correlations[1], points[label], "x", color=color, markersize=5)
    ax.axhline(0, color=COLORS["reference"], linewidth=0.6)
    ax.set(xlabel="correlation of the inputs", ylabel=ylabel, xlim=(-1.03, 1.03))
    return lines


def plot_findings(ax, findings):
    """Draw which findings hold on which processes: a row for each finding, a filled square where it holds.

    Parameters
    ----------
    ax : Axes
    findings : dict of str to dict of str to bool
        By finding, the first on top, and by process, the same ones in all.
    """
    names = list(next(iter(findings.values())))
    rows = [(x, y, found[name]) for y, found in enumerate(findings.values()) for x, name in enumerate(names)]
    artists = []
    for holds, face in ((True, COLORS["reference"]), (False, "white")):
        at = np.array([(x, y) for x, y, found in rows if bool(found) == holds]).reshape(-1, 2)
        artists += ax.plot(
            *at.T, "s", markersize=8, color=face, markeredgecolor=COLORS["reference"], markeredgewidth=0.6
        )
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(findings)), list(findings))
    ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(len(findings) - 0.4, -0.6))
    ax.xaxis.tick_top()
    frameless(ax)
    return artists


def plot_features(ax, values, curves):
    """Draw the functions of an input that are its features, each with its name at its end.

    Parameters
    ----------
    ax : Axes
    values : ndarray, shape (points,)
        Of the input.
    curves : dict of str to ndarray, shape (points,)
        By function.
    """
    lines = []
    for (label, curve), color in zip(curves.items(), tints("model", len(curves))):
        lines += ax.plot(values, curve, color=color, label=label, linewidth=2)
    ax.axhline(0, color=COLORS["reference"], linewidth=0.6)
    ax.set(xlabel="input $y$", ylabel="feature", xlim=(values[0], values[-1]))
    direct_labels(ax, lines, gap=0.1)
    return lines


def plot_feature_boxes(ax, capacities, labels):
    """Draw one box per position and function, filled to its capacity, and say so where those at lag 1 are full.

    Parameters
    ----------
    ax : Axes
    capacities : ndarray, shape (n, d)
        Capacity per position and function.
    labels : sequence of str
        Of the functions, the first in the lowest row.
    """
    n, d = capacities.shape
    outline = {"facecolor": "none", "edgecolor": COLORS["reference"], "linewidth": 0.6}
    artists = []
    for row, values in enumerate(capacities.T):
        bottom = 1.25 * row  # the rows stand apart
        artists.append(ax.bar(range(n), values, bottom=bottom, width=0.8, color=COLORS["capacity"], linewidth=0))
        artists.append(ax.bar(range(n), 1, bottom=bottom, width=0.8, **outline))
    lag_axis(ax, n)
    ax.set_yticks(1.25 * np.arange(d) + 0.5, labels)
    ax.set(ylabel="function", ylim=(-0.1, 1.25 * d + 0.6))
    ax.grid(visible=False)
    if capacities[-1].min() > 0.98:
        words, at, to = ("full everywhere", 0.5, n // 2) if capacities.min() > 0.98 else ("full", 0.72, n - 1)
        artists.append(point_out(ax, words, (to, 1.25 * d - 0.25), (at, 0.94)))
    return artists


def plot_feature_stack(ax, capacities, labels):
    """Stack the capacity of each function over the positions (equation 28).

    Parameters
    ----------
    ax : Axes
    capacities : ndarray, shape (n, d)
        Capacity per position and function.
    labels : sequence of str
        Of the functions, the first at the bottom.
    """
    n, d = capacities.shape
    colors = tints("capacity", d)
    areas = ax.stackplot(np.arange(n), *capacities.T, labels=labels, colors=colors, step="mid", linewidth=0)
    ax.axhline(d, color=COLORS["reference"], linestyle="--", linewidth=1)
    lag_axis(ax, n)
    ax.set(ylabel="capacity per input", ylim=(0, 1.06 * d))
    return areas


def plot_recovery(ax, losses, redundant, *, threshold=None, sides=()):
    """Draw the loss of each draw as a dot, one row per set of frozen layers.

    Parameters
    ----------
    ax : Axes
    losses : dict of str to ndarray
        Losses on a scale of the caller's, by set; the first in the top row.
    redundant : dict of str to bool
        Whether each set is redundant, which gives its colour.
    threshold : float, optional
        Where to draw the line between recovered and not.
    sides : sequence of str, optional
        What to write above the axes, left and right of that line.
    """
    artists = []
    for row, (name, values) in enumerate(losses.items()):
        color = COLORS["parameters"] if redundant[name] else COLORS["reference"]
        height = row + 0.25 * np.linspace(-1, 1, len(values))
        artists += ax.plot(np.sort(values), height, "o", color=color, markersize=3.5, alpha=0.7, markeredgewidth=0)
    if threshold is not None:
        artists.append(ax.axvline(threshold, color=COLORS["reference"], linestyle="--", linewidth=1))
        for words, place, name in zip(sides, ("right", "left"), ("parameters", "reference")):
            style = {"ha": place, "va": "bottom", "color": readable(COLORS[name])}
            artists.append(ax.text(threshold, 1.02, f" {words} ", transform=ax.get_xaxis_transform(), **style))
    ax.set_yticks(range(len(losses)), list(losses))
    ax.set(xscale="log", ylim=(len(losses) - 0.4, -0.6))
    ax.grid(axis="y", visible=False)
    return artists


def plot_fixed_weights(ax, weights, losses, impossible):
    """Draw the lowest loss for each value of a fixed weight, with the interval shaded where no real solution exists."""
    artists = [ax.axvspan(*impossible, color="#eeeeee", zorder=0)]
    artists += ax.plot(weights, losses, "o", color=COLORS["parameters"], markersize=3.5)
    centre, beside = np.mean(impossible), {"transform": ax.get_xaxis_transform(), "ha": "center", "va": "center"}
    artists.append(ax.text(centre, 0.45, "no real solution:\nlost", **beside))
    for side in (weights[0] + impossible[0], weights[-1] + impossible[1]):
        artists.append(ax.text(side / 2, 0.45, "recovered", **beside))
    ax.set(xlabel="fixed weight $w_1$", ylabel="loss (log scale)", yscale="log")
    return artists


def plot_adaptation(ax, fixed, needed, lost, *, limits):
    """Draw what another parameter must be for the optimum, given that of a fixed one.

    Parameters
    ----------
    ax : Axes
    fixed, needed : ndarray, shape (points,)
        Values of the fixed parameter and what the other must be then, NaN where nothing will do.
    lost : list of (float, float)
        The intervals of values that lose the optimum: shaded, or a line with an arrow if it is one value.
    limits : (float, float)
        Of the vertical axis.
    """
    low, high = limits
    artists = ax.plot(fixed, needed, color=COLORS["parameters"], linewidth=2)
    grey, middle = COLORS["reference"], 0.5 * (low + high)
    for begin, end in lost:
        if begin == end:
            artists.append(ax.axvline(begin, color=grey, linewidth=1))
            word = {"xytext": (0.04, 0.95), "textcoords": "axes fraction", "va": "top", "color": grey}
            arrow = {"arrowstyle": "->", "color": grey}
            artists.append(ax.annotate("lost\nonly here", (begin, middle), arrowprops=arrow, **word))
        else:
            artists.append(ax.axvspan(begin, end, color=grey, alpha=0.15, linewidth=0, zorder=0))
            centre = {"ha": "center", "va": "center", "color": grey}
            artists.append(ax.text(0.5 * (begin + end), middle, "lost", **centre))
    ax.set(xlim=(fixed[0], fixed[-1]), ylim=limits)
    return artists


def process_styles(names):
    """Colour and dashes of each process, the same in all panels: {name: properties of a line}.

    Examples
    --------
    >>> process_styles(["power law", "white"])["white"]["linestyle"]
    '--'
    """
    dashes = ["-", "--", "-.", ":"]
    return {
        name: {"color": PALETTE[i % len(PALETTE)], "linestyle": dashes[i % len(dashes)]} for i, name in enumerate(names)
    }


def plot_autocovariances(ax, curves, styles, *, label=True):
    """Draw autocovariances {name: values at lags 0, 1, ...} on a logarithmic axis of lags that starts at 1."""
    lines = []
    for name, values in curves.items():
        lags = np.arange(1, len(values))
        lines += ax.plot(lags, values[1:], label=name if label else None, **styles[name])
    ax.axhline(0, color=COLORS["reference"], linewidth=0.6)
    ax.set_xscale("log", base=2)
    ticks = 2 ** np.arange(0, int(np.log2(len(values))) + 1, 2)
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set(xlabel="lag (samples, log scale)", ylabel="autocovariance")
    return lines


def plot_prediction(ax, past, following, mean, deviation):
    """Draw samples of a process, the prediction of the next one with its standard deviation, and what came.

    Parameters
    ----------
    ax : Axes
    past : ndarray, shape (n,)
        The oldest sample first; on the axis stand their lags.
    following : float
        The sample after them, an empty circle.
    mean, deviation : float
        Of that sample, given the past.
    """
    n = len(past)
    artists = ax.plot(np.arange(n), past, "o-", color=COLORS["reference"], linewidth=0.8, label="past")
    artists += ax.plot(n, following, "o", color=COLORS["reference"], fillstyle="none", markersize=6, label="next")
    artists += ax.errorbar(n, mean, deviation, fmt="s", color=COLORS["model"], capsize=4, label="prediction").lines[:1]
    lag_axis(ax, n)
    ax.set(xlim=(-0.7, n + 0.7), ylabel="sample")
    return artists


def plot_two_curves(ax, model, target, *, ylabel, log=False):
    """Draw a quantity of the model over the same of the target, against the lag (Figure 14)."""
    lags = np.arange(1, len(target) + 1)
    lines = ax.plot(lags, target, color=COLORS["target"], linewidth=3, alpha=0.5, label="target")
    lines += ax.plot(lags, model, color=COLORS["model"], label="model")
    ax.set(xlabel="lag (samples)", ylabel=ylabel)
    if log:
        ax.set_yscale("log")
    return lines


def plot_difference(ax, difference, *, ylabel):
    """Draw the size of a difference against the lag, on a logarithmic axis (Figure 14)."""
    lines = ax.plot(np.arange(1, len(difference) + 1), np.abs(difference), color=COLORS["error"], label="difference")
    ax.set(xlabel="lag (samples)", ylabel=ylabel, yscale="log")
    return lines
