"""Diagrams of architectures and layers: nodes and connections, drawn from the model or its weights."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, frameless, layer_colors

__all__ = [
    "plot_architecture",
    "plot_augmented_layer",
    "plot_dilations",
    "plot_handed_down",
    "plot_layer",
    "plot_recurrence",
]


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


def plot_dilations(ax, model):
    """Draw a stack of dilated convolutions as a tower: one bar per layer, as wide as its dilation, from the bottom up.

    Parameters
    ----------
    ax : Axes
    model : DilatedConvolution
        Layers of the same dilation have the same colour, from dark to light, and the width written beside the bar.

    Returns
    -------
    list of artists
    """
    steps, layers = sorted(set(model.dilations)), np.arange(1, model.n_layers + 1)
    colors = dict(zip(steps, layer_colors(len(steps))))
    bars = ax.barh(layers, model.dilations, height=0.8, color=[colors[dilation] for dilation in model.dilations])
    names = [ax.text(dilation, y, f" {dilation}", va="center_baseline") for y, dilation in zip(layers, model.dilations)]
    frameless(ax)
    ax.set(xlabel="dilation", ylabel="layers, upwards", xlim=(0, 1.2 * steps[-1]), xticks=[], yticks=[])
    return [*bars, *names]


def plot_recurrence(ax, steps, *, back=None):
    """Draw a diagonal recurrence unrolled over some steps (Figure 9).

    Parameters
    ----------
    ax : Axes
    steps : int
        Number of inputs drawn, the most recent on the right.
    back : int, optional
        Whose way to the prediction stands out: the input so many steps before the last.
    """
    arrow = {"arrowstyle": "-|>", "shrinkA": 8, "shrinkB": 8, "color": COLORS["reference"]}
    thick = arrow | {"color": COLORS["model"], "linewidth": 3}
    last, artists = steps - 1, []
    start = steps if back is None else last - back
    for step in range(steps):
        artists += ax.plot([step, step], [0, 1], "o", color=COLORS["reference"], markersize=8, zorder=3)
        artists += ax.plot(step, 0, "o", color=PALETTE[0], markersize=8, zorder=4)
        artists.append(ax.annotate("", (step, 1), (step, 0), arrowprops=thick if step == start else arrow))
        if step:
            artists.append(ax.annotate("", (step, 1), (step - 1, 1), arrowprops=thick if step > start else arrow))
    artists += ax.plot(last, 2, "o", color=PALETTE[0], markersize=8)
    artists.append(ax.annotate("", (last, 2), (last, 1), arrowprops=arrow if back is None else thick))
    ax.text(last + 0.12, 0.5, r"$W^{(\mathrm{in})}$", va="center")
    ax.text(last - 0.5, 1.12, r"$W^{(\mathrm{rec})}$", ha="center", va="bottom")
    ax.text(last + 0.12, 1.5, r"$W^{(\mathrm{out})}$", va="center")
    ax.set_yticks([0, 1, 2], ["input", "hidden layer, $c$ channels", "prediction"])
    ax.set_xticks([0, last], [f"lag {steps}", "lag 1"])
    ax.set(xlim=(-0.4, last + 0.7), ylim=(-0.4, 2.3))
    frameless(ax)
    return artists


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
        artists += _node(ax, 1, outputs[j], rf"$f(z_{j + 1})$", PALETTE[j])
    artists += [artist for i in range(n) for artist in _node(ax, 0, inputs[i], f"$y_{i + 1}$", "white")]
    artists += _node(ax, 2, np.mean(inputs), r"$\varphi$", "white")
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
            artists += _node(ax, 0, at, rf"$\eta_{j + 1} y_{i + 1}$", PALETTE[j])
        artists += _edge(ax, (1, outputs[j]), (2, np.mean(inputs)), COLORS["reference"])
        artists += _node(ax, 1, outputs[j], rf"$\eta_{j + 1} z_{j + 1}$", "white")
    artists += _node(ax, 2, np.mean(inputs), r"$\varphi$", "white")
    _bare(ax, {0: r"copies $\tilde Y$", 1: r"$\tilde P^T \tilde Y$", 2: "output"}, inputs)
    artists += [_remark(ax, "linear from here on", (2.2, max(inputs) + 0.1), (0.4, max(inputs) + 0.1))]
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
        artists += _node(ax, outputs[j], 1, f"output {j + 1}\n{value:.2f}", "white")
    for i, value in enumerate(shares @ capacities):
        artists += _node(ax, inputs[i], 0, f"$y_{i + 1}$\n{value:.2f}", "white")
    frameless(ax)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(-0.2, 1.2), xticks=[], yticks=[])
    return artists


def _node_color(layer, last):
    return PALETTE[0] if layer in (0, last) else "#444444"


def _column(count, height):
    """Return heights of `count` nodes, spread over a column made for `height` of them."""
    return height - 1 - (np.arange(count) + 0.5) * height / count + 0.5


def _edge(ax, start, end, color, weight=0.5):
    style = "-" if weight >= 0 else (0, (4, 2))
    return ax.plot(*zip(start, end), color=color, linewidth=0.5 + 2.2 * abs(weight), linestyle=style, zorder=1)


def _node(ax, x, y, text, color):
    box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#444444" if color == "white" else color}
    return [ax.text(x, y, text, ha="center", va="center", bbox=box, zorder=3)]


def _remark(ax, words, tip, at, *, ha="left"):
    arrow = {"arrowstyle": "->", "color": COLORS["reference"]}
    return ax.annotate(words, tip, xytext=at, ha=ha, va="center", arrowprops=arrow, annotation_clip=False)


def _bare(ax, names, heights):
    ax.set_xticks(list(names), list(names.values()))
    ax.set_yticks([])
    frameless(ax)
    ax.set(xlim=(-0.35, 2.2), ylim=(min(heights) - 0.6, max(heights) + 0.6))
