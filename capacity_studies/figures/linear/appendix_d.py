"""Figures of the chapter linear/appendix-d."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["adapt", "counterexample"]


def adapt(a, weights, first_weights, ends_of):
    """What another parameter must be for the optimum to be attained, once one weight is fixed."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.2))
    with np.errstate(all="ignore"):
        other, square = 0.7 / weights, (a - 0.25) / (first_weights * (1 - first_weights))
        distance = np.where(np.isfinite(square), np.sqrt(square), np.nan if a != 0.25 else 0)
    figures.plot_adaptation(axes[0], weights, other, [(0, 0)], limits=(-3, 3))
    figures.plot_adaptation(axes[1], first_weights, distance, ends_of(a), limits=(-0.1, 2))
    axes[0].set(title="product", xlabel="fixed weight $w_2$", ylabel="$w_1$ that it needs")
    axes[1].set(title="recurrence", xlabel="fixed weight $w_1$", ylabel="distance of poles")
    return fig


def counterexample(values, lowest):
    """Lowest loss found for each value of the fixed weight in the counterexample; losses below 1e-34 are drawn
    there.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    figures.plot_fixed_weights(ax, values, np.maximum(lowest, 1e-34), (0, 1))
    return fig
