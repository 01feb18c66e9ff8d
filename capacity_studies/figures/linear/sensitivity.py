"""Figures of the chapter linear/sensitivity."""

from itertools import groupby

import numpy as np
from matplotlib import pyplot as plt
from scipy.ndimage import uniform_filter1d

from capacity.figures import (
    COLORS,
    PALETTE,
    SIGNS,
    component_axis,
    label_once,
    lag_axis,
    plot_allocation,
    plot_losses,
    plot_on_log_lags,
    plot_strips,
    point_out,
    small_multiples,
    tints,
)
from capacity.figures.style import frameless

__all__ = [
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_8",
    "figure_10",
    "figure_11",
    "figure_15",
    "plot_autocovariances",
    "plot_findings",
    "process_styles",
    "processes_figure",
]


def processes_figure(processes, n, spaces):
    """Eight processes, sunspots and El Niño dark on the left and on top of the others on the right."""
    measured = {"sunspots": COLORS["reference"], "El Niño": "#777777"}
    grey = dict.fromkeys(processes, "#b0b0b0") | measured
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.4))
    curves = {name: process.autocovariances(n) for name, process in processes.items()}
    plot_autocovariances(axes[0], curves, {name: {"color": color} for name, color in grey.items()})
    spatial = {name: spaces[name, 4].spatial() for name in processes}
    plot_strips(axes[1], spatial)
    axes[0].set(ylim=(-0.8, 1.3))
    axes[1].set(ylim=(-0.1, 1.2 * len(spatial) + 1.2))
    formulas = [name for name in processes if name not in measured]
    fade = all(curves[name][-1] < curves[name][1] for name in formulas)
    point_out(axes[0], "the formulas fade", (4, curves["power law 0.25"][4]), (0.6, 0.95), when=fade)
    point_out(axes[0], "sunspots: a cycle", (5, curves["sunspots"][5]), (0.35, 0.05))
    point_out(axes[0], "El Niño", (32, curves["El Niño"][32]), (0.9, 0.05))
    mean = np.mean([spatial[name] for name in formulas], axis=0)
    off = {name: np.abs(values - mean).mean() for name, values in spatial.items()}
    apart = min(off[name] for name in measured) > 2 * np.mean([off[name] for name in formulas])
    far, top = n - 52, list(spatial).index("El Niño")
    at = far, 1.2 * top + spatial["El Niño"][far]
    point_out(axes[1], "the two series differ", at, (0.5, 0.95), when=apart)
    return fig


def figure_4(titles, processes, channel_counts, paper_losses, losses):
    """Figure 4, centre, for eight processes: the loss of hierarchical models that the paper's method reaches, and
    that of Gauss-Newton.
    """
    axes = small_multiples(titles, columns=4)
    for ax, name in zip(axes, processes):
        theirs, ours = np.maximum([paper_losses[name], losses[name]], 1e-16)
        lines = plot_losses(ax, channel_counts, theirs, label="L-BFGS-B")
        lines += plot_losses(ax, channel_counts, ours, label="Gauss-Newton", style="^:", color="black")
    (theirs, ours), (same, there) = ((paper_losses[name][2], losses[name][2]) for name in ("power law 0.5", "sunspots"))
    four = channel_counts[2]
    point_out(axes[1], "stops early", (four, theirs), (0.36, 0.3), when=theirs > 1.2 * ours)
    point_out(axes[6], "both agree", (four, there), (0.4, 0.25), when=same < 1.2 * there)
    label_once(axes, lines)


def figure_5(titles, processes, spatial):
    """Figure 5, centre, for eight processes: capacity per input of hierarchical models, the most recent input on the
    right.
    """
    axes = small_multiples(titles, columns=4)
    for ax, name in zip(axes, processes):
        plot_strips(ax, spatial[name], labels=[f"{c} ch." for c in spatial[name]])
        ax.set(xlabel="lag (samples)" if ax in axes[4:] else "", ylabel="")
    axes[0].figure.set_size_inches(6.3, 4.0)
    axes[0].figure.supylabel("capacity per input", fontsize=axes[0].yaxis.label.get_size())


def figure_6(processes, bounds, squares, titles, n):
    """Figure 6 for eight processes: how many times larger than the bound the squared errors are with four channels,
    from the means over runs of both, normalised.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.8), sharey=True)
    for k, (ax, axis) in enumerate(zip(axes, (lag_axis, component_axis))):
        means = [[rows[name][k].mean(axis=0) for name in processes] for rows in (squares, bounds)]
        image = ax.imshow(np.log10(np.divide(*means)), cmap=SIGNS, vmin=-4, vmax=4, aspect="auto")
        axis(ax, n)
        ax.grid(visible=False)
    axes[0].set(title="by lag", yticks=range(len(titles)))
    axes[0].set_yticklabels(titles)
    axes[1].set_title("along the eigenvectors")
    bar = fig.colorbar(image, ax=axes, ticks=[-4, -2, 0, 2, 4], label="error / bound (log scale)")
    bar.ax.set_yticklabels([f"$10^{{{power}}}$" for power in (-4, -2, 0, 2, 4)])


def figure_8(name, independent):
    """Figure 8, top right, for four of the eight processes: capacity per input of each layer of the model with four
    channels, independent of the other layers.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.5))
    plot_strips(ax, independent[name])
    ax.set_title(name)
    return fig


