"""Figures of the chapter layers/appendix-a."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import activations as act
from capacity import figures

__all__ = ["eq_37", "frozen_figure"]


def eq_37(at):
    """An activation (blue) at one argument $z$: the line from zero to it has the gain as its slope (dashed), the
    tangent has the derivative (broad).
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), sharey=True)
    z = np.linspace(-2.5, 2.5, 101)
    for ax, f, words in zip(axes, (act.leaky(0.1), act.tanh()), ("leaky ReLU: one line", "tanh: two slopes")):
        figures.plot_chord_and_tangent(ax, z, f(z), at, f.gain(at), f.derivative(at))
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
        lines = figures.plot_singular_values(ax, dict(zip(("frozen gains", "true"), bases[tuple(sizes[0]), name])))
        ax.set_title(name)
    axes[1].set_ylabel("")
    figures.point_out(axes[0], "five are redundant,\nboth agree", (22.5, 3e-16), (0.5, 0.42))
    figures.point_out(axes[1], "true: all\n25 count", (22.5, 3e-3), (0.5, 0.6))
    figures.point_out(axes[1], "frozen: five too\nmany are zero", (22.5, 3e-16), (0.5, 0.3))
    fig.legend(handles=lines, loc="outside upper center", ncols=2)
    return fig
