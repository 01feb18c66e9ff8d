"""Plots of paper 2, Section 2 and Appendix A: each takes axes and results, draws, and returns the artists."""

from itertools import cycle

import matplotlib as mpl
import numpy as np

from capacity.figures.style import COLORS, PALETTE, SHADES, SIGNS, frameless, readable, tints, with_minus

__all__ = [
    "plot_block_errors",
    "plot_chord_and_tangent",
    "plot_convergence",
    "plot_copies",
    "plot_coupled_copies",
    "plot_coupling_curves",
    "plot_coupling_scale",
    "plot_covariance_blocks",
    "plot_ends",
    "plot_interpolation",
    "plot_kink",
    "plot_positions",
    "plot_rule_bars",
    "plot_rules",
    "plot_scatter_of_copies",
    "plot_singular_values",
    "plot_way",
]

FEATURE_COLORS = {"random": PALETTE[0], "smooth": PALETTE[2], "local": PALETTE[3]}
_DARK, _LIGHT = tints("capacity", 2)
RULE_COLORS = (_DARK, _LIGHT, COLORS["capacity"], COLORS["capacity"])  # pseudo-random, linear, and what lies between


def plot_copies(ax, copies, *, vmax=None):
    """Draw the capacity of each input in each of its copies, with the sum over the copies beside each row."""
    n, m = copies.shape
    image = ax.imshow(copies, cmap=SHADES["capacity"], vmin=0, vmax=vmax, aspect="auto")
    artists = [image]
    for (i, j), value in np.ndenumerate(copies):
        dark = value > 0.6 * (vmax or copies.max())
        artists += [ax.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if dark else "black")]
    for i, total in enumerate(copies.sum(axis=1)):
        artists += [ax.text(m - 0.35, i, f"{total:.2f}", va="center", color=COLORS["capacity"], weight="bold")]
    artists += [ax.text(m - 0.35, -0.75, "sum", va="center", color=COLORS["capacity"], weight="bold")]
    ax.set_xticks(range(m), [rf"$\eta_{j + 1}$" for j in range(m)])
    ax.set_yticks(range(n), [f"$y_{i + 1}$" for i in range(n)])
    ax.set(xlabel="copy", ylabel="input")
    ax.grid(visible=False)
    ax.tick_params(length=0)
    return artists


def plot_scatter_of_copies(ax, first, second, *, limit=3.0):
    """Draw one input in two copies against each other, one point per sample (Figure 2)."""
    points = ax.plot(first, second, ".", color=COLORS["model"], markersize=1.5, alpha=0.5)
    ticks = [-2, 0, 2]
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit), xticks=ticks, yticks=ticks, aspect="equal")
    ax.set(xlabel=r"$\eta_1 y_1$", ylabel=r"$\eta_2 y_1$")
    return points


def plot_coupled_copies(ax, alike, unlike, coupling, *, limit=4.0):
    """Draw one input in two copies against each other, and the line whose slope is their coupling (eq. 13).

    Parameters
    ----------
    ax : Axes
    alike, unlike : ndarray, shape (k, 2)
        The input in the first and in the second copy, for samples whose two gains are the same, and for the others.
    coupling : float
        The slope with which the second copy regresses on the first.
    limit : float, optional
        Where the axes end.
    """
    ends, line = np.array([-limit, limit]), COLORS["reference"]
    artists = ax.plot(*np.transpose(unlike), ".", color=PALETTE[1], markersize=3)
    artists += ax.plot(*np.transpose(alike), ".", color=PALETTE[0], markersize=3)
    artists += ax.plot(ends, coupling * ends, color=line, linewidth=1.6)
    artists += [
        ax.text(-0.94 * limit, 0.92 * limit, "equal gains", color=PALETTE[0], va="top"),
        ax.text(0.94 * limit, -0.92 * limit, "unequal gains", color=readable(PALETTE[1]), ha="right"),
        ax.set_title(rf"slope of the line $\nu$ = {coupling:.2f}", color=readable(line), fontweight="normal"),
    ]
    ticks = [-limit / 2, 0, limit / 2]
    ax.set(xlim=tuple(ends), ylim=tuple(ends), xticks=ticks, yticks=ticks, aspect="equal")
    ax.set(xlabel=r"$\eta_1 y$", ylabel=r"$\eta_2 y$")
    return artists


def plot_covariance_blocks(ax, covariance, outputs):
    """Draw a covariance of augmented inputs, green for positive and violet for negative, with lines between its blocks.

    Parameters
    ----------
    ax : Axes
    covariance : ndarray, shape (n m, n m)
        Of variables with a variance of about 1, so that all such figures share one scale.
    outputs : int
        Number m of blocks per side.
    """
    image = ax.imshow(covariance, cmap=SIGNS, vmin=-1, vmax=1, interpolation="nearest")
    size = len(covariance) // outputs
    for edge in np.arange(1, outputs) * size - 0.5:
        ax.axhline(edge, color="black", linewidth=0.6)
        ax.axvline(edge, color="black", linewidth=0.6)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(True)
    ax.set(xticks=[], yticks=[])
    return [image]