def figure_10(titles, processes, channel_counts, their_losses, recurrent_losses):
    """Figure 10, centre, for eight processes: the loss of recurrent models that the paper's method reaches, and that
    of variable projection.
    """
    axes = small_multiples(titles, columns=4)
    for ax, name in zip(axes, processes):
        theirs, ours = np.maximum([their_losses[name], recurrent_losses[name]], 1e-16)
        lines = plot_losses(ax, channel_counts, theirs, label="L-BFGS-B")
        lines += plot_losses(ax, channel_counts, ours, label="variable projection", style="^:", color="black")
    theirs, ours = their_losses["power law 0.5"][3], recurrent_losses["power law 0.5"][3]
    point_out(axes[1], "levels off", (channel_counts[3], theirs), (0.35, 0.2), when=theirs > 2 * ours)
    label_once(axes, lines)


def figure_11(titles, processes, recurrent, channel_counts, n):
    """Figure 11, centre, for eight processes: capacity per input of recurrent models, on logarithmic axes, on which
    a power law is a straight line.
    """
    axes = small_multiples(titles, columns=4)
    for ax, name in zip(axes, processes):
        lines = plot_on_log_lags(ax, recurrent[name], labels={c: f"{c} ch." for c in channel_counts})
        ax.set(yscale="log", xlabel="lag (log scale)", ylabel="capacity per input (log scale)")
    curve = recurrent["power law 2.0"][1]
    six, twelve, twice = np.log(curve[[n - 6, n - 12, n - 24]])
    straight = abs(twelve - (six + twice) / 2) < 0.1
    point_out(axes[3], "straight:\na power law", (12, curve[n - 12]), (0.78, 0.25), when=straight)
    label_once(axes, lines)


def figure_15(processes, orders, titles, tiled, size):
    """Figure 15, left, for eight processes, with fewer and narrower layers: capacity per input of tiled blocks and
    of repeated layers with the same parameters, averaged over random starts.
    """
    axes = small_multiples(titles, columns=4)
    colors = dict(zip(orders, tints("capacity", 2)))
    for ax, name in zip(axes, processes):
        smooth = {order: uniform_filter1d(values, 8, mode="nearest") for order, values in tiled[name].items()}
        plot_allocation(ax, tiled[name], colors=colors, linewidth=0.5, alpha=0.4)
        lines = plot_allocation(ax, smooth, colors=colors, linewidth=2)
        ax.set(xlabel="lag (samples)", ylim=(0, 1.6), yticks=[0, 0.5, 1])
    in_the_middle, other = (
        uniform_filter1d(tiled["power law 0.5"][order], 8, mode="nearest")[size - 45]
        for order in sorted(orders, key="tiled blocks".__ne__)
    )
    lead = in_the_middle > other
    point_out(axes[1], "tiled blocks lead", (size - 45, in_the_middle), (0.45, 0.87), when=lead)
    label_once(axes, lines)


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


def plot_findings(ax, findings, kinds=None):
    """Draw which findings hold on which processes: a row for each finding, a filled square where it holds.

    Parameters
    ----------
    ax : Axes
    findings : dict of str to dict of str to bool
        By finding, the first on top, and by process, the same ones in all.
    kinds : list of str, optional
        Of each finding; written once beside each run of the same, between lines.
    """
    names = list(next(iter(findings.values())))
    rows = [(x, y, found[name]) for y, found in enumerate(findings.values()) for x, name in enumerate(names)]
    artists = []
    for holds, face in ((True, COLORS["reference"]), (False, "white")):
        at = np.array([(x, y) for x, y, found in rows if bool(found) == holds]).reshape(-1, 2)
        style = {"color": face, "markeredgecolor": COLORS["reference"], "markeredgewidth": 0.6}
        artists += ax.plot(*at.T, "s", markersize=8, label="holds" if holds else "does not", **style)
    first = 0
    for kind, run in groupby(kinds or []):
        last = first + len(list(run)) - 1
        ax.text(len(names) - 0.3, (first + last) / 2, kind, va="center")
        if first:
            ax.axhline(first - 0.5, color=COLORS["error"], linewidth=0.8)
        first = last + 1
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(findings)), [f"Fig. {finding}" if kinds else finding for finding in findings])
    ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(len(findings) - 0.4, -0.6))
    ax.xaxis.tick_top()
    frameless(ax)
    return artists
