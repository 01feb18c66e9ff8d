"""Figures of the chapter layers/2-4-ends."""

from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity import transition_matrix
from capacity.figures import COLORS, PALETTE, legend_above, point_out, tints
from capacity.figures.style import log_ticks, readable
from capacity_studies.figures.strokes import plot_handed_down

__all__ = ["ends", "handed_down", "plot_convergence", "plot_ends", "plot_rule_bars"]


def handed_down(angle, three, towards, two_rules):
    """Left: the capacity of each output of a pseudo-random layer goes to its inputs by squared weights. Right: what
    the inputs receive, and what they would in a linear layer.
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.4), width_ratios=[5, 4], layout="none")
    fig.subplots_adjust(left=0.01, right=0.99, bottom=0.2, top=0.97, wspace=0.28)
    plot_handed_down(axes[0], transition_matrix(three), towards(angle)[:, 0] ** 2)
    plot_rule_bars(axes[1], two_rules(angle))
    return fig


def ends(simulated, sample_sizes, rule, linear, errors, n):
    """Left: capacity per input of a pseudo-random layer with coloured inputs, simulated, by eq. 25 and by the rule for
    coloured inputs. Right: the error of the simulation against the number of samples.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.9))
    last = np.array(simulated["coloured"][-1])
    curves = {
        r"the rule, $D_S\, \kappa'$": rule["coloured"],
        r"eq. 25, $D\, \kappa^\phi$": rule["white"],
        "linear layer": linear.spatial(),
    }
    plot_ends(axes[0], curves, (last.mean(axis=0), last.std(axis=0)))
    plot_convergence(axes[1], sample_sizes, errors)
    legend_above(axes[0], ncols=2)
    legend_above(axes[1], ncols=2)
    axes[0].set_ylim(0, 1.6 * max(curve.max() for curve in curves.values()))
    follows = np.abs(last.mean(axis=0) - rule["coloured"]).max() < np.abs(last.mean(axis=0) - rule["white"]).max()
    at = (n - 1, rule["coloured"][n - 2])
    point_out(axes[0], "the layer follows\nthe rule", at, (0.03, 0.9), ha="left", when=follows)
    at = (1.05, rule["white"][0] + 0.02)
    point_out(axes[0], "eq. 25 does not\nsee the colour", at, (0.03, 0.66), ha="left", when=follows)
    slopes = np.polyfit(np.log(sample_sizes), np.log(np.transpose([*errors.values()])), 1)[0]
    if np.abs(slopes + 0.5).max() < 0.15:
        axes[1].text(0.06, 0.06, "four times the samples,\nhalf the error", transform=axes[1].transAxes)
    return fig


def plot_ends(ax, allocations, samples=None):
    """Draw the capacity of each input by several rules, and that of a simulated layer.

    Parameters
    ----------
    ax : Axes
    allocations : dict of str to ndarray, shape (n,)
    samples : tuple, optional
        (means, standard deviations) of simulated layers, drawn as points with bars.
    """
    artists = []
    for (name, values), color, style in zip(
        allocations.items(), tints("capacity", len(allocations)), cycle(("-", "--", ":"))
    ):
        at = np.arange(1, len(values) + 1)
        artists += ax.plot(at, values, linestyle=style, drawstyle="steps-mid", color=color, label=name)
    if samples is not None:
        mean, deviation = samples
        artists.append(ax.errorbar(at, mean, yerr=deviation, fmt="o", color="black", capsize=2, label="simulated"))
    ax.set(xlabel="input", ylabel="capacity per input", xticks=at[:: -(-len(at) // 14)], ylim=(0, None))
    return artists


def plot_convergence(ax, samples, errors):
    """Draw the error of simulated capacities against the number of samples, log-log, with a line of slope -1/2."""
    lines = []
    for (name, values), color, marker in zip(errors.items(), cycle(PALETTE), cycle("os^")):
        lines += ax.plot(samples, values, f"{marker}-", color=color, label=name)
    guide = values[0] * np.sqrt(samples[0] / np.asarray(samples, dtype=float))
    lines += ax.plot(samples, guide / 3, ":", color=COLORS["reference"], label="slope $-1/2$")
    exponents = np.log10(np.concatenate([guide / 3, *errors.values()]))
    limits = (10 ** np.floor(exponents.min()), 10 ** np.ceil(exponents.max()))
    ax.set(
        xscale="log", yscale="log", ylim=limits, xlabel="samples (log scale)", ylabel="error of a capacity (log scale)"
    )
    log_ticks(ax.xaxis, samples)
    ax.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())  # where there is room for decades only
    return lines


def plot_rule_bars(ax, allocations):
    """Draw the capacity of each of a few inputs by two rules {name: capacities}, side by side, with their names."""
    bars, index = [], np.arange(1, len(next(iter(allocations.values()))) + 1)
    for k, ((name, values), color) in enumerate(zip(allocations.items(), tints("capacity", 2))):
        bars += ax.bar(index + 0.4 * k - 0.2, values, width=0.36, color=color)
        ax.text(0.02, 0.98 - 0.11 * k, name, transform=ax.transAxes, color=readable(color), va="top")
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, 1.25), xticks=index, yticks=[0, 0.5, 1])
    ax.grid(axis="x", visible=False)
    return bars
