"""Figures of the chapter layers/3-2-deep-limits."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, plot_orders, plot_profiles, plot_propagation, point_out

__all__ = ["eq_31_many_hops", "orders_figure", "plot_centres", "random_drift", "scaling", "whole_network"]


def whole_network(falling, widths):
    """Capacity of one output on its way down, each row scaled to its maximum, with twice its standard deviation: with
    weak layers (left) and with layers that stay as strong (right).
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9), sharey=True)
    titles = (r"weak layers, $\epsilon = 1/L$", r"fixed layers, $\epsilon = 0.1$")
    words = ("two hops in all,\nwhatever the depth", "40 hops:\na diffusion")
    for ax, rows, width, title, text in zip(axes, falling, widths, titles, words):
        middle = rows.shape[1] // 2
        plot_propagation(ax, rows[:, middle - 24 : middle + 25], width)
        point_out(ax, text, (2 * width[90], 90), (0.8, 0.84))
        ax.set_title(title)
    axes[1].set(ylabel="")
    return fig


def eq_31_many_hops(exact, x, gaussian, excess):
    """Capacity from a single site after a mean number $at$ of hops to either side: exactly (blue, Skellam) and by
    the diffusion equation (dashed, Gaussian).
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.3))
    plot_profiles(ax, np.arange(-12, 13), {"exact": exact})
    ax.plot(x, gaussian, "--", color=COLORS["reference"], linewidth=1.2)
    ax.set(ylim=(-0.02, 0.36))
    point_out(ax, f"peak {100 * excess:.1f} % above\nthe Gaussian", (0.2, exact[12]), (0.8, 0.85))
    return fig


def scaling(central, skellam, wide, gaussians):
    """Capacity of the inputs from one output of a network of $L$ layers with equal rates."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9))
    x, far = np.arange(-8, 9), np.arange(-20, 21)
    lines = plot_profiles(axes[0], x, central, reference=gaussians[0][12:-12], crosses=skellam, log=True)
    axes[0].set(ylim=(1e-8, 30))
    wide_lines = plot_profiles(axes[1], far, wide, reference=gaussians)
    for ax, title, handles in zip(axes, (r"$\epsilon = 1/L$", r"$\epsilon = 0.1$"), (lines[:3], wide_lines[:3])):
        ax.set_title(title)
        ax.legend(handles=handles, loc="upper right")
    point_out(axes[0], "Gaussian:\ntails too low", (-6, gaussians[0][14]), (0.5, 0.22))
    deepest = list(central.values())[-1]
    meets = np.allclose(deepest, skellam, rtol=0.2)
    point_out(axes[0], "crosses, Skellam:\nthe limit", (-7, skellam[1]), (0.27, 0.86), when=meets)
    point_out(axes[1], "wider\nand wider", (9, wide["$L = 160$"][29]), (0.83, 0.45))
    return fig


def orders_figure(depths, gaps, gap_law, hops, peaks, peak_law, spacings, refined, refined_law):
    """Three limits, with fitted powers."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.4))
    plot_orders(axes[0], depths, gaps, law=gap_law)
    plot_orders(axes[1], hops, peaks, law=peak_law)
    plot_orders(axes[2], spacings, refined, law=refined_law)
    for ax, label in zip(axes, ("layers $L$ (log scale)", "hops $at$ (log scale)", "spacing $h$ (log scale)")):
        ax.set(xlabel=label)
    axes[0].set(ylabel="error (log scale)")
    off = abs(peaks[0] / peak_law(hops[0]) - 1) > 0.1
    point_out(axes[1], "few hops:\nnot yet $1/at$", (hops[0], peaks[0]), (0.35, 0.2), when=off)
    return fig


def random_drift(random_depths, shifts, widths, eps, relative, shift_law):
    r"""Networks of $L = 1 / \epsilon$ random residual layers."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    centres = {f"$L = {random_depths[i]}$": shifts[i] / widths[i] for i in sorted({0, len(eps) // 2, len(eps) - 1})}
    plot_centres(axes[0], centres)
    first, *_, last = centres.values()
    deepest, edges = np.histogram(last, bins_of(centres), density=True)
    at = (edges[np.argmax(deepest) + 1], 0.9 * deepest.max())
    point_out(axes[0], "deeper networks\nstay centred", at, (0.8, 0.75), when=last.std() < first.std() / 2)
    plot_orders(axes[1], eps, relative, law=shift_law)
    axes[1].set(xlabel=r"$\epsilon$ (log scale)", ylabel="shift / width (log scale)")
    return fig


def bins_of(centres):
    """Return the edges of the bins of distributions, the same for all and symmetric."""
    return np.linspace(-1, 1, 41) * max(np.abs(values).max() for values in centres.values())


def plot_centres(ax, centres):
    """Draw the distributions over networks of the centres of receptive fields, {name: centres}, as outlines."""
    artists, bins = [], bins_of(centres)
    for (name, values), color in zip(centres.items(), cycle(PALETTE)):
        artists += ax.hist(values, bins, density=True, histtype="step", color=color, label=name, linewidth=1.4)[2]
    ax.set(xlabel="centre / width", ylabel="density")
    ax.legend(loc="upper left", handlelength=1)
    return artists
