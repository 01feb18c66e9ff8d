"""Plots of constraint spaces: their spectra, the errors that they leave, and the bound on these (paper 1)."""

from itertools import cycle

import numpy as np

from capacity._validation import common_length
from capacity.figures.style import (
    COLORS,
    PALETTE,
    channel_color,
    channel_label,
    frameless,
    input_axis,
    readable,
    tints,
)

__all__ = [
    "plot_bound_and_errors",
    "plot_chain",
    "plot_counted_twice",
    "plot_error_plane",
    "plot_error_shares",
    "plot_free_and_constrained",
    "plot_projection",
    "plot_spectra",
    "plot_synthetic",
    "plot_two_normals",
]


def plot_synthetic(ax, allocations):
    """Draw fictitious allocations {name: capacity per position}, each named beside its last point or peak (Figure 1).

    Above 1, where no input can be, the axes are shaded.
    """
    n, markers, lines = common_length(allocations, "allocations"), ["o", "s", "^"], []
    top, points = 1.4, {"textcoords": "offset points", "annotation_clip": False}
    ax.axhspan(1, top, color="#eeeeee", zorder=0)
    ax.text(1, 0.97 * top, "more than full: impossible", va="top", color=readable(COLORS["error"]))
    for (name, values), color, marker in zip(allocations.items(), tints("capacity", len(allocations)), cycle(markers)):
        lines += ax.plot(np.arange(1, n + 1), values, marker=marker, color=color)
        peak, color = np.argmax(values), readable(color)
        if values[-1] > values[peak] - 1e-6:
            words, height = name.replace(": ", ":\n"), min(values[-1], top)
            ax.annotate(words, (n, height), (8, 0), va="center", color=color, **points)
        else:
            ax.annotate(name, (peak + 1, values[peak]), (0, 6), ha="center", color=color, in_layout=False, **points)
    ax.set(xlabel="position of the input (oldest to most recent)", ylabel="capacity per input", ylim=(0, top))
    ax.set_xticks(np.arange(1, n + 1))
    return lines


def plot_error_plane(ax, curve, errors, direction, covariance, *, name=None):
    """Draw the errors that a one-parameter model can make, and the constraint that the optimum meets (Figure 2).

    Words beside the axes name the two sets; grey lines connect errors of equal loss.

    Parameters
    ----------
    ax : Axes
    curve : ndarray, shape (points, 2)
        Errors X of the model along its parameter.
    errors : ndarray, shape (2,)
        The error at the optimum, or at another parameter.
    direction : ndarray, shape (2,)
        Unit vector of the constraint at that parameter.
    covariance : ndarray, shape (2, 2)
        Whose quadratic form the loss is.
    name : str, optional
        What to write beside the error, by default that it is the one at the optimum.
    """
    reach = 1.15 * np.abs(curve).max()
    blue, orange = COLORS["model"], COLORS["constraint"]
    grid = np.linspace(-reach, reach, 101)
    plane = np.stack(np.meshgrid(grid, grid), axis=-1)
    loss = np.einsum("...i,ij,...j", plane, covariance, plane)
    levels = float(errors @ covariance @ errors) * np.array([0.25, 1, 4, 16, 64])
    contours = ax.contour(grid, grid, loss, levels=levels, colors="#b0b0b0", linewidths=0.7)
    (manifold,) = ax.plot(*curve.T, color=blue)
    free = np.array([-direction[1], direction[0]])
    free *= np.sign(free[0]) or 1.0
    (allowed,) = ax.plot(*np.outer(free, [-2 * reach, 2 * reach]), color=orange)
    (point,) = ax.plot(*errors, "o", color="black", zorder=3)
    arrow = ax.annotate(
        "",
        xy=0.45 * reach * direction,
        xytext=(0, 0),
        arrowprops={"arrowstyle": "-|>", "color": orange, "shrinkA": 0, "shrinkB": 0},
    )
    points = {"textcoords": "offset points"}
    ax.annotate("normal $k$", 0.45 * reach * direction, (0, 3), ha="center", color=readable(orange), **points)
    white = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8}
    words = name or r"error at the optimum, $\hat X$"
    ax.annotate(words, errors, (13, 0), va="center", bbox=white, in_layout=False, zorder=4, **points)
    words = "what the model\ncan make, $\\mathcal{X}$"
    ax.annotate(words, curve[-1], (4, 0), color=blue, annotation_clip=False, **points)
    end = np.clip(reach * free / np.abs(free).max(), -0.88 * reach, reach)
    ax.annotate(
        "what meets the\nconstraint, $\\mathcal{K}^\\perp$",
        (reach, end[1]),
        (4, 0),
        color=readable(orange),
        va="center",
        annotation_clip=False,
        **points,
    )
    along = np.sqrt(levels / covariance.sum())  # where each level line crosses the diagonal
    ax.annotate(
        "equal loss",
        np.full(2, -np.max(along, where=along < 0.6 * reach, initial=0)),
        (-1, -1),
        ha="right",
        va="top",
        color=readable("#b0b0b0"),
        **points,
    )
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="error at lag 2", ylabel="error at lag 1")
    return [contours, manifold, allowed, point, arrow]


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
    ax.dataLim.update_from_data_y([max(cuts)], ignore=False)  # axhline itself does not make room on a log axis
    lines += [ax.axhline(max(cuts), color=COLORS["reference"], linestyle="--", linewidth=1)]
    ax.set(xlabel="rank of the eigenvalue", ylabel="eigenvalue / largest (log scale)", yscale="log")
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