def plot_coupling_scale(ax, exact, sampled):
    """Draw the coupling of each activation: rings and numbers for exact values, points for samples (Figure 3).

    Parameters
    ----------
    ax : Axes
    exact : dict of str to float
        Coupling by the activation's name.
    sampled : dict of str to (float, float)
        Estimate and standard error; bars are two standard errors.
    """
    names = sorted(exact, key=lambda name: (-exact[name], name == "pseudo-random"))
    height = np.arange(len(names))[::-1]
    rings = ax.plot([exact[name] for name in names], height, "o", markersize=8, markerfacecolor="none", color="black")
    estimate, error = np.transpose([sampled[name] for name in names])
    points = ax.errorbar(estimate, height, xerr=2 * error, fmt=".", color=COLORS["model"], capsize=2)
    ax.set_yticks(height, [name.replace("(-", "(\N{MINUS SIGN}") for name in names])
    ax.set(xlim=(1.04, -0.04), ylim=(-0.7, len(names) - 0.3), xlabel=r"coupling $\nu$ (decoupling grows to the right)")
    numbers = []
    for name, at in zip(names, height):
        beside = {"xytext": (-9, 0), "ha": "right"} if exact[name] < 0.15 else {"xytext": (9, 0), "ha": "left"}
        place = {"textcoords": "offset points", "va": "center"} | beside
        numbers.append(ax.annotate(f"{exact[name]:.3f}", (exact[name], at), **place))
    return [*rings, points, *numbers]


def plot_coupling_curves(ax, parameter, curves, points=None):
    """Draw couplings against a parameter of the activation.

    Parameters
    ----------
    ax : Axes
    parameter : ndarray, shape (k,)
    curves : dict of str to ndarray, shape (k,)
        Closed forms, by name.
    points : tuple, optional
        (parameters, estimates, standard errors) of samples, drawn with bars of two standard errors.
    """
    artists = []
    for (name, values), color in zip(curves.items(), cycle(PALETTE)):
        artists += ax.plot(parameter, values, color=color, label=name)
    if points is not None:
        at, estimate, error = points
        style = {"fmt": ".", "color": COLORS["reference"], "capsize": 2, "label": "samples"}
        artists.append(ax.errorbar(at, estimate, yerr=2 * np.asarray(error), **style))
    ax.set(ylabel=r"coupling $\nu$", ylim=(-0.04, 1.04))
    return artists


def plot_block_errors(ax, sizes, errors, *, label):
    """Draw the error of the covariance of eq. 14 against a size of the layer, log-log.

    Parameters
    ----------
    ax : Axes
    sizes : sequence of int
    errors : dict of str to ndarray
        One curve per measure of the error.
    label : str
        What the sizes are.
    """
    lines = []
    for (name, values), marker in zip(errors.items(), cycle("os^")):
        lines += ax.plot(sizes, values, f"{marker}-", label=name)
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set(yscale="log", xlabel=f"{label} (log scale)", ylabel="error of eq. 14 (log scale)")
    return lines


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
    ax.set(xlabel="input", ylabel="capacity per input", xticks=at, ylim=(0, None))
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
    ax.set_xticks(samples, [f"{count:g}" for count in samples])
    ax.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())  # where there is room for decades only
    return lines


def plot_interpolation(ax, coupling, positions, crossovers, *, scale=1.0):
    """Draw how far capacities have moved from the pseudo-random to the linear end, and where each direction turns.

    Parameters
    ----------
    ax : Axes
    coupling : ndarray, shape (k,)
    positions : dict of str to ndarray, shape (k,)
        By kind of features; 0 at the pseudo-random end, 1 at the linear one.
    crossovers : dict of str to ndarray
        Couplings at which the single directions turn, drawn as ticks below the curves.
    scale : float, optional
        What the couplings are multiplied by.
    """
    lines = []
    for row, (name, values) in enumerate(positions.items()):
        color = FEATURE_COLORS[name]
        lines += ax.plot(scale * coupling, values, color=color, label=name)
        ax.plot(scale * crossovers[name], np.full(len(crossovers[name]), -0.08 - 0.07 * row), "|", color=color)
    ax.axhline(0.5, color=COLORS["reference"], linewidth=0.8, linestyle=":")
    ax.set(ylim=(-0.27, 1.03), yticks=[0, 0.25, 0.5, 0.75, 1.0], ylabel="position between the ends")
    return lines


