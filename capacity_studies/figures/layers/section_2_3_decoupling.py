"""Figures of the chapter layers/2-3-decoupling."""

from itertools import cycle

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, SIGNS, direct_labels, point_out
from capacity.figures.style import log_ticks, readable, with_minus

__all__ = [
    "figure_2",
    "figure_3",
    "mean_field",
    "plot_block_errors",
    "plot_coupled_copies",
    "plot_coupling_curves",
    "plot_coupling_scale",
    "plot_covariance_blocks",
    "plot_kink",
    "plot_scatter_of_copies",
    "slopes_figure",
    "two_copies",
]


def two_copies(gains, by_signs, nu):
    """Left: a piecewise-linear activation. Centre: an input times the gains of two outputs, for arguments of all four
    pairs of signs, and the coupling as a slope. Right: blocks of three outputs, those off the diagonal as dark as the
    coupling is large. Panels stand where ``edition/static/kink.js`` has them.
    """
    fig = plt.figure(figsize=(4.6, 2.3), layout="none")
    left, centre, right = (
        fig.add_axes((x, 0.22, wide, 0.62)) for x, wide in ((0.07, 0.23), (0.43, 0.27), (0.73, 0.26))
    )
    plot_kink(left, *gains)
    left.set_ylabel("")
    plot_coupled_copies(centre, np.vstack(by_signs[:2]), np.vstack(by_signs[2:]), nu)
    for words in centre.texts[:2]:
        words.remove()
    right.imshow(np.where(np.eye(3), 1, nu), cmap="Greys", vmin=0, vmax=1.2)
    right.set(xticks=[-0.5, 0.5, 1.5, 2.5], yticks=[-0.5, 0.5, 1.5, 2.5], xticklabels=[], yticklabels=[])
    right.grid(color="white", linewidth=3)
    right.tick_params(length=0)
    right.set(xlabel="three outputs", frame_on=False)
    for ax, title in zip((left, centre, right), ("activation $f(z)$", f"slope {nu:.2f}", f"coupling {nu:.2f}")):
        ax.set_title("")  # that on the left
        ax.set_title(title, fontweight="normal", loc="center")
    return fig


def figure_2(copies, n, moments, m):
    """Figure 2 of paper 2."""
    fig, axes = plt.subplots(1, 4, figsize=(6.9, 2.5), layout="compressed")
    for (name, copy), (left, right) in zip(copies.items(), axes.reshape(2, 2)):
        plot_scatter_of_copies(left, copy[:1500, 0], copy[:1500, n])
        plot_covariance_blocks(right, moments[name], m)
        words = {
            "linear": ("one copy,\nrepeated", "the same\nin every block"),
            "pseudo-random": ("equal size,\nsign by chance", "nothing off\nthe diagonal"),
        }
        for ax, remark, title in zip((left, right), words[name], (name, r"covariance $\tilde\Sigma$")):
            ax.set_title(f"{title}\n{remark}", fontweight="normal", loc="center")
    return fig


def slopes_figure(grid, curve, points, waves, tuned):
    """Left: coupling of leaky ReLUs against the slope on the negative side, with estimates from samples. Right: two
    families whose coupling a frequency tunes.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.0), sharey=True)
    plot_coupling_curves(axes[0], grid, {"closed form": curve}, (grid[::5], *np.transpose(points)))
    tuned_lines = plot_coupling_curves(axes[1], waves, tuned)
    axes[0].set_xlabel("slope for negative arguments")
    axes[1].set(xlabel="frequency $w$", ylabel="")
    for at, name in ((-1, "abs"), (0, "ReLU"), (1, "linear")):
        axes[0].annotate(
            name,
            (at, np.interp(at, grid, curve)),
            (8 - 8 * at, -12 * at),
            textcoords="offset points",
            ha="right" if at > 0 else "left",
            va="center",
        )
    direct_labels(axes[1], tuned_lines)
    return fig


def figure_3(shown, blocks, m, exact, estimates):
    """Figure 3 of paper 2."""
    fig = plt.figure(figsize=(4.6, 4.9))
    top, bottom = fig.subfigures(2, 1, height_ratios=[1.6, 3.4])
    for ax, name in zip(top.subplots(1, 4), shown[:1] + shown[2:]):
        plot_covariance_blocks(ax, blocks[name], m)
        ax.set_title(f"{name}\n" + rf"$\nu = {exact[name]:.2f}$", fontweight="normal", loc="center")
    scale_axes = bottom.subplots()
    plot_coupling_scale(scale_axes, exact, estimates)
    scale_axes.text(0.4, 9.5, "rings: exact\npoints: samples", va="center")
    scale_axes.text(0.72, 12, "all copies the same", va="center")
    scale_axes.text(0.2, 0.5, "both uncoupled on average,\nbut not alike (above)", ha="right", va="center")
    return fig


def mean_field(sizes, by_inputs, by_outputs):
    """Errors of eq. 14 for a ReLU layer, by measure, against the numbers of inputs (left) and outputs (right)."""
    words = {"rms": "root mean square entry", "largest": "largest entry", "along": r"along the weights $p_i$, $p_j$"}
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), sharey=True)
    left, right = ({words[measure]: errors[measure] for measure in words} for errors in (by_inputs, by_outputs))
    lines = plot_block_errors(axes[0], sizes, left, label="inputs $n$")
    plot_block_errors(axes[1], (4, 16, 64), right, label="outputs $m$")
    axes[1].set_ylabel("")
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    rms, along, more = by_inputs["rms"], by_inputs["along"], by_outputs["rms"]
    falls = rms[-1] / rms[0] < 2 * sizes[0] / sizes[-1]
    point_out(axes[0], "vanishes\nlike $1/n$", (sizes[1], rms[1]), (0.2, 0.16), when=falls)
    axes[0].set_ylim(top=3 * axes[0].get_ylim()[1])
    stays = along[-1] > along[0] / 2
    point_out(axes[0], "stays, and capacity sees it", (sizes[-1], along[-1]), (0.5, 0.93), when=stays)
    point_out(axes[1], "more outputs do not help", (16, more[1]), (0.5, 0.2), when=more[-1] > more[0] / 2)
    return fig


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
    image = ax.imshow(covariance, cmap=SIGNS, vmin=-1, vmax=1)
    size = len(covariance) // outputs
    width = min(0.6, 6 / outputs)  # points; many lines would cover what they divide
    for edge in np.arange(1, outputs) * size - 0.5:
        ax.axhline(edge, color="black", linewidth=width)
        ax.axvline(edge, color="black", linewidth=width)
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
    for name, at, low, high in zip(names, height, estimate - 2 * error, estimate + 2 * error):
        beside = {"xytext": (-9, 0), "ha": "right"} if exact[name] < 0.15 else {"xytext": (9, 0), "ha": "left"}
        place = {"textcoords": "offset points", "va": "center"} | beside
        end = max(exact[name], high - 0.02) if exact[name] < 0.15 else min(exact[name], low + 0.02)  # of ring or bar
        numbers.append(ax.annotate(f"{exact[name]:.3f}", (end, at), **place))
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
    log_ticks(ax.xaxis, sizes)
    ax.set(yscale="log", xlabel=f"{label} (log scale)", ylabel="error of eq. 14 (log scale)")
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