def plot_free_and_constrained(ax, capacities, labels=()):
    """Draw one bar per input, filled up to its capacity; labels stand above the bars, from the first input on."""
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
    for place, label in zip(index, labels):
        ax.text(place, 1.03, label, ha="center", va="bottom", color=readable(COLORS["capacity"]))
    ax.set(xlabel="input", ylabel="capacity per input", xticks=index)
    ax.set(ylim=(0, 1.25 if labels else 1.05), yticks=np.linspace(0, 1, 5))
    ax.grid(visible=False)
    return [*bars, *rest]


def plot_error_shares(ax, free, shares, degrees_of_freedom):
    """Draw the shares of the squared error that subspaces carry, against what is free of each (paper 1, eq. 6).

    The two lines are what equation 6 says of the mean, and the upper bound; markers are hollow, so that both stay
    in sight.

    Parameters
    ----------
    ax : Axes
    free : ndarray, shape (subspaces,)
        The dimension of each subspace minus its capacity.
    shares : dict of str to ndarray, shape (subspaces,)
        The mean squared error along each subspace over that of the whole space, by the name of the distribution.
    degrees_of_freedom : int
        The free dimensions of the whole space.
    """
    end = float(degrees_of_freedom)
    lines = ax.plot([0, end], [0, 1], color=COLORS["reference"], linewidth=1, zorder=3)
    lines += ax.plot([0, 1, end], [0, 1, 1], color=COLORS["reference"], linewidth=1, linestyle="--")
    for (name, values), marker, color in zip(shares.items(), cycle("os^"), cycle(PALETTE)):
        lines += ax.plot(free, values, marker, color=color, label=name, markersize=5, markerfacecolor="none")
    ax.text(1.0, 1.02, "upper bound", va="bottom")
    arrow = {"arrowstyle": "->", "color": COLORS["reference"]}
    ax.annotate("equation (6)", (0.55 * end, 0.55), xytext=(0.7 * end, 0.25), arrowprops=arrow)
    xlabel = r"free dimension of the subspace, $n_S - \kappa_S$"
    ax.set(xlabel=xlabel, ylabel="share of the squared error", xlim=(-0.1, end), ylim=(0, 1.15))
    return lines


def plot_chain(ax, links, labels):
    """Draw what each constraint space of a chain adds to those before it, stacked per input (paper 1, eq. 10).

    Parameters
    ----------
    ax : Axes
    links : ndarray, shape (spaces, n)
        The conditional capacities, from the first space of the chain (at the bottom) to the last.
    labels : sequence of str
        The name of each space; the same name has the same colour in any order.
    """
    if len(labels) != len(links):
        raise ValueError(
            f"labels: expected one per space, {len(links)}, got {len(labels)}; name each space of the chain"
        )
    index, colors = np.arange(1, links.shape[1] + 1), dict(zip(sorted(labels), tints("capacity", len(labels))))
    bars, bottom = [], np.zeros(links.shape[1])
    for values, label in zip(links, labels):
        bars += ax.bar(index, values, bottom=bottom, width=0.8, color=colors[label], label=label)
        bottom = bottom + values
    ax.set(xlabel="input", ylabel="capacity per input", ylim=(0, 1.05), xticks=index)
    ax.grid(axis="x", visible=False)
    return bars


