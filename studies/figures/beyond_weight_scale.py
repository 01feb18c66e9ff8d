"""Figures of the chapter beyond/weight-scale."""

from matplotlib import pyplot as plt

from capacity.depth import walk_kernel
from capacity.statistics import fit_power_law
from studies import figures
from studies.weight_scale import branch_share

__all__ = ["channels", "scale"]


def scale(p, around, stencil, depths, sites, limit, x, straight):
    """Residual layers whose branches are scaled by $L^{-p}$."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.4), width_ratios=[5, 4])
    profiles = {f"$L = {L}$": around(walk_kernel(stencil, branch_share(L, p), L)) for L in depths}
    figures.plot_profiles(axes[0], sites, profiles, reference=limit, reference_label="limit")
    figures.plot_highlighted(axes[1], x, straight, f"$p = {p:g}$")
    axes[0].set(ylim=(-0.03, 1.05), title="where capacity arrives")
    axes[1].set(ylim=(-0.05, 1.05), title="straight path")
    axes[0].legend(loc="upper right", handlelength=1, borderpad=0.1)
    fig.get_layout_engine().execute(fig)
    fig.set_layout_engine("none")  # the panels keep their places
    return fig


def channels(rule, counts, variance, single, scatter):
    """Residual networks of 32 layers with $c$ channels."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.6))
    colors = ["C3", "C0", "C2"]
    laws = {f"$p = {p:g}$": [rule[p, c] for c in counts] for p in (0.25, 0.5, 0.75)}
    lines = figures.plot_decay(axes[0], counts, laws, colors=colors)
    for p, color in zip((0.25, 0.5, 0.75), colors):
        axes[0].plot(counts, [variance[p, c] for c in counts], "o", color=color)
    axes[0].set(xscale="log", yscale="log", xlabel="channels (log scale)", ylabel="variance (log scale)")
    axes[0].set_xticks(counts, counts)
    axes[0].minorticks_off()
    figures.direct_labels(axes[0], lines)
    figures.plot_orders(axes[1], list(single), scatter, law=fit_power_law(list(single), scatter))
    axes[1].set(xlabel="channels (log scale)", ylabel="scatter (log scale)")
    return fig
