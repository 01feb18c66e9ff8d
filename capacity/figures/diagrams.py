"""Diagrams of architectures, drawn from the model itself."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE

__all__ = ["plot_architecture"]


def plot_architecture(ax, model):
    """Draw the paths from the inputs to the last output of a stack of dilated convolutions (Figure 3).

    Parameters
    ----------
    ax : Axes
    model : DilatedConvolution
        Its dilations and taps are what is drawn; grey nodes and edges do not lead to the last output.

    Returns
    -------
    list of artists
    """
    n, artists = model.n_positions, []
    active = {model.n_layers: {0}}
    for layer in range(model.n_layers, 0, -1):
        steps = np.arange(model.taps[layer - 1]) * model.dilations[layer - 1]
        active[layer - 1] = {lag + int(step) for lag in active[layer] for step in steps}
        for lag in range(n):
            for step in steps:
                if lag + step < n:
                    on = lag in active[layer]
                    artists += ax.plot(
                        [n - 1 - lag - step, n - 1 - lag],
                        [layer - 1, layer],
                        color=COLORS["reference"] if on else "#dddddd",
                        linewidth=1.0 if on else 0.5,
                        zorder=2 if on else 1,
                    )
    for layer in range(model.n_layers + 1):
        for lag in range(n):
            color = _node_color(layer, model.n_layers) if lag in active[layer] else "#dddddd"
            artists += ax.plot(n - 1 - lag, layer, "o", color=color, markersize=6, markeredgecolor="white", zorder=3)
    names = ["input"] + [f"layer {i}, dilation {d}" for i, d in enumerate(model.dilations, 1)]
    ax.set_yticks(range(model.n_layers + 1), names)
    ax.set_xticks([0, n - 1], [f"lag {n}", "lag 1"])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.annotate("prediction", (n - 1, model.n_layers), xytext=(0, 7), textcoords="offset points", ha="center")
    ax.set(xlim=(-0.7, n - 0.3), ylim=(-0.4, model.n_layers + 0.6))
    return artists


def _node_color(layer, last):
    return PALETTE[0] if layer == 0 else PALETTE[1] if layer == last else "#444444"
