"""Figures of the chapter linear/5-1-hierarchical."""

import numpy as np
from matplotlib import pyplot as plt

from capacity._validation import common_length
from capacity.figures import (
    COLORS,
    PALETTE,
    lag_axis,
    legend_above,
    plot_allocation,
    plot_budget,
    plot_losses,
    plot_losses_against_size,
    plot_spectra,
    plot_strips,
    plot_totals,
    point_out,
    tints,
)
from capacity.figures.style import frameless, input_axis
from capacity_studies.figures.strokes import canvas, height_of_words, jar

__all__ = [
    "digit_spikes",
    "figure_3",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "folded",
    "plot_architecture",
    "plot_bound_and_errors",
    "plot_layer_stack",
    "plot_layer_totals",
]


def figure_3(small_tree, steps, budget):
    """Figure 3 of paper 1."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 3.4), height_ratios=[1.5, 1])
    back = sum(steps)
    plot_architecture(axes[0], small_tree, back=back)
    axes[0].set_title(f"lag {back + 1} = 1 + {' + '.join(map(str, steps))}")
    at = budget[::-1]  # by lag
    notes = [(8, "hardly any", at[7] < 0.2), (5, "a spike:\none step of 4", at[4] > max(at[3], at[5]))]
    notes = [(lag, words) for lag, words, so in [*notes, (1, "full", at[0] > 0.95)] if so]
    plot_budget(axes[1], budget, COLORS["capacity"], notes)
    axes[1].bar(7 - back, budget[7 - back], width=1, fill=False, edgecolor=COLORS["model"], linewidth=1.8)
    axes[1].set(xlim=axes[0].get_xlim(), ylabel="capacity\nper input", ylim=(0, 1.75))
    return fig


def figure_4(paper_fits, channel_counts, parameters, totals, n, losses, reference, fits):
    """Figure 4 of paper 1; losses below 1e-16 are drawn there."""
    losses, reference, best = (
        np.maximum(loss, 1e-16) for loss in (losses, reference, [fits[c].loss for c in channel_counts])
    )
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.9))
    spread = np.maximum([(paper_fits[c].restarts.min(), paper_fits[c].restarts.max()) for c in channel_counts], 1e-16)
    plot_totals(axes[0], channel_counts, parameters, totals, n)
    plot_losses(axes[1], channel_counts, losses, reference=reference, spread=spread, label="L-BFGS-B")
    plot_losses(axes[1], channel_counts, best, label="Gauss-Newton", style="^:", color="black")
    plot_losses_against_size(axes[2], parameters, totals, losses, reference=reference)
    legend_above(axes[1])
    if n in totals:
        first = totals.index(n)
        full = channel_counts[first]
        point_out(axes[0], "full", (full, n), (0.66, 0.08))
        point_out(axes[1], f"full\nat {full}", (full, best[first]), (0.17, 0.17))
        behind = losses[first] > 10 * best[first] and not paper_fits[full].converged
        at = full, losses[first]
        words = "L-BFGS-B\nruns out of\niterations"
        point_out(axes[1], words, at, (0.8, height_of_words(axes[1], at)), when=behind)
        point_out(axes[2], "all $n$\nfull", (n, 1e-11), (0.64, 0.2), when=losses.min() < 1e-11 < losses.max())
    return fig


def figure_5(spaces, small, spatial, spectral, n):
    """Figure 5 of paper 1."""
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.6))
    plot_spectra(axes[0], {c: spaces[c] for c in small})
    plot_strips(axes[1], spatial)
    plot_strips(axes[2], spectral, kind="component", labels=[""] * len(spectral))
    cut = any(spaces[c].total < len(spaces[c].basis.singular_values) for c in small)
    point_out(axes[0], "cut: noise", (n // 3, 1e-31), (0.24, 0.2), when=cut)
    full = [(1.2 * row + 1, c) for row, (c, values) in enumerate(spatial.items()) if values.min() > 0.98]
    for top, c in full[:1]:
        point_out(axes[1], f"{c} channels: full", (n // 2, top), (0.5, 0.93))
    tops = [1.2 * row + 1 for row, values in enumerate(spectral.values()) if values[:8].min() > 0.9 > values.min()]
    for top in tops[:1]:
        point_out(axes[2], "full at large\nvariances", (6, top), (0.55, 0.9))
    for ax in axes[1:]:
        ax.set_ylim(top=max(1.2 * len(spatial) + 1.2, 1.5 * len(spatial)))  # room for two lines of words
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper left", ncols=len(labels), handletextpad=0, columnspacing=1)
    return fig


def digit_spikes(spatial, white, few):
    """Capacity per input of the models with one channel (left) and a few (right), with the covariance of the process
    (coloured) and, at the same weights, with white inputs (dotted).
    """
    n = len(spatial[1])
    n_layers = n.bit_length() - 1
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.5), sharey=True)
    lines = [plot_allocation(ax, {c: spatial[c]})[0] for ax, c in zip(axes, (1, few))]
    for ax, c in zip(axes, (1, few)):
        dotted = plot_allocation(ax, {"white inputs": white[c]}, colors={"white inputs": "black"}, linestyle=":")
    axes[1].set_ylabel("")
    axes[0].set(ylim=(0, 1.35), yticks=[0, 0.5, 1])
    for power, place in ((n_layers - 1, 0.27), (n_layers - 2, 0.6), (n_layers - 3, 0.8)):
        spike = n - 1 - 2**power
        words = f"lag {2**power + 1}\n$= 1 + 2^{power}$" if power == n_layers - 1 else str(2**power + 1)
        single = power > 1 and spatial[1][spike] > max(spatial[1][spike - 1], spatial[1][spike + 1])
        point_out(axes[0], words, (spike, 0.97), (place, 0.88), when=single)
    ends = n - 1 - n // 2, n - n // 2 - 2 * few
    spikes = 2 * few <= n // 2 and spatial[few][list(ends)].min() > spatial[few][ends[1] + 1 : ends[0]].max(initial=0)
    point_out(axes[1], f"both ends of a block of {2 * few}", (ends[0], 0.95), (0.5, 0.9), when=spikes)
    point_out(axes[1], "", (ends[1], 0.95), (0.45, 0.87), when=spikes)
    fig.legend(handles=lines + dotted, loc="outside upper center", ncols=3)
    return fig


def figure_6(panels, n):
    """Figure 6 of paper 1; `panels` has the shares of runs by lag and along eigenvectors, then those of the optimum."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 3.9), sharey=True)
    for ax, shares, kind in zip(axes.flat, panels, ("lag", "component") * 2):
        lines = plot_bound_and_errors(ax, shares.bound, shares.error, kind=kind)
    axes[0, 0].set_title("paper's method")
    axes[1, 0].set_title("optimum")
    for ax, label in zip(axes.flat, ("share (log scale)", "") * 2):
        ax.set_ylabel(label)
    (bound, error), (_, left) = ((shares.bound.mean(axis=0), shares.error.mean(axis=0)) for shares in panels[::2])
    unseen = error[n - 6] > 10 * bound[n - 6]
    point_out(axes[0, 0], "called full, but\nerrors remain", (n - 6, 1e-4), (0.45, 0.3), when=unseen)
    point_out(axes[1, 0], "full, and\nno errors left", (n - 6, 1e-9), (0.5, 0.25), when=left[n - 6] < 1e-6)
    fig.legend(handles=lines[::2], loc="outside upper center", ncols=2)
    return fig


