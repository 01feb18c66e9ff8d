"""Plots for the scale of weights: what one exponent does, among the others."""

import numpy as np

from capacity.figures.style import COLORS, plain_log_ticks, readable

__all__ = ["plot_highlighted"]


def plot_highlighted(ax, x, curves, chosen):
    """Draw curves against depth on a logarithmic axis, {name: values}, one in the colour of capacity, others in grey.

    Parameters
    ----------
    ax : Axes
    x : ndarray, shape (points,)
    curves : dict of str to ndarray, shape (points,)
        Each is named at its last point where it is the chosen one.
    chosen : str
        The name of the curve in colour.

    Returns
    -------
    list of Line2D
        One per curve, in the order given.
    """
    lines = []
    for name, values in curves.items():
        if name == chosen:
            lines += ax.plot(x, values, "o-", color=COLORS["capacity"], markersize=3, zorder=3)
            above = values[-1] < 0.5 * np.max(list(curves.values()))
            ax.annotate(
                name,
                (x[-1], values[-1]),
                (-2, 5 if above else -5),
                textcoords="offset points",
                ha="right",
                va="bottom" if above else "top",
                color=readable(COLORS["capacity"]),
                in_layout=False,  # the axes keep their place whichever curve is chosen
            )
        else:
            lines += ax.plot(x, values, color=COLORS["reference"], alpha=0.35, linewidth=0.8)
    ax.set(xscale="log", xlabel="layers $L$ (log scale)")
    plain_log_ticks(ax.xaxis)
    return lines
