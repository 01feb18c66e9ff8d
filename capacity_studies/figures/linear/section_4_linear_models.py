"""Figures of the chapter linear/4-linear-models."""

import numpy as np

from capacity.figures import COLORS
from capacity.figures.style import readable

__all__ = [
    "plot_error_plane",
]


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
