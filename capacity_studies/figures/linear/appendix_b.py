"""Figures of the chapter linear/appendix-b."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["figure_14", "prediction"]


def prediction(seen, weights_of, shown, noise_of):
    """Top: samples of the process, the prediction of the next one with its standard deviation, and what came."""
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(4.6, 3.3))
    mean = weights_of[seen] @ shown[16 - seen : 16]
    figures.plot_prediction(top, shown[:16], shown[16], mean, np.sqrt(noise_of[seen]))
    figures.point_out(top, "prediction", (16, mean), (0.78, 0.9))
    figures.point_out(top, "what came", (16, shown[16]), (0.78, 0.1))
    top.set(ylim=(-2.7, 2.7), xlabel="")
    bottom.bar(np.arange(16 - seen, 16), weights_of[seen], color=figures.COLORS["model"])
    figures.lag_axis(bottom, 16)
    figures.point_out(bottom, "the last sample counts most", (15, 0.45), (0.6, 0.85))
    if seen > 1:
        figures.point_out(bottom, "the oldest stands for\nall before it", (16 - seen, weights_of[seen][0]), (0.25, 0.5))
    bottom.set(xlim=top.get_xlim(), ylabel="weight", ylim=(0, 0.8))
    return fig


def figure_14(coefficients, size, coefficient_errors, implied, autocovariances, autocovariance_errors, n):
    """Figure 14 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 3.4))
    shown = {
        "coefficient": (coefficients[0], size, coefficient_errors[0]),
        "autocorrelation": (implied[0, 1:], autocovariances[1:], autocovariance_errors[0]),
    }
    for ax, (name, (model, target, error)) in zip(axes, shown.items()):
        lines = figures.plot_two_curves(ax, model, target, ylabel="", log=True)
        lines += figures.plot_difference(ax, error, ylabel=f"{name} (log scale)")
        ax.set_ylim(bottom=error.min() / 30)
    figures.point_out(axes[0], "turns up", (n - 1, size[-1]), (0.7, 0.9))
    figures.point_out(axes[0], "jumps from lag to lag", (n // 2, coefficient_errors[0][n // 2]), (0.6, 0.08))
    figures.point_out(axes[1], "lower at short lags", (4, autocovariance_errors[0][3]), (0.5, 0.08))
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig
