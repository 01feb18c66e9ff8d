"""Figures of the chapter layers/appendix-a."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import activations as act
from capacity.figures import COLORS, PALETTE, point_out

__all__ = ["eq_37", "frozen_figure", "plot_chord_and_tangent", "plot_singular_values"]


def eq_37(at):
    """An activation (blue) at one argument $z$: the line from zero to it has the gain as its slope (dashed), the
    tangent has the derivative (broad).
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), sharey=True)
    z = np.linspace(-2.5, 2.5, 101)
    for ax, f, words in zip(axes, (act.leaky(0.1), act.tanh()), ("leaky ReLU: one line", "tanh: two slopes")):
        plot_chord_and_tangent(ax, z, f(z), at, f.gain(at), f.derivative(at))
        ax.set(title=words, xlim=(-2.5, 2.5), ylim=(-1.7, 2.2))
    axes[0].text(2.4, -1.05, "dashed: gain", ha="right")
    axes[0].text(2.4, -1.55, "broad: derivative", ha="right")
    axes[1].set_ylabel("")
    return fig


def frozen_figure(bases, sizes):
    """Singular values of the Jacobian of a small network with frozen gains (rings) and of the true one (points); the
    columns are scaled to norm 1 first.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), sharey=True)
    for ax, name in zip(axes, ("leaky(0.1)", "tanh")):
        lines = plot_singular_values(ax, dict(zip(("frozen gains", "true"), bases[tuple(sizes[0]), name])))
        ax.set_title(name)
    axes[1].set_ylabel("")
    (frozen, leaky), (held, smooth) = (bases[tuple(sizes[0]), name] for name in ("leaky(0.1)", "tanh"))
    count = smooth.singular_values.size
    at, same = (count - 2.5, 3e-16), frozen.rank == leaky.rank < count
    point_out(axes[0], f"{count - leaky.rank} are redundant,\nboth agree", at, (0.5, 0.42), when=same)
    point_out(axes[1], f"true: all\n{count} count", (count - 2.5, 3e-3), (0.5, 0.6), when=smooth.rank == count)
    lost = smooth.rank - held.rank
    point_out(axes[1], f"frozen: {lost} too\nmany are zero", at, (0.5, 0.3), when=lost > 0)
    fig.legend(handles=lines, loc="outside upper center", ncols=2)
    return fig


def plot_chord_and_tangent(ax, grid, values, point, gain, slope):
    """Draw an activation, the line from zero to one of its points, and its tangent there.

    Parameters
    ----------
    ax : Axes
    grid, values : ndarray, shape (points,)
        The activation.
    point, gain, slope : float
        An argument, with the gain, which is the slope of the line from zero, and the derivative.

    Returns
    -------
    list of artists
    """
    artists = ax.plot(grid, values, color=COLORS["model"], linewidth=1.5, label="$f$")
    tangent = gain * point + slope * (grid - point)
    artists += ax.plot(grid, tangent, color=PALETTE[3], linewidth=3, alpha=0.6, label="tangent")
    artists += ax.plot(grid, gain * grid, "--", color=COLORS["reference"], linewidth=1.2, label="from zero")
    artists += ax.plot(point, gain * point, "o", color="black", markersize=5, zorder=4)
    ax.set(xlabel="argument $z$", ylabel="$f(z)$")
    return artists


def plot_singular_values(ax, bases):
    """Draw singular values relative to the largest, rings and points, with those below 1e-17 at that height.

    Parameters
    ----------
    ax : Axes
    bases : dict of str to Basis
        By name: the first with rings, the second with points.
    """
    lines = []
    looks = [("o", 7, COLORS["reference"], "none"), (".", 5, PALETTE[3], PALETTE[3])]
    for (name, basis), (marker, size, color, face) in zip(bases.items(), looks):
        values = np.maximum(basis.singular_values / basis.singular_values[0], 1e-17)
        index = np.arange(1, values.size + 1)
        lines += ax.plot(index, values, marker, color=color, markersize=size, markerfacecolor=face, label=name)
    ax.set(yscale="log", ylim=(3e-18, 3), xlabel="rank of the singular value", ylabel="value / largest (log scale)")
    return lines
