"""Plots of paper 1: each takes axes and results, draws, and returns the artists."""

from itertools import cycle

import numpy as np

from capacity.checks import common_length
from capacity.figures.style import (
    COLORS,
    PALETTE,
    channel_color,
    channel_label,
    input_axis,
    lag_axis,
    layer_colors,
    legend_above,
    plain_log_ticks,
)

__all__ = [
    "plot_allocation",
    "plot_bound_and_errors",
    "plot_error_plane",
    "plot_free_and_constrained",
    "plot_layer_curves",
    "plot_layer_stack",
    "plot_layer_totals",
    "plot_losses",
    "plot_losses_against_size",
    "plot_spectra",
    "plot_synthetic",
    "plot_totals",
]


def plot_synthetic(ax, allocations):
    """Draw fictitious allocations {name: capacity per position} (Figure 1).

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    n, markers, lines = common_length(allocations, "allocations"), ["o", "s", "^"], []
    for (name, values), color, marker in zip(allocations.items(), cycle(PALETTE), cycle(markers)):
        lines += ax.plot(np.arange(1, n + 1), values, marker=marker, color=color, label=name)
    ax.set(xlabel="position of the input (oldest to most recent)", ylabel="capacity per input", ylim=(0, None))
    ax.set_xticks(np.arange(1, n + 1))
    return lines


def plot_error_plane(ax, curve, errors, direction, covariance):
    """Draw the errors that a one-parameter model can make, and the constraint that the optimum meets (Figure 2).

    Parameters
    ----------
    ax : Axes
    curve : ndarray, shape (points, 2)
        Errors X of the model along its parameter.
    errors : ndarray, shape (2,)
        The error at the optimum.
    direction : ndarray, shape (2,)
        Unit vector of the constraint.
    covariance : ndarray, shape (2, 2)
        Whose quadratic form the loss is.
    """
    reach = 1.15 * np.abs(curve).max()
    grid = np.linspace(-reach, reach, 201)
    plane = np.stack(np.meshgrid(grid, grid), axis=-1)
    loss = np.einsum("...i,ij,...j", plane, covariance, plane)
    best = float(errors @ covariance @ errors)
    contours = ax.contour(
        grid, grid, loss, levels=best * np.array([0.25, 1, 4, 16, 64]), colors="#b0b0b0", linewidths=0.7
    )
    (manifold,) = ax.plot(*curve.T, color=COLORS["model"], label=r"errors of the model, $\mathcal{X}$")
    free = np.array([-direction[1], direction[0]])
    (allowed,) = ax.plot(
        *np.outer(free, [-2 * reach, 2 * reach]),
        color=COLORS["constraint"],
        label=r"errors that meet the constraint, $\mathcal{K}^\perp$",
    )
    (point,) = ax.plot(*errors, "o", color="black", zorder=3, label=r"error at the optimum, $\hat X$")
    arrow = ax.annotate(
        "",
        xy=0.45 * reach * direction,
        xytext=(0, 0),
        arrowprops={"arrowstyle": "-|>", "color": COLORS["constraint"], "shrinkA": 0, "shrinkB": 0},
    )
    ax.annotate("$k$", 0.45 * reach * direction, xytext=(3, 3), textcoords="offset points", color=COLORS["constraint"])
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="error at lag 2", ylabel="error at lag 1")
    return [contours, manifold, allowed, point, arrow]


def plot_totals(ax, channels, parameters, totals, full):
    """Draw parameters and total capacity against the number of channels, log-log (Figures 4 and 10, left)."""
    lines = ax.plot(channels, parameters, "s-", color=COLORS["parameters"], label="parameters $p$")
    lines += ax.plot(channels, totals, "o-", color=COLORS["capacity"], label=r"capacity $\kappa$")
    lines += [ax.axhline(full, color=COLORS["reference"], linestyle="--", linewidth=1, label=rf"$n = {full}$")]
    _log_channels(ax, channels)
    ax.set(ylabel="number (log scale)", yscale="log")
    plain_log_ticks(ax.yaxis)
    legend_above(ax)
    return lines


def plot_losses(ax, channels, losses, *, reference=None, spread=None, label="Gauss-Newton", style="o-", color=None):
    """Draw the optimal loss against the number of channels, log-log (Figures 4 and 10, centre)."""
    color = color or COLORS["loss"]
    lines = ax.plot(channels, losses, style, color=color, label=label)
    if spread is not None:
        lines += [ax.fill_between(channels, *np.transpose(spread), color=color, alpha=0.2, linewidth=0)]
    if reference is not None:
        lines += [_reference_line(ax, reference)]
    _log_channels(ax, channels)
    ax.set(ylabel="loss $\\mathcal{L}$ (log scale)", yscale="log")
    return lines


def plot_losses_against_size(ax, parameters, totals, losses, *, reference=None):
    """Draw the optimal loss against parameters and against capacity, log-log (Figures 4 and 10, right)."""
    lines = ax.plot(parameters, losses, "s-", color=COLORS["parameters"], label="against $p$")
    lines += ax.plot(totals, losses, "o-", color=COLORS["capacity"], label=r"against $\kappa$")
    if reference is not None:
        lines += [_reference_line(ax, reference)]
    legend_above(ax)
    ax.set(xlabel=r"$p$ or $\kappa$ (log scale)", xscale="log", yscale="log", ylabel="loss $\\mathcal{L}$ (log scale)")
    plain_log_ticks(ax.xaxis)
    return lines


def plot_spectra(ax, spaces):
    """Draw the eigenvalues of the capacity weighting matrix for several channel counts (Figure 5, left).

    Parameters
    ----------
    ax : Axes
    spaces : dict of int to ConstraintSpace
        By channel count. Values above the cut are filled, values cut off are hollow.
    """
    lines = []
    for channels, space in spaces.items():
        values = np.square(space.basis.singular_values / space.basis.singular_values[0])
        index, color = np.arange(1, values.size + 1), channel_color(channels)
        kept = index <= space.total
        lines += ax.plot(index[kept], values[kept], ".", color=color, label=channel_label(channels))
        ax.plot(
            index[~kept],
            np.maximum(values[~kept], 1e-40),
            ".",
            color=color,
            markerfacecolor="none",
            markeredgewidth=0.7,
        )
    cuts = [np.square(space.basis.threshold / space.basis.singular_values[0]) for space in spaces.values()]
    lines += [ax.axhline(max(cuts), color=COLORS["reference"], linestyle="--", linewidth=1)]
    ax.set(xlabel="rank of the eigenvalue", ylabel="eigenvalue / largest (log scale)", yscale="log")
    return lines


def plot_allocation(ax, allocations, *, kind="lag", labels=None, colors=None, **line):
    """Draw the capacity per input of several models.

    Parameters
    ----------
    ax : Axes
    allocations : dict to ndarray, shape (n,)
        By channel count, or by name.
    kind : {'lag', 'component'}, optional
        What the entries are: positions of the receptive field, or directions ordered by decreasing variance.
    labels, colors : dict, optional
        By the same keys; the channel counts' own by default.
    **line
        Properties of the lines, such as ``linewidth``.

    Raises
    ------
    ValueError
        If the lengths differ, or the kind is unknown.
    """
    n, lines = common_length(allocations, "allocations"), []
    for key, values in allocations.items():
        label = labels[key] if labels else channel_label(key)
        color = colors[key] if colors else channel_color(key)
        lines += ax.plot(np.arange(n), values, color=color, label=label, **{"drawstyle": "steps-mid"} | line)
    input_axis(ax, n, kind)
    ax.set(ylabel="capacity per input" if kind == "lag" else "capacity per direction")
    return lines


def plot_bound_and_errors(ax, bounds, errors, *, kind="lag"):
    """Draw mean and standard deviation over runs of normalised bounds and squared errors (Figure 6).

    Parameters
    ----------
    ax : Axes
    bounds, errors : ndarray, shape (runs, n)
        Each row sums to 1.
    kind : {'lag', 'component'}, optional
        As in `plot_allocation`.
    """
    lines = []
    n = bounds.shape[1]
    series = [(errors, "squared error", COLORS["error"]), (bounds, r"bound $1 - \kappa$", COLORS["capacity"])]
    for values, label, color in series:
        mean, deviation = values.mean(axis=0), values.std(axis=0)
        lines += ax.plot(np.arange(n), mean, color=color, label=label)
        low = np.maximum(mean - deviation, 0.03 * mean)
        lines += [ax.fill_between(np.arange(n), low, mean + deviation, color=color, alpha=0.25, linewidth=0)]
    input_axis(ax, n, kind)
    ax.set(yscale="log", ylabel="share of the total (log scale)")
    return lines


def plot_layer_stack(ax, shares):
    """Stack the conditional capacity of each layer over the positions (Figure 7).

    Parameters
    ----------
    ax : Axes
    shares : dict of str to ndarray, shape (n,)
        In the order of the chain; the first lies at the bottom.

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    colors = dict(zip(sorted(shares, key=_layer_number), layer_colors(len(shares))))
    n = common_length(shares, "shares")
    areas = ax.stackplot(
        np.arange(n),
        *shares.values(),
        colors=[colors[name] for name in shares],
        labels=list(shares),
        step="mid",
        linewidth=0,
    )
    lag_axis(ax, n)
    ax.set(ylabel="capacity per input", ylim=(0, 1.02))
    return areas


def plot_layer_totals(ax, shares):
    """Draw the total capacity of each layer as bars with their value (Figure 8, left)."""
    totals = [float(np.sum(values)) for values in shares.values()]
    bars = ax.bar(range(1, len(shares) + 1), totals, color=layer_colors(len(shares)), width=0.7)
    for layer, total in enumerate(totals, 1):  # above the axis also where rounding left -1e-15
        ax.annotate(round(total), (layer, max(total, 0)), (0, 1), textcoords="offset points", ha="center", va="bottom")
    ax.set(xlabel="layer", ylabel="capacity", xticks=range(1, len(shares) + 1), ylim=(0, 1.15 * max(totals)))
    ax.grid(axis="x", visible=False)
    return bars


def plot_layer_curves(ax, shares):
    """Draw the capacity per input of each layer (Figure 8, right).

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    n, lines = common_length(shares, "shares"), []
    for (name, values), color in zip(shares.items(), layer_colors(len(shares))):
        lines += ax.plot(np.arange(n), values, color=color, label=name, drawstyle="steps-mid")
    lag_axis(ax, n)
    ax.set(ylabel="capacity per input")
    return lines


def plot_free_and_constrained(ax, capacities):
    """Draw one bar per input, filled up to its capacity."""
    index = np.arange(1, len(capacities) + 1)
    bars = ax.bar(index, capacities, color=COLORS["capacity"], width=0.8, label="capacity")
    rest = ax.bar(
        index,
        1 - capacities,
        bottom=capacities,
        color="white",
        edgecolor=COLORS["error"],
        width=0.8,
        label="degrees of freedom",
    )
    ax.set(xlabel="input", ylabel="share of the input", ylim=(0, 1.05), xticks=index)
    ax.grid(axis="x", visible=False)
    return [*bars, *rest]


def _reference_line(ax, value):
    return ax.axhline(value, color=COLORS["reference"], linestyle="--", linewidth=1, label="fully connected")


def _log_channels(ax, channels):
    ax.set_xscale("log", base=2)
    shown = channels[:: 1 + len(channels) // 6]  # each of a few, every other one of many
    ax.set_xticks(shown, map(str, shown), minor=False)
    ax.set_xlabel("channels $c$ (log scale)")


def _layer_number(name):
    return int(name.split()[-1])
