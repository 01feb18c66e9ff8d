"""Figures of the chapter layers/2-4-ends."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures, transition_matrix

__all__ = ["ends", "handed_down"]


def handed_down(angle, three, towards, two_rules):
    """Left: the capacity of each output of a pseudo-random layer goes to its inputs by squared weights. Right: what
    the inputs receive, and what they would in a linear layer.
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.4), width_ratios=[5, 4], layout="none")
    fig.subplots_adjust(left=0.01, right=0.99, bottom=0.2, top=0.97, wspace=0.28)
    figures.plot_handed_down(axes[0], transition_matrix(three), towards(angle)[:, 0] ** 2)
    figures.plot_rule_bars(axes[1], two_rules(angle))
    return fig


def ends(simulated, sample_sizes, rule, linear, errors, n):
    """Left: capacity per input of a pseudo-random layer with coloured inputs, simulated, by eq. 25 and by the rule for
    coloured inputs. Right: the error of the simulation against the number of samples.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9))
    last = np.array(simulated["coloured"][-1])
    curves = {
        r"the rule, $D_S\, \kappa'$": rule["coloured"],
        r"eq. 25, $D\, \kappa^\phi$": rule["white"],
        "linear layer": linear.spatial(),
    }
    figures.plot_ends(axes[0], curves, (last.mean(axis=0), last.std(axis=0)))
    figures.plot_convergence(axes[1], sample_sizes, errors)
    figures.legend_above(axes[0], ncols=2)
    figures.legend_above(axes[1], ncols=2)
    arrow = {"arrowstyle": "->", "color": "black"}
    axes[0].annotate(
        "the layer follows\nthe rule", (n - 1, rule["coloured"][n - 2]), (0.9, 1.75), va="center", arrowprops=arrow
    )
    axes[0].annotate(
        "eq. 25 does not\nsee the colour", (1.05, rule["white"][0] + 0.02), (0.9, 1.15), va="center", arrowprops=arrow
    )
    axes[1].text(0.06, 0.06, "four times the samples,\nhalf the error", transform=axes[1].transAxes)
    return fig
