"""Linear regions on a line through the inputs, of any number: exact breakpoints, with the affine map in between.

On a piece of the line all units are affine in the parameter t, so that each reaches a kink at one t at most. The
breakpoints of all units of a layer on all pieces are found at once.
"""

from dataclasses import dataclass

import numpy as np

from capacity_studies.expressivity._stages import as_stages

__all__ = ["LineRegions", "regions_on_line"]


@dataclass(frozen=True)
class LineRegions:
    """The pieces of a line on which a network is affine, in increasing order of t."""

    breakpoints: np.ndarray  # (n_regions + 1,), between the pieces, with both ends of the line, maybe infinite
    slopes: np.ndarray  # (n_regions, outputs): the outputs at t are slopes * t + constants
    constants: np.ndarray
    patterns: np.ndarray  # (n_regions, units), int8: the piece of its activation that each unit is on, as of a plane

    @property
    def n_regions(self):
        """Number of pieces."""
        return self.breakpoints.size - 1

    @property
    def lengths(self):
        """Length of each piece in t, shape (n_regions,)."""
        return np.diff(self.breakpoints)

    def locate(self, t):
        """The piece that each t lies on, shape (points,); a breakpoint belongs to the piece above it."""
        return np.searchsorted(self.breakpoints[1:-1], t, side="right")

    def outputs(self, t):
        """Outputs of the network by the maps of the pieces, shape (points, outputs)."""
        pieces = self.locate(t)
        return self.slopes[pieces] * np.asarray(t, dtype=float)[:, None] + self.constants[pieces]


def regions_on_line(layers, start, direction, *, low=0.0, high=1.0, rtol=1e-12):
    """Divide the line start + t direction, low <= t <= high, into the pieces on which a network is affine.

    Layers are as for `regions_in_plane`, with any number of inputs; either end may be infinite. A breakpoint is taken
    for another one, or for an end, where the unit's argument differs there from its kink by at most `rtol` times the
    largest sum of its terms' absolute values at the breakpoints that the layers below have left.

    Examples
    --------
    >>> from capacity_studies.expressivity import sawtooth
    >>> pieces = regions_on_line(sawtooth(2), [0.0], [1.0])
    >>> pieces.breakpoints, pieces.slopes.ravel()
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([ 4., -4.,  4., -4.]))
    """
    stages = as_stages(layers)
    start, direction = np.asarray(start, dtype=float), np.asarray(direction, dtype=float)
    breakpoints = np.array([low, high], dtype=float)
    maps = np.stack([direction, start], axis=1)[:, None, :]  # (units, pieces, 2): slope, and value at t = 0
    scales = np.abs(direction) * _extent(breakpoints) + np.abs(start)
    patterns = np.zeros((1, 0), np.int8)
    for stage in stages:
        breakpoints, origins = _cut(breakpoints, maps, stage.kinks, rtol, scales)
        maps = maps[:, origins]
        pieces = stage.pieces(_inside(breakpoints, maps))
        patterns = patterns[origins]
        if stage.kinks.size:
            patterns = np.concatenate([patterns, pieces.T], axis=1)
        extent = _extent(breakpoints)
        activities = np.abs(stage.slopes[pieces]) * (np.abs(maps[:, :, 0]) * extent + np.abs(maps[:, :, 1]))
        activities += np.abs(stage.intercepts[pieces])
        scales = stage.scales(activities, np.abs(maps[:, :, 0]) * extent + np.abs(maps[:, :, 1]))
        maps = stage.maps(pieces, maps)
    slopes, constants = (np.ascontiguousarray(part.T) for part in (maps[:, :, 0], maps[:, :, 1]))
    return LineRegions(breakpoints, slopes, constants, patterns)


def _cut(breakpoints, maps, kinks, rtol, scales):
    """Breakpoints with those of a layer's kinks in between, and the former piece of each piece."""
    if not kinks.size:
        return breakpoints, np.arange(breakpoints.size - 1)
    slope, value = maps[:, :, None, 0], maps[:, :, None, 1] - kinks  # (units, pieces, kinks)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        t = -value / slope
        # How far, in t, the unit's argument stays within its tolerance of the kink.
        width = np.abs(rtol * (scales[:, None, None] + np.abs(kinks)) / slope)
        inside = (t - width > breakpoints[:-1, None]) & (t + width < breakpoints[1:, None])
    unit, piece, kink = np.nonzero(inside)
    t, width = t[unit, piece, kink], width[unit, piece, kink]
    order = np.lexsort((t, piece))
    t, width, piece = t[order], width[order], piece[order]
    gaps = np.diff(t)
    new = np.ones(t.size, bool)
    new[1:] = (np.diff(piece) > 0) | (gaps > np.maximum(width[1:], width[:-1]))
    t, piece = t[new], piece[new]
    origins = np.repeat(np.arange(breakpoints.size - 1), 1 + np.bincount(piece, minlength=breakpoints.size - 1))
    return np.insert(breakpoints, piece + 1, t), origins


def _inside(breakpoints, maps):
    """Values of all units at a point inside each piece, shape (units, pieces)."""
    low, high = breakpoints[:-1].copy(), breakpoints[1:].copy()
    reach = 1 + _extent(breakpoints)
    low[0], high[-1] = max(low[0], -2 * reach), min(high[-1], 2 * reach)
    return maps[:, :, 0] * ((low + high) / 2) + maps[:, :, 1]


def _extent(breakpoints):
    """Largest finite t among the breakpoints, at least 1."""
    finite = np.abs(breakpoints[np.isfinite(breakpoints)])
    return max(1.0, finite.max(initial=0.0)) if np.isinf(breakpoints).any() else finite.max()
