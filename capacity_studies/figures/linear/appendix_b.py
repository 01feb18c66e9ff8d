"""Figures of the chapter linear/appendix-b."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, lag_axis, point_out

__all__ = ["figure_14", "plot_difference", "plot_prediction", "plot_two_curves", "prediction"]


def prediction(seen, weights_of, shown, noise_of):
    """Top: samples of the process, the prediction of the next one with its standard deviation, and what came."""
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(4.6, 3.3))
    mean = weights_of[seen] @ shown[16 - seen : 16]
    plot_prediction(top, shown[:16], shown[16], mean, np.sqrt(noise_of[seen]))
    point_out(top, "prediction", (16, mean), (0.78, 0.9))
    point_out(top, "what came", (16, shown[16]), (0.78, 0.1))
    height = max(2.7, 1.1 * np.abs(shown).max())
    top.set(ylim=(-height, height), xlabel="")
    bottom.bar(np.arange(16 - seen, 16), weights_of[seen], color=COLORS["model"])
    lag_axis(bottom, 16)
    weights = weights_of[seen]
    most, more = np.abs(weights).argmax() == seen - 1, seen > 1 and weights[0] > weights[1]
    point_out(bottom, "the last sample counts most", (15, weights[-1]), (0.6, 0.85), when=most)
    point_out(bottom, "the oldest stands for\nall before it", (16 - seen, weights[0]), (0.25, 0.5), when=more)
    every = np.concatenate([*weights_of.values()])
    limits = min(0, 1.1 * every.min()), max(0.8, 1.1 * every.max())
    bottom.set(xlim=top.get_xlim(), ylabel="weight", ylim=limits)
    return fig


def figure_14(coefficients, size, coefficient_errors, implied, autocovariances, autocovariance_errors, n):
    """Figure 14 of paper 1."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 3.4))
    shown = {
        "coefficient": (coefficients[0], size, coefficient_errors[0]),
        "autocorrelation": (implied[0, 1:], autocovariances[1:], autocovariance_errors[0]),
    }
    for ax, (name, (model, target, error)) in zip(axes, shown.items()):
        lines = plot_two_curves(ax, model, target, ylabel="", log=True)
        lines += plot_difference(ax, error, ylabel=f"{name} (log scale)")
        ax.set_ylim(bottom=error.min() / 30)
    one, two = coefficient_errors[0], autocovariance_errors[0]
    point_out(axes[0], "turns up", (n - 1, size[-1]), (0.7, 0.9), when=size[-1] > size[-2])
    jumps = np.median(np.abs(np.diff(np.log10(np.abs(one))))) > 0.1
    point_out(axes[0], "jumps from lag to lag", (n // 2, one[n // 2]), (0.6, 0.08), when=jumps)
    lower = np.abs(two[:4]).mean() < np.abs(two).mean()
    point_out(axes[1], "lower at short lags", (4, two[3]), (0.5, 0.08), when=lower)
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def plot_prediction(ax, past, following, mean, deviation):
    """Draw samples of a process, the prediction of the next one with its standard deviation, and what came.

    Parameters
    ----------
    ax : Axes
    past : ndarray, shape (n,)
        The oldest sample first; on the axis stand their lags.
    following : float
        The sample after them, an empty circle.
    mean, deviation : float
        Of that sample, given the past.
    """
    n = len(past)
    artists = ax.plot(np.arange(n), past, "o-", color=COLORS["reference"], linewidth=0.8, label="past")
    artists += ax.plot(n, following, "o", color=COLORS["reference"], fillstyle="none", markersize=6, label="next")
    artists += ax.errorbar(n, mean, deviation, fmt="s", color=COLORS["model"], capsize=4, label="prediction").lines[:1]
    lag_axis(ax, n)
    ax.set(xlim=(-0.7, n + 0.7), ylabel="sample")
    return artists


def plot_two_curves(ax, model, target, *, ylabel, log=False):
    """Draw a quantity of the model over the same of the target, against the lag (Figure 14)."""
    lags = np.arange(1, len(target) + 1)
    lines = ax.plot(lags, target, color=COLORS["target"], linewidth=3, alpha=0.5, label="target")
    lines += ax.plot(lags, model, color=COLORS["model"], label="model")
    ax.set(xlabel="lag (samples)", ylabel=ylabel)
    if log:
        ax.set_yscale("log")
    return lines


def plot_difference(ax, difference, *, ylabel):
    """Draw the size of a difference against the lag, on a logarithmic axis (Figure 14)."""
    lines = ax.plot(np.arange(1, len(difference) + 1), np.abs(difference), color=COLORS["error"], label="difference")
    ax.set(xlabel="lag (samples)", ylabel=ylabel, yscale="log")
    return lines
