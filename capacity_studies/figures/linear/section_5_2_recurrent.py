"""Figures of the chapter linear/5-2-recurrent."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["certified_figure", "figure_9", "figure_10", "figure_11", "poles_figure"]


def figure_9(z, budget):
    """Figure 9 of paper 1, with a pole within the unit circle."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 3.5), height_ratios=[1.4, 1])
    back, last = 3, len(budget) - 1
    figures.plot_recurrence(axes[0], len(budget), back=back)
    axes[0].set_title(f"{back} steps back: weight ${z}^{back}$ = {z**back:.3g}")
    figures.plot_budget(axes[1], budget, figures.COLORS["capacity"], [(1, "most for the last")])
    axes[1].bar(last - back, budget[last - back], fill=False, width=1, edgecolor=figures.COLORS["model"], linewidth=1.8)
    axes[1].set(xlim=axes[0].get_xlim(), ylabel="capacity\nper input")
    return fig


def figure_10(fits, channel_counts, models, exact, n, totals, few, better, losses, reference):
    """Figure 10 of paper 1; losses below 1e-16 are drawn there."""
    reference = max(reference, 1e-16)
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.9))
    spread = [(fits[c].restarts.min(), fits[c].restarts.max()) for c in channel_counts]
    parameters = [models[c].n_parameters for c in channel_counts]
    figures.plot_totals(axes[0], channel_counts, parameters, exact, n)
    axes[0].plot(channel_counts, totals, "kx", label="numerical rank", zorder=3)
    figures.plot_losses(
        axes[1], few, [better[c].loss for c in few], label="variable projection", style="^:", color="black"
    )
    figures.plot_losses(axes[1], channel_counts, losses, reference=reference, spread=spread, label="L-BFGS-B")
    figures.plot_losses_against_size(axes[2], parameters, totals, losses, reference=reference)
    axes[2].lines[1].set_label("against rank")
    axes[2].set_xlabel("$p$ or rank (log scale)")
    for ax in axes:
        figures.legend_above(ax)
    figures.point_out(axes[0], "full", (min(n // 2, channel_counts[-1]), n), (0.2, 0.8))
    fifth = min(4, len(totals) - 1)
    figures.point_out(axes[0], "rounding\nhides the rest", (channel_counts[fifth], totals[fifth]), (0.63, 0.12))
    figures.point_out(axes[1], "L-BFGS-B\ngets stuck", (channel_counts[-1], losses[-1]), (0.72, 0.4))
    figures.point_out(axes[2], "rank grows,\nloss does not", (totals[fifth], losses[fifth]), (0.4, 0.5))
    return fig


def certified_figure(double, certified, n):
    """Singular values of the Jacobian of the recurrent model with $n/2$ channels at random parameters: in double
    precision, and certified in ball arithmetic with 250 digits.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    figures.plot_extended_spectrum(ax, double / double[0], certified.values / certified.values[0])
    end = 7 * n // 10
    figures.point_out(ax, "double precision ends here", (end + 1, double[end] / double[0]), (0.75, 0.8))
    figures.point_out(ax, "none of them is zero", (n, certified.values[-1] / certified.values[0]), (0.7, 0.2))
    return fig


def figure_11(covariance, small_spaces, spatial, few, lag, tail, law, n):
    """Figure 11 of paper 1."""
    eigenvectors = np.linalg.eigh(covariance)[1][:, ::-1]
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 3.0), width_ratios=[3, 4, 4])
    figures.plot_spectra(axes[0], small_spaces)
    lines = figures.plot_on_log_lags(axes[1], spatial, labels={c: figures.channel_label(c) for c in few})
    cut = axes[0].lines[-1].get_ydata()[0]
    axes[0].annotate("cut: noise", (0.05, cut), xycoords=("axes fraction", "data"), va="bottom")
    axes[1].plot(lag[tail], law(lag[tail]), "k:")
    axes[1].set(yscale="log", ylabel="capacity per input (log scale)")
    figures.point_out(axes[1], "the oldest\nrise again", (n, spatial[8][0]), (0.4, 0.9))
    figures.point_out(axes[1], "power law", (24, law(24)), (0.45, 0.1))
    axes[1].set_ylim(top=8)
    along = {c: space.along(eigenvectors) for c, space in small_spaces.items()}
    figures.plot_strips(axes[2], along, kind="component", labels=[f"{c} ch." for c in along])
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig


def poles_figure(poles, bounded_poles):
    """Poles of the fitted models."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.4), sharey=True)
    figures.plot_poles(axes[0], {c: values[np.abs(values) < 2] for c, values in poles.items()})
    figures.plot_poles(axes[1], bounded_poles)
    figures.point_out(axes[0], "beyond 1:\nlooks at the\noldest inputs", (poles[4].max(), 2), (0.84, 0.15))
    axes[0].set_title("free")
    axes[1].set(title="bounded", ylabel="", xlim=axes[0].get_xlim())
    return fig
