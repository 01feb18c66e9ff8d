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
    fig, axes = plt.subplots(2, 3, figsize=(6.9, 4.4))
    lines = figures.plot_two_curves(axes[0, 0], coefficients[0], size, ylabel="coefficient (log scale)", log=True)
    figures.plot_difference(axes[0, 1], coefficient_errors[0], ylabel="absolute error (log scale)")
    figures.plot_difference(axes[0, 2], coefficient_errors[0] / size, ylabel="relative error (log scale)")
    figures.plot_two_curves(axes[1, 0], implied[0, 1:], autocovariances[1:], ylabel="autocorrelation")
    figures.plot_difference(axes[1, 1], autocovariance_errors[0], ylabel="absolute error (log scale)")
    figures.plot_difference(
        axes[1, 2], autocovariance_errors[0] / autocovariances[1:], ylabel="relative error (log scale)"
    )
    figures.point_out(axes[0, 0], "turns up", (n - 1, size[-1]), (0.7, 0.5))
    figures.point_out(axes[0, 1], "jumps from\nlag to lag", (n // 2, coefficient_errors[0][n // 2]), (0.6, 0.12))
    figures.point_out(axes[1, 1], "lower at\nshort lags", (4, autocovariance_errors[0][3]), (0.55, 0.12))
    for ax, drawn in zip(axes[:, 1], (coefficient_errors, autocovariance_errors)):
        ax.set_ylim(bottom=drawn[0].min() / 30)
    fig.legend(handles=lines, loc="outside upper center", ncols=2)
    return fig