def figure_7(forward, backward, n):
    """Figure 7 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.5), sharey=True)
    areas = plot_layer_stack(axes[0], forward)
    plot_layer_stack(axes[1], backward)
    axes[0].set_title("forward chain")
    axes[1].set(title="backward chain", ylabel="", ylim=(0, 1.35), yticks=[0, 0.5, 1])
    first, last = (chain["layer 1"][n - 3] for chain in (forward, backward))
    point_out(axes[0], "layer 1 takes the shortest lags", (n - 3, 1), (0.5, 0.9), when=first > 0.9)
    point_out(axes[1], "nothing is left for it", (n - 3, 1), (0.5, 0.9), when=first > 0.9 and last < 0.02)
    fig.legend(handles=areas, loc="outside upper center", ncols=6, handlelength=0.9, columnspacing=0.9)
    return fig


def figure_8(independent, marginal):
    """Figure 8 of paper 1."""
    fig, axes = plt.subplots(2, 2, figsize=(6.3, 4.8), width_ratios=[2, 3])
    for row, shares in zip(axes, (independent, marginal)):
        plot_layer_totals(row[0], shares)
        plot_strips(row[1], shares)
    axes[0, 0].set_title("independent")
    axes[1, 0].set_title("marginal")
    last, top = len(marginal) - 0.5, list(marginal)[-1]
    replaced = marginal[top].sum() < 0.1 * independent[top].sum()
    point_out(axes[1, 0], "others can\nstand in", (last, 0.5), (0.83, 0.6), when=replaced)
    return fig


def folded(by_block, by_place):
    """Inputs folded into a square whose last row is the most recent block; each is filled from the left by the leverage
    of its column and from below by that of its row. Places are those of ``edition/static/fold.js``.
    """
    side, width, height, left, top = len(by_block), 441.6, 412.8, 84, 66
    pitch = 304 / side
    size = 0.86 * pitch
    ax = canvas(width, height)
    places = pitch * (side - 1 - np.arange(side))
    for x, p in zip(left + places, by_place):
        jar(ax, x, 26, size, 30, across=p)
        for y, q in zip(top + places, by_block):
            jar(ax, x, y, size, size, q, p)
    for y, q in zip(top + places, by_block):
        jar(ax, 30, y, 44, size, up=q, across=0.0)
    total = np.sum(1 - np.outer(1 - by_block, 1 - by_place))
    words = {"fontsize": 10.5, "color": COLORS["reference"]}
    ax.text(left + 304, 46, "place", **words)
    ax.text(52, 60, "block", ha="center", **words)
    ax.text(left + 304, 386, "newest", ha="right", **words)
    ax.text(left + 304, 16, "full: told by place or by block", ha="right", **words)
    ax.text(left, 404, f"{round(total)} of {side**2}", fontsize=30, weight="bold", color=COLORS["capacity"])
    return ax.figure


def plot_layer_stack(ax, shares):
    """Stack the conditional capacity of each layer over the positions (Figure 7).

    Parameters
    ----------
    ax : Axes
    shares : dict of str to ndarray, shape (n,)
        In the order of the chain; the first lies at the bottom.
    """
    colors = dict(zip(sorted(shares, key=_layer_number), tints("capacity", len(shares))))
    n = common_length(shares, "shares")
    areas = ax.stackplot(
        np.arange(n),
        *shares.values(),
        colors=[colors[name] for name in shares],
        labels=list(shares),
        step="mid",
        linewidth=0,
    )
    lag_axis(ax, n)
    ax.set(ylabel="capacity per input", ylim=(0, 1.02))
    return areas


def plot_layer_totals(ax, shares):
    """Draw the total capacity of each layer as bars with their value (Figure 8, left)."""
    totals = [float(np.sum(values)) for values in shares.values()]
    bars = ax.bar(range(1, len(shares) + 1), totals, color=COLORS["capacity"], width=0.7)
    for layer, total in enumerate(totals, 1):  # above the axis also where rounding left -1e-15
        ax.annotate(round(total), (layer, max(total, 0)), (0, 1), textcoords="offset points", ha="center", va="bottom")
    ax.set(xlabel="layer", ylabel="capacity", xticks=range(1, len(shares) + 1), ylim=(0, 1.15 * max(*totals, 1)))
    ax.grid(axis="x", visible=False)
    return bars


def _layer_number(name):
    return int(name.split()[-1])


def plot_bound_and_errors(ax, bounds, errors, *, kind="lag"):
    """Draw mean and standard deviation over runs of normalised bounds and squared errors (Figure 6).

    Parameters
    ----------
    ax : Axes
    bounds, errors : ndarray, shape (runs, n)
        Each row sums to 1.
    kind : {'lag', 'component'}, optional
        As in `plot_allocation`.
    """
    lines = []
    n = bounds.shape[1]
    series = [(errors, "squared error", COLORS["error"]), (bounds, r"bound $1 - \kappa$", COLORS["capacity"])]
    for values, label, color in series:
        mean, deviation = values.mean(axis=0), values.std(axis=0)
        lines += ax.plot(np.arange(n), mean, color=color, label=label)
        low = np.maximum(mean - deviation, 0.03 * mean)
        lines += [ax.fill_between(np.arange(n), low, mean + deviation, color=color, alpha=0.25, linewidth=0)]
    input_axis(ax, n, kind)
    ax.set(yscale="log", ylabel="share of the total (log scale)")
    return lines


def plot_architecture(ax, model, *, back=None):
    """Draw the paths from the inputs to the last output of a stack of dilated convolutions (Figure 3).

    Parameters
    ----------
    ax : Axes
    model : DilatedConvolution
        Its dilations and taps are what is drawn; grey nodes and edges do not lead to the last output.
    back : int, optional
        Whose path stands out, with its step in each layer: the input so many steps before the last. It takes the
        largest step that is left, the last layer first, which is the only way in a hierarchical model.

    Returns
    -------
    list of artists
    """
    n, artists = model.n_positions, []
    active, edges = {model.n_layers: {0}}, {True: [], False: []}
    for layer in range(model.n_layers, 0, -1):
        steps = np.arange(model.taps[layer - 1]) * model.dilations[layer - 1]
        active[layer - 1] = {lag + int(step) for lag in active[layer] for step in steps}
        for lag in range(n):
            ends = [([n - 1 - lag - step, n - 1 - lag], [layer - 1, layer]) for step in steps if lag + step < n]
            edges[lag in active[layer]] += ends
    for edge in edges[True]:
        artists += ax.plot(*edge, color=COLORS["reference"], linewidth=1.0, zorder=2)
    artists += ax.plot(*_apart(edges[False]), color="#dddddd", linewidth=0.5, zorder=1)
    for layer in range(model.n_layers + 1):
        for on, color in ((True, _node_color(layer, model.n_layers)), (False, "#dddddd")):
            lags = np.array([lag for lag in range(n) if (lag in active[layer]) == on])
            style = {"color": color, "markersize": 6, "markeredgecolor": "white", "zorder": 3}
            artists += ax.plot(n - 1 - lags, np.full(len(lags), layer), "o", **style)
    if back is not None:
        artists += _path(ax, model, back)
    names = ["input"] + [f"layer {i}, dilation {d}" for i, d in enumerate(model.dilations, 1)]
    ax.set_yticks(range(model.n_layers + 1), names)
    ax.set_xticks([0, n - 1], [f"lag {n}", "lag 1"])
    frameless(ax)
    ax.annotate("prediction", (n - 1, model.n_layers), xytext=(0, 7), textcoords="offset points", ha="center")
    ax.set(xlim=(-0.7, n - 0.3), ylim=(-0.4, model.n_layers + 0.6))
    return artists


def _path(ax, model, back):
    """Draw the path of one input, from the last output down, and the length of each of its steps."""
    at, left, artists = model.n_positions - 1, back, []
    color, box = COLORS["model"], {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    for layer, (taps, dilation) in reversed(list(enumerate(zip(model.taps, model.dilations)))):
        step = min(taps - 1, left // dilation) * dilation
        artists += ax.plot([at - step, at], [layer, layer + 1], color=color, linewidth=3, zorder=2.5)
        middle = at - step / 2, layer + 0.5
        artists.append(ax.text(*middle, str(step), color=color, ha="center", va="center", bbox=box, zorder=4))
        at, left = at - step, left - step
    return artists


def _apart(edges):
    """Return the points of edges as those of one line, with gaps between them."""
    return np.hstack([np.column_stack([edge, [np.nan, np.nan]]) for edge in edges]) if edges else ([], [])


def _node_color(layer, last):
    return PALETTE[0] if layer in (0, last) else COLORS["reference"]
