"""Figures of the chapter layers/4-2-shattering."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import (
    COLORS,
    direct_labels,
    legend_above,
    plot_capacity_network,
    plot_decay,
    plot_profiles,
    point_out,
)
from capacity.figures.style import plain_log_ticks
from capacity.statistics import MeanCurve, autocorrelation

__all__ = ["correlation", "gradient_curves", "plot_gradient_curves", "return_figure", "spectra_figure", "straight_path"]


def gradient_curves(grid, curves):
    """Gradient of one random network along a line of inputs, scaled to its largest value."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.5), sharey=True)
    shown = ["shallow", "plain, 24 layers, normalised", r"residual, 50 layers, $\beta = 0.1$, normalised"]
    titles = ["1 layer", "24 plain layers", "50 residual layers"]
    for ax, name, title in zip(axes, shown, titles):
        plot_gradient_curves(ax, grid, curves[name][0], color=COLORS["model"], title=title)
        ax.set_ylim(-1.1, 1.6)
    _, plain, residual = (autocorrelation(curves[name], 1).mean[1] for name in shown)
    for ax, words, so in (
        (axes[0], "a staircase", True),
        (axes[1], "shattered: neighbours\nhave nothing in common", abs(plain) < 0.15),
        (axes[2], "neighbours\nstill agree", residual > 0.5),
    ):
        if so:
            ax.annotate(words, (0.5, 0.98), xycoords="axes fraction", ha="center", va="top")
    return fig


def straight_path(passed, shares, carried):
    """Five layers that each keep a share of the capacity of a position and hand the rest to its two neighbours; the
    width of a connection is the capacity that it carries, from the central output down.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    plot_capacity_network(ax, passed, shares)
    ax.set_xlim(-0.7, 17)
    point_out(ax, f"straight path:\n{carried:.2g} in the end", (6, 0.2), (0.85, 0.2), in_layout=False)
    others = f"{3 ** (len(passed) - 1) - 1} others\nshare the rest"
    ax.annotate(others, (0.85, 0.75), xycoords="axes fraction", ha="center", in_layout=False)
    return fig


def return_figure(depths, shares, uniform_profile, same):
    """Left: heaviest path and share that returns to its position, against depth, for uniform layers of three taps
    and for residual layers with shares 0.1, 0.8, 0.1. Right: profiles of 48 uniform and 160 residual layers.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.0))
    axes[0].set(xscale="log", yscale="log", ylim=(1e-12, 3), xlabel="layers (log scale)", ylabel="share (log scale)")
    plot_decay(axes[0], depths, shares)
    profiles = {"uniform, 48 layers": uniform_profile[24:73]}
    reference = {"reference": same[24:73], "reference_label": "residual, 160 layers"}
    plot_profiles(axes[1], np.arange(-24, 25), profiles, line=False, **reference)
    point_out(axes[0], "share that\nreturns", (150, 0.03), (0.8, 0.66))
    point_out(axes[0], "all light", (18, 3.0**-18), (0.52, 0.12))
    point_out(axes[0], "one heavy\npath", (50, 0.8**50), (0.82, 0.38))
    alike = np.abs(uniform_profile - same).max() < 0.05 * same.max()
    point_out(axes[1], "the same\nprofile", (5, same[len(same) // 2 + 5]), (0.85, 0.75), when=alike)
    for ax in axes:
        legend_above(ax)
    return fig


def spectra_figure(spectra, neighbours, references, names):
    """Left: autocorrelation of the gradient against the distance of the points. Right: its spectra."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.6))
    axes[0].set(xlabel="distance (grid points)", ylabel="autocorrelation")
    frequencies = spectra["white"][0].x
    axes[1].set(xscale="log", yscale="log", xlabel="cycles per grid point (log scale)", ylabel="power (log scale)")
    for ax, x, found in (
        (axes[0], np.arange(41), neighbours),
        (axes[1], frequencies, {n: s[0] for n, s in spectra.items()}),
    ):
        noise = {f"{name} noise": found[name].mean for name in references}
        lines = plot_decay(ax, x, {name: found[name].mean for name in names}, references=noise)
    plain_log_ticks(axes[1].xaxis)
    flattest = min(names, key=lambda name: abs(neighbours[name].mean[1]))
    at_once, (power, law) = abs(neighbours[flattest].mean[1]) < 0.1, spectra[flattest]
    point_out(axes[0], "shattered:\nzero at once", (1.3, 0.02), (0.36, 0.24), when=at_once)
    at = frequencies[1], power.mean[1]
    point_out(axes[1], "shattered:\nflat, as white noise", at, (0.33, 0.2), when=at_once and abs(law.exponent) < 0.2)
    fig.legend(handles=lines, loc="outside lower center", ncols=2)
    return fig


def correlation(theory, sampled):
    """Correlation of the gradients at two independent inputs against depth, for rectifiers: theory (lines) and
    sampled networks (points, with three standard errors), from ten layers on each tenth.
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.4))
    x = np.arange(1, 101)
    ax.set(xscale="log", yscale="log", xlim=(0.95, 105), ylim=(1e-3, 1.3))
    ax.set(xlabel="layers (log scale)", ylabel="correlation (log scale)")
    decays = {name: values[1:] for name, values in theory.items()}
    apart = {name: _where(curve, (curve.x <= 10) | (curve.x % 10 == 0)) for name, curve in sampled.items()}
    lines = plot_decay(ax, x, decays, apart, colors=["C0", "C4", "C5", "C1", "C3"])
    point_out(ax, "plain", (20, theory["plain"][20]), (0.58, 0.14))
    point_out(ax, "plain, normalised:\n$2^{-L}$", (7, 2.0**-7), (0.22, 0.2))
    point_out(ax, "a power law", (65, theory[r"residual, $\beta = 1$, normalised"][65]), (0.9, 0.42))
    residual = [line for line in lines if line.get_label().startswith("residual")]
    direct_labels(ax, residual, [line.get_label().replace("$, n", "$,\nn") for line in residual], spacing=0.12)
    return fig


def _where(curve, shown):
    """Return those points of a curve that are shown: on a logarithmic axis others would cover each other."""
    return MeanCurve(curve.x[shown], curve.mean[shown], curve.standard_error[shown])


def plot_gradient_curves(ax, grid, gradient, *, color, title):
    """Draw the gradient of one random network along a line of inputs, scaled to its largest size."""
    artists = ax.plot(grid, gradient / np.abs(gradient).max(), color=color, linewidth=0.8)
    ax.set(xlabel="input", ylabel="gradient / largest", ylim=(-1.1, 1.1), yticks=[-1, 0, 1])
    ax.label_outer()
    ax.set_title(title, weight="normal")
    return artists