def plot_projection(ax, direction, normal):
    """Draw a direction of the plane, its projection on a constraint's normal, and beside them the direction's capacity.

    The projection is as long as the cosine of the angle between the two. Its square is the capacity, the filled part of
    a bar of height 1; the rest of the bar is free (eq. 2, for two lines of the plane). Solutions of the constraint lie
    on the line orthogonal to the normal.

    Parameters
    ----------
    ax : Axes
    direction, normal : ndarray, shape (2,)
        Unit vectors along the direction and along the normal of the constraint, at most a right angle apart.
    """
    length, distance = float(direction @ normal), float(abs(np.linalg.det([direction, normal])))
    foot, (blue, orange, grey) = length * normal, (COLORS[name] for name in ("model", "capacity", "error"))
    across = (direction - foot) / distance if distance else np.array([-normal[1], normal[0]])
    side = min(0.07, length, distance)  # of the square that marks the right angle
    corner = foot + side * np.array([-normal, across - normal, across])
    angle = np.linspace(0, np.arctan2(distance, length), 30)
    arc = np.outer(np.cos(angle), normal) + np.outer(np.sin(angle), across)  # of radius 1
    lines = [
        *ax.plot(*np.transpose([-0.1 * normal, 1.2 * normal]), color=orange, linewidth=0.8),
        *ax.plot(*np.transpose([-0.35 * across, 1.1 * across]), color=grey, linewidth=0.8),
        *ax.plot(*np.transpose([direction, foot]), color=grey, linestyle="--", linewidth=1),
        *ax.plot(*corner.T, color=grey, linewidth=0.8),
        *ax.plot(*(0.14 * arc.T), color=COLORS["reference"], linewidth=0.8),
        *ax.plot(*np.transpose([np.zeros(2), foot]), color=orange, linewidth=5, solid_capstyle="butt"),
        *ax.plot(*np.transpose([np.zeros(2), direction]), color=blue, linewidth=1.8),
    ]
    left, capacity = 1.8, length**2
    outline = {"edgecolor": grey, "align": "edge", "width": 0.22}
    bars = [
        *ax.bar(left, capacity, color=orange, **outline),
        *ax.bar(left, 1 - capacity, bottom=capacity, color="white", **outline),
    ]
    ax.text(*(1.23 * normal), "normal", color=readable(orange), va="center")
    ax.text(*(1.08 * across), "solutions ", color=readable(grey), ha="right", va="top")
    near = {"textcoords": "offset points", "va": "bottom"}
    beside = {"xytext": (3, 1), "ha": "left"} if angle[-1] > np.radians(17) else {"xytext": (-2, 3), "ha": "right"}
    ax.annotate("direction", direction, color=blue, **beside, **near)
    ax.annotate(
        rf"length $\cos\,\theta$ = {length:.3f}",
        0.04 * normal,
        (0, -5),
        color=readable(orange),
        ha="left",
        **near | {"va": "top"},
    )
    if angle[-1] > np.radians(27):  # else there is no room between the two
        reach = 0.2 if 0.2 < length < 0.3 else 0.3  # not on the line from the direction to its foot
        ax.text(*(reach * arc[15]), r"$\theta$", ha="center", va="center")
    for share, bottom, words, color in (
        (capacity, 0, r"capacity $\cos^2\theta$", readable(orange)),
        (1 - capacity, capacity, r"free $\sin^2\theta$", readable(grey)),
    ):
        ax.text(left + 0.26, bottom + share / 2, f"{words}\n= {share:.2f}", color=color, va="center")
    frameless(ax)
    ax.set(xlim=(-0.62, 2.9), ylim=(-0.38, 1.15), aspect="equal", xticks=[], yticks=[])
    return lines + bars


def plot_two_normals(ax, first, second):
    """Draw the normals of two constraints of the plane, with the line halfway between them.

    Parameters
    ----------
    ax : Axes
    first, second : ndarray, shape (2,)
        Unit vectors.
    """
    orange, grey = COLORS["constraint"], COLORS["error"]
    halfway = (first + second) / np.linalg.norm(first + second)
    lines = ax.plot(*np.transpose([np.zeros(2), 1.05 * halfway]), "--", color=grey, linewidth=1)
    for number, normal in enumerate((first, second), 1):
        lines += ax.plot(*np.transpose([np.zeros(2), normal]), color=orange, linewidth=2)
        ax.text(*(1.12 * normal), f"$k_{number}$", color=readable(orange), ha="center", va="center", in_layout=False)
    ax.text(*(1.1 * halfway), "halfway", color=readable(grey), va="center", in_layout=False)
    frameless(ax)
    ax.set(xlim=(-0.15, 1.7), ylim=(-0.2, 1.3), aspect="equal", xticks=[], yticks=[])
    return lines


def plot_counted_twice(ax, degrees, added, together):
    """Draw the sum of two capacities along each direction of the plane over the capacity of both constraints together.

    Parameters
    ----------
    ax : Axes
    degrees : ndarray, shape (directions,)
        The angle of each direction.
    added, together : ndarray, shape (directions,)
        The sum of the capacities of the two, and the capacity of both together.
    """
    orange, excess = COLORS["capacity"], added - together
    lines = ax.plot(degrees, together, color=COLORS["reference"], linestyle="--", linewidth=1)
    lines += ax.plot(degrees, added, color=orange, linewidth=2)
    areas = [ax.fill_between(degrees, together, added, color=orange, alpha=0.15, linewidth=0)]
    ax.text(degrees[-1], 2.55, "sum of the two", ha="right", va="top", color=readable(orange))
    ax.text(degrees[-1], 2.2, "dashed: both together", ha="right", va="top", color=COLORS["reference"])
    if np.ptp(excess) > 0.2:
        for place, words, side in ((excess.argmax(), "counted\ntwice", "bottom"), (excess.argmin(), "missed", "top")):
            shift = {"xytext": (0, 3 if side == "bottom" else -3), "textcoords": "offset points", "in_layout": False}
            ax.annotate(words, (degrees[place], added[place]), ha="center", va=side, color=readable(orange), **shift)
    ax.set(xlim=(degrees[0], degrees[-1]), ylim=(-0.3, 2.6), xlabel="direction (degrees)", ylabel="capacity")
    ax.set_xticks(np.arange(degrees[0], degrees[-1] + 1, 45))
    return [*lines, *areas]
