"""Plots for the search of an architecture: what candidates cost, and how far they are from what is wanted."""

from typing import Any

import numpy as np

from capacity.figures.style import COLORS, PALETTE, legend_above, plain_log_ticks

__all__ = ["plot_design"]


def plot_design(ax: Any, design: Any) -> Any:
    """Draw cost against what is unmet of the wants: all stacks as estimated, the fits, and the front as steps.

    Parameters
    ----------
    ax : Axes
    design : Design
        What `capacity_inspection.design.search` found.

    Returns
    -------
    list of Line2D
        Candidates, fits if there are any, front.

    Examples
    --------
    >>> from capacity_inspection.design import Want, search
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> [line.get_label() for line in plot_design(ax, search(Want((5, 8), share=0.3), budget=6, max_lags=8))]
    ['estimates', 'front']
    """
    (dots,) = ax.plot(*design.estimates.T, ".", color=COLORS["reference"], alpha=0.25, ms=3, label="estimates")
    lines = [dots]
    if design.fits:
        lines += ax.plot(*_axes(design.fits), "o", color=PALETTE[1], ms=4, label="fits")
    lines += ax.plot(*_axes(design.front[::-1]), "o-", color=PALETTE[0], ms=4, drawstyle="steps-post", label="front")
    ax.set(xscale="log", xlabel="parameters (log scale)", ylabel="unmet (sum of shortfalls)")
    plain_log_ticks(ax.xaxis)
    legend_above(ax, ncols=3)
    return lines


def _axes(points):
    return np.array([point.parameters for point in points]), np.array([point.unmet for point in points])
