"""Figures of the chapter linear/5-2-recurrent."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import (
    COLORS,
    PALETTE,
    channel_label,
    legend_above,
    plot_budget,
    plot_losses,
    plot_losses_against_size,
    plot_on_log_lags,
    plot_spectra,
    plot_strips,
    plot_totals,
    point_out,
)
from capacity.figures.style import frameless
from capacity_studies.figures.strokes import height_of_words

__all__ = [
    "certified_figure",
    "figure_9",
    "figure_10",
    "figure_11",
    "plot_extended_spectrum",
    "plot_poles",
    "plot_recurrence",
    "poles_figure",
]


def figure_9(z, budget):
    """Figure 9 of paper 1, with a pole within the unit circle."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 3.5), height_ratios=[1.4, 1])
    back, last = 3, len(budget) - 1
    plot_recurrence(axes[0], len(budget), back=back)
    axes[0].set_title(f"lag {back + 1}: weight ${z}^{back}$ = {z**back:.3g}")
    plot_budget(axes[1], budget, COLORS["capacity"], [(1, "most for the last")])
    axes[1].bar(last - back, budget[last - back], fill=False, width=1, edgecolor=COLORS["model"], linewidth=1.8)
    axes[1].set(xlim=axes[0].get_xlim(), ylabel="capacity\nper input")
    return fig


def figure_10(fits, channel_counts, models, exact, n, totals, few, better, losses, reference):
    """Figure 10 of paper 1; losses below 1e-16 are drawn there."""
    reference = max(reference, 1e-16)
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 2.9))
    spread = [(fits[c].restarts.min(), fits[c].restarts.max()) for c in channel_counts]
    parameters = [models[c].n_parameters for c in channel_counts]
    plot_totals(axes[0], channel_counts, parameters, exact, n)
    axes[0].plot(channel_counts, totals, "kx", label="numerical rank", zorder=3)
    plot_losses(axes[1], few, [better[c].loss for c in few], label="variable projection", style="^:", color="black")
    plot_losses(axes[1], channel_counts, losses, reference=reference, spread=spread, label="L-BFGS-B")
    plot_losses_against_size(axes[2], parameters, totals, losses, reference=reference)
    axes[2].lines[1].set_label("against rank")
    axes[2].set_xlabel("$p$ or rank (log scale)")
    for ax in axes:
        legend_above(ax)
    if n in exact:
        point_out(axes[0], "full", (channel_counts[exact.index(n)], n), (0.2, 0.8))
    fifth = min(4, len(totals) - 1)
    at, hidden = (channel_counts[fifth], totals[fifth]), totals[fifth] < exact[fifth]
    point_out(axes[0], "rounding\nhides the rest", at, (0.63, 0.12), when=hidden)
    stuck = losses[-1] > 10 * better[few[-1]].loss
    at = channel_counts[-1], losses[-1]
    point_out(axes[1], "L-BFGS-B\ngets stuck", at, (0.75, height_of_words(axes[1], at)), when=stuck)
    level = totals[fifth] < max(totals) and losses[-1] > losses[fifth] / 2
    point_out(axes[2], "rank grows,\nloss does not", (totals[fifth], losses[fifth]), (0.4, 0.5), when=level)
    return fig


