"""Figures of the chapter layers/3-3-differential."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.layers import differential_layers
from capacity.statistics import MeanCurve

__all__ = ["differential", "v1_eq_35"]


def v1_eq_35():
    r"""Left: change of an activity on its way up a network of 64 differential layers, for twelve draws of the random
    signs, with increments of order $\sqrt\epsilon$ (blue) and $\epsilon$ (orange).
    """
    draws, depth = np.random.default_rng(4), 64
    wander = np.zeros((2, depth + 1, 12))
    begin = draws.standard_normal((15, 12))
    state = [begin.copy(), begin.copy()]
    for l in range(depth):
        gains = draws.choice([-1.0, 1.0], (15, 12))
        for x, path, step in zip(state, wander, (depth**-0.5, 1 / depth)):
            sums = np.sqrt(0.25) * (np.roll(x, 1, axis=0) + np.roll(x, -1, axis=0)) + np.sqrt(0.5) * x
            x += step * gains * sums
            path[l + 1] = (x - begin)[7]
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    paths = {r"$\sqrt{\epsilon}$": wander[0], r"$\epsilon$": wander[1]}
    for line in figures.plot_decay(axes[0], np.arange(depth + 1) / depth, paths):
        line.set_linewidth(0.8)
    axes[0].set(xlabel="depth $t$", ylabel="change of an activity", xlim=(0, 1), ylim=(-3.2, 3.2))
    figures.point_out(axes[0], r"steps $\sqrt{\epsilon}$: it wanders", (0.6, wander[0][38].max()), (0.35, 0.93))
    figures.point_out(axes[0], r"steps $\epsilon$: hardly moves", (0.45, wander[1][29].min()), (0.35, 0.07))
    figures.plot_handed_down(axes[1], np.array([[0.025], [1.125], [0.1]]) / 1.25, np.ones(1))
    for ax, title in zip(axes, ("activities, upwards", "capacity: mostly straight")):
        ax.set_title(title)
    return fig


def differential(layers, X, P, signs, crossed, moved, n, squares, samples, handed):
    """A network of differential layers with pseudo-random activations."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    time, factors = (
        np.linspace(0, 1, layers + 1),
        {r"steps $\sqrt{\epsilon}$": 1 / layers, r"steps $\epsilon$": 1 / layers**2},
    )
    growth = {name: (1 + factor) ** (layers * time) - 1 for name, factor in factors.items()}
    lines = figures.plot_decay(axes[0], time, growth)
    small = [np.mean((differential_layers(X[:2000], P, signs[:l], 1 / layers**2) - X[:2000]) ** 2) for l in crossed]
    for line, points in zip(lines, ([m.mean() for m in moved], small)):
        axes[0].plot(crossed / layers, points, "o", color=line.get_color())
    axes[0].set(xlabel="depth $t$", ylabel="mean square change")
    figures.point_out(
        axes[0],
        "steps $\\sqrt{\\epsilon}$:\nsquares add up",
        (0.6, (1 + 1 / layers) ** (0.6 * layers) - 1),
        (0.3, 0.75),
    )
    figures.point_out(axes[0], r"steps $\epsilon$: nothing happens", (0.5, 0.02), (0.64, 0.2))
    sites = np.arange(n) - n // 2
    sampled = MeanCurve(sites, squares.mean(axis=0), squares.std(axis=0) / np.sqrt(samples))
    figures.plot_profiles(axes[1], sites, {"capacity": handed}, samples={"gradient": sampled})
    axes[1].set(ylabel="share of the total", xlim=(-5.5, 5.5))
    axes[1].legend(loc="upper left")
    figures.point_out(axes[1], "more goes to\nthe larger weight", (1.05, handed[n // 2 + 1]), (0.79, 0.62))
    return fig