def plot_kink(ax, below, above):
    """Draw a piecewise-linear activation with its gain below and its gain above zero, each written beside its piece."""
    ends = np.array([-2.0, 0.0, 2.0])
    artists = ax.plot(ends, ends * [below, 1, above], color=COLORS["model"])
    for at, name, gain in ((-1.1, r"\alpha", below), (1.1, r"\beta", above)):
        words = with_minus(f"${name}$ = {gain + 0.0:.2f}")
        up = gain * at <= 1.5  # the words stand over a piece that is low, under one that is high
        artists += [ax.text(at, gain * at + (0.7 if up else -2.2), words, ha="center", va="center")]
    ax.set(xlim=(-2.1, 2.1), ylim=(-3.2, 3.2), xticks=[-2, 0, 2], yticks=[-2, 0, 2], xlabel="$z$", ylabel="$f(z)$")
    return artists


def plot_positions(ax, coupling, exact, approximate):
    """Draw positions between the ends against the coupling: exact ones solid, those of eq. 14 dashed."""
    lines = []
    for name, values in exact.items():
        lines += ax.plot(coupling, values, "-", color=FEATURE_COLORS[name], label=name)
        ax.plot(coupling, approximate[name], "--", color=FEATURE_COLORS[name])
    ax.set(xlabel=r"coupling $\nu$ of a leaky ReLU", ylabel="position between the ends", ylim=(-0.03, 1.03))
    return lines


def plot_rule_bars(ax, allocations):
    """Draw the capacity of each of a few inputs by two rules {name: capacities}, side by side, with their names."""
    bars, index = [], np.arange(1, len(next(iter(allocations.values()))) + 1)
    for k, (name, values) in enumerate(allocations.items()):
        color = RULE_COLORS[k]
        bars += ax.bar(index + 0.4 * k - 0.2, values, width=0.36, color=color)
        ax.text(0.02, 0.98 - 0.11 * k, name, transform=ax.transAxes, color=readable(color), va="top")
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, 1.25), xticks=index, yticks=[0, 0.5, 1])
    ax.grid(axis="x", visible=False)
    return bars


def plot_rules(ax, allocations):
    """Draw the capacity per input of a wide layer by several rules {name: capacities}."""
    lines = []
    for (name, values), color, style in zip(allocations.items(), cycle(RULE_COLORS), cycle(("-", "-", "-", "--"))):
        lines += ax.plot(np.arange(1, len(values) + 1), values, style, color=color, linewidth=1.2, label=name)
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, None))
    return lines


def plot_chord_and_tangent(ax, grid, values, point, gain, slope):
    """Draw an activation, the line from zero to one of its points, and its tangent there.

    Parameters
    ----------
    ax : Axes
    grid, values : ndarray, shape (points,)
        The activation.
    point, gain, slope : float
        An argument, with the gain, which is the slope of the line from zero, and the derivative.

    Returns
    -------
    list of artists
    """
    artists = ax.plot(grid, values, color=COLORS["model"], linewidth=1.5, label="$f$")
    tangent = gain * point + slope * (grid - point)
    artists += ax.plot(grid, tangent, color=PALETTE[3], linewidth=3, alpha=0.6, label="tangent")
    artists += ax.plot(grid, gain * grid, "--", color=COLORS["reference"], linewidth=1.2, label="from zero")
    artists += ax.plot(point, gain * point, "o", color="black", markersize=5, zorder=4)
    ax.set(xlabel="argument $z$", ylabel="$f(z)$")
    return artists


def plot_singular_values(ax, bases):
    """Draw singular values relative to the largest, rings and points, with those below 1e-17 at that height.

    Parameters
    ----------
    ax : Axes
    bases : dict of str to Basis
        By name: the first with rings, the second with points.
    """
    lines = []
    looks = [("o", 7, COLORS["reference"], "none"), (".", 5, PALETTE[3], PALETTE[3])]
    for (name, basis), (marker, size, color, face) in zip(bases.items(), looks):
        values = np.maximum(basis.singular_values / basis.singular_values[0], 1e-17)
        index = np.arange(1, values.size + 1)
        lines += ax.plot(index, values, marker, color=color, markersize=size, markerfacecolor=face, label=name)
    ax.set(yscale="log", ylim=(3e-18, 3), xlabel="rank of the singular value", ylabel="value / largest (log scale)")
    return lines


def plot_way(ax, positions):
    """Draw how far kinds of features are from the pseudo-random rule (0) to the linear one (1), one track for each."""
    points = []
    for height, (name, at) in enumerate(reversed(positions.items())):
        ax.plot([0, 1], [height, height], color=COLORS["error"], linewidth=1, zorder=1)
        points += ax.plot(at, height, "o", color=FEATURE_COLORS[name], markersize=9)
        ax.text(0, height + 0.16, name, color=readable(FEATURE_COLORS[name]), va="bottom")
    ax.set_xticks([0, 1], ["pseudo-\nrandom", "linear"])
    ax.set(xlim=(-0.12, 1.12), ylim=(-0.4, len(positions) - 0.4), yticks=[], xlabel="position")
    frameless(ax)
    return points