def certified_figure(double, certified, n):
    """Singular values of the Jacobian of the recurrent model with $n/2$ channels at random parameters: in double
    precision, and certified in ball arithmetic with 250 digits.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    plot_extended_spectrum(ax, double / double[0], certified.values / certified.values[0])
    wrong = double > 2 * np.array(certified.values[: len(double)], float)
    end = int(np.argmax(wrong))
    at = end + 1, double[end] / double[0]
    point_out(ax, "double precision ends here", at, (0.75, 0.8), when=wrong.any())
    at = n, certified.values[-1] / certified.values[0]
    point_out(ax, "none of them is zero", at, (0.7, 0.2), when=certified.rank == n)
    return fig


def figure_11(covariance, small_spaces, spatial, few, lag, tail, law, n):
    """Figure 11 of paper 1."""
    eigenvectors = np.linalg.eigh(covariance)[1][:, ::-1]
    fig, axes = plt.subplots(1, 3, figsize=(6.9, 3.0), width_ratios=[3, 4, 4])
    plot_spectra(axes[0], small_spaces)
    lines = plot_on_log_lags(axes[1], spatial, labels={c: channel_label(c) for c in few})
    cut = axes[0].lines[-1].get_ydata()[0]
    axes[0].annotate("cut: noise", (0.05, cut), xycoords=("axes fraction", "data"), va="bottom")
    axes[1].plot(lag[tail], law(lag[tail]), "k:")
    axes[1].set(yscale="log", ylabel="capacity per input (log scale)")
    oldest = spatial[8]
    point_out(axes[1], "the oldest\nrise again", (n, oldest[0]), (0.4, 0.9), when=oldest[0] > 1.2 * oldest.min())
    middle = float(np.median(lag[tail]))
    point_out(axes[1], "power law", (middle, law(middle)), (0.45, 0.1))
    axes[1].set_ylim(top=8)
    along = {c: space.along(eigenvectors) for c, space in small_spaces.items()}
    plot_strips(axes[2], along, kind="component", labels=[f"{c} ch." for c in along])
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig


def poles_figure(poles, bounded_poles):
    """Poles of the fitted models."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.4), sharey=True)
    shown = {c: values[np.abs(values) < 2] for c, values in poles.items()}
    plot_poles(axes[0], shown)
    plot_poles(axes[1], bounded_poles)
    outside = max(shown[4], default=0)
    at = (outside, list(shown).index(4))
    point_out(axes[0], "beyond 1:\nlooks at the\noldest inputs", at, (0.84, 0.15), when=outside > 1)
    axes[0].set_title("without bounds")
    axes[1].set(title="bounded to the stable interval", ylabel="", xlim=axes[0].get_xlim())
    return fig


def plot_recurrence(ax, steps, *, back=None):
    """Draw a diagonal recurrence unrolled over some steps (Figure 9).

    Parameters
    ----------
    ax : Axes
    steps : int
        Number of inputs drawn, the most recent on the right.
    back : int, optional
        Whose way to the prediction stands out: the input so many steps before the last.
    """
    arrow = {"arrowstyle": "-|>", "shrinkA": 8, "shrinkB": 8, "color": COLORS["reference"]}
    thick = arrow | {"color": COLORS["model"], "linewidth": 3}
    last, artists = steps - 1, []
    start = steps if back is None else last - back
    for step in range(steps):
        artists += ax.plot([step, step], [0, 1], "o", color=COLORS["reference"], markersize=8, zorder=3)
        artists += ax.plot(step, 0, "o", color=PALETTE[0], markersize=8, zorder=4)
        artists.append(ax.annotate("", (step, 1), (step, 0), arrowprops=thick if step == start else arrow))
        if step:
            artists.append(ax.annotate("", (step, 1), (step - 1, 1), arrowprops=thick if step > start else arrow))
    artists += ax.plot(last, 2, "o", color=PALETTE[0], markersize=8)
    artists.append(ax.annotate("", (last, 2), (last, 1), arrowprops=arrow if back is None else thick))
    ax.text(last + 0.12, 0.5, r"$W^{(\mathrm{in})}$", va="center")
    ax.text(last - 0.5, 1.12, r"$W^{(\mathrm{rec})}$", ha="center", va="bottom")
    ax.text(last + 0.12, 1.5, r"$W^{(\mathrm{out})}$", va="center")
    ax.set_yticks([0, 1, 2], ["input", "hidden layer, $c$ channels", "prediction"])
    ax.set_xticks([0, last], [f"lag {steps}", "lag 1"])
    ax.set(xlim=(-0.4, last + 0.7), ylim=(-0.4, 2.3))
    frameless(ax)
    return artists


def plot_extended_spectrum(ax, double, certified):
    """Draw singular values in double precision over those that were certified."""
    lines = ax.plot(np.arange(1, len(certified) + 1), certified, "o", color=COLORS["target"], label="certified")
    lines += ax.plot(np.arange(1, len(double) + 1), double, "x", color=COLORS["reference"], label="double precision")
    ax.set(xlabel="rank of the singular value", ylabel="value / largest (log scale)", yscale="log")
    ax.legend(loc="lower left")
    return lines


def plot_poles(ax, poles):
    """Draw the poles of fitted recurrences {channels: poles} on the real line, one row per model."""
    artists = [ax.axvspan(-1, 1, color="#eeeeee", zorder=0)]
    for row, values in enumerate(poles.values()):
        artists += ax.plot(
            values, np.full(len(values), row), "|", color=COLORS["model"], markersize=14, markeredgewidth=1.6
        )
    ax.set_yticks(range(len(poles)), [str(channels) for channels in poles])
    ax.set(xlabel="pole $W^{(\\mathrm{rec})}$ (shaded: stable)", ylabel="channels", ylim=(-0.6, len(poles) - 0.4))
    ax.grid(axis="y", visible=False)
    return artists
