"""Figures of the chapter layers/3-2-deep-limits."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.depth import gaussian_kernel, jump_kernel
from capacity.statistics import fit_power_law

__all__ = ["eq_31_many_hops", "orders_figure", "random_drift", "scaling"]


def eq_31_many_hops(at, peaks, hops):
    """Capacity from a single site after a mean number $at$ of hops to either side: exactly (blue, Skellam) and by
    the diffusion equation (dashed, Gaussian).
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.3))
    x, curve = np.arange(-12, 13), np.linspace(-12, 12, 97)
    figures.plot_profiles(ax, x, {"exact": jump_kernel([1, -2, 1], at, 12)})
    ax.plot(curve, gaussian_kernel(curve, at, 0, 1.0), "--", color="#444444", linewidth=1.2)
    ax.set(ylim=(-0.02, 0.36))
    excess = peaks[list(hops).index(at)]
    figures.point_out(
        ax, f"peak {100 * excess:.1f} % above\nthe Gaussian", (0.2, jump_kernel([1, -2, 1], at, 0)[0]), (0.8, 0.85)
    )
    return fig


def scaling(central, wide):
    """Capacity of the inputs from one output of a network of $L$ layers with equal rates."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9))
    x, far = np.arange(-8, 9), np.arange(-20, 21)
    gaussians = [gaussian_kernel(far, at, 0, 1.0) for at in (1, 4, 16)]
    skellam = jump_kernel([1, -2, 1], 1.0, 8)
    lines = figures.plot_profiles(axes[0], x, central, reference=gaussians[0][12:-12], crosses=skellam, log=True)
    axes[0].set(ylim=(1e-8, 30))
    wide_lines = figures.plot_profiles(axes[1], far, wide, reference=gaussians)
    for ax, title, handles in zip(axes, (r"$\epsilon = 1/L$", r"$\epsilon = 0.1$"), (lines[:3], wide_lines[:3])):
        ax.set_title(title)
        ax.legend(handles=handles, loc="upper right")
    figures.point_out(axes[0], "Gaussian:\ntails too low", (-6, gaussians[0][14]), (0.5, 0.22))
    figures.point_out(axes[1], "wider\nand wider", (9, wide["$L = 160$"][29]), (0.83, 0.45))
    return fig


def orders_figure(depths, gaps, hops, peaks, peak_law, spacings, refined, refined_law):
    """Three limits, with fitted powers."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.4))
    figures.plot_orders(axes[0], depths, gaps[:, 1], law=fit_power_law(depths, gaps[:, 1]))
    figures.plot_orders(axes[1], hops, peaks, law=peak_law)
    figures.plot_orders(axes[2], spacings, refined, law=refined_law)
    for ax, label in zip(axes, ("layers $L$ (log scale)", "hops $at$ (log scale)", "spacing $h$ (log scale)")):
        ax.set(xlabel=label)
    axes[0].set(ylabel="error (log scale)")
    figures.point_out(axes[1], "few hops:\nnot yet $1/at$", (hops[0], peaks[0]), (0.35, 0.2))
    return fig


def random_drift(random_depths, shifts, widths, eps, relative, shift_law):
    r"""Networks of $L = 1 / \epsilon$ random residual layers."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    figures.plot_centres(axes[0], {f"$L = {random_depths[i]}$": shifts[i] / widths[i] for i in (0, len(eps) // 2, -1)})
    figures.point_out(axes[0], "deeper networks\nstay centred", (0.08, 2.5), (0.8, 0.75))
    figures.plot_orders(axes[1], eps, relative, law=shift_law)
    axes[1].set(xlabel=r"$\epsilon$ (log scale)", ylabel="shift / width (log scale)")
    return fig
