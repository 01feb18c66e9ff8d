"""Plots for the search of an architecture: what candidates cost, and how far they are from what is wanted."""

import numpy as np

from capacity.figures.style import COLORS, PALETTE, legend_above, plain_log_ticks

__all__ = ["plot_design"]


def plot_design(ax, design):
    """Draw cost against what is unmet of the wants: all candidates as estimated, the fits, and the front as steps.

    Parameters
    ----------
    ax : Axes
    design : Design
        What `capacity.design.search` found.

    Returns
    -------
    list of Line2D
        Candidates, fits if there are any, front.
    """
    (all_costs, all_unmet), (costs, unmet) = (_axes(design, points) for points in (design.candidates, design.fits))
    (dots,) = ax.plot(all_costs, all_unmet, ".", color=COLORS["reference"], alpha=0.25, ms=3, label="estimates")
    lines = [dots]
    if design.fits:
        lines += ax.plot(costs, unmet, "o", color=PALETTE[1], ms=4, label="fits")
    front = _axes(design, design.front)
    lines += ax.plot(*front, "o-", color=PALETTE[0], ms=4, drawstyle="steps-post", label="front")
    unit = "parameters" if design.cost == "parameters" else "total capacity"
    ax.set(xscale="log", xlabel=f"{unit} (log scale)", ylabel="unmet (sum of shortfalls)")
    plain_log_ticks(ax.xaxis)
    legend_above(ax, ncols=3)
    return lines


def _axes(design, points):
    return np.array([getattr(point, design.cost) for point in points]), np.array([point.unmet for point in points])
