"""Which of many convex polygons a point lies in."""

import numpy as np

__all__ = ["locate"]

_PAIRS = 2**21  # of a cell and a point that are looked at together


def locate(vertices, corners, offsets, points):
    """The polygon that each point lies in, or -1; of several, the one in which it is farthest from the border.

    A point counts as inside up to 1e-12 of the extent of all polygons. `corners` are the vertices around each polygon,
    counterclockwise, those of polygon i from offsets[i] to offsets[i + 1].
    """
    around, starts, sizes = vertices[corners], offsets[:-1], np.diff(offsets)
    slack = 1e-12 * np.ptp(vertices, axis=0).max()
    low = np.minimum.reduceat(around, starts) - slack
    high = np.maximum.reduceat(around, starts) + slack
    order = np.argsort(points[:, 0], kind="stable")
    sorted_x = points[order, 0]
    first = np.searchsorted(sorted_x, low[:, 0], side="left")
    counts = np.searchsorted(sorted_x, high[:, 0], side="right") - first

    following = np.arange(1, corners.size + 1)
    following[offsets[1:] - 1] = starts
    sides = around[following] - around
    lengths = np.hypot(*sides.T)
    normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.where(lengths > 0, lengths, 1.0)[:, None]

    found, depths = np.full(len(points), -1), np.full(len(points), -slack)
    blocks = np.searchsorted(np.cumsum(counts), np.arange(_PAIRS, counts.sum() + _PAIRS, _PAIRS), side="left") + 1
    start = 0
    for stop in np.unique(np.minimum(blocks, sizes.size)):
        cell, point = _ragged(first[start:stop], counts[start:stop])
        cell, point, start = cell + start, order[point], stop
        y = points[point, 1]
        near = (y >= low[cell, 1]) & (y <= high[cell, 1])
        cell, point = cell[near], point[near]
        if not cell.size:
            continue
        pair, side = _ragged(starts[cell], sizes[cell])
        distances = ((points[point[pair]] - around[side]) * normals[side]).sum(axis=1)
        depth = np.minimum.reduceat(distances, np.cumsum(sizes[cell]) - sizes[cell])
        best = np.lexsort((-cell, depth))  # the deepest is written last
        best = best[depth[best] > depths[point[best]]]
        found[point[best]], depths[point[best]] = cell[best], depth[best]
    return found


def _ragged(first, counts):
    """The entries first[i], ..., first[i] + counts[i] - 1 of all i, and i of each."""
    owner = np.repeat(np.arange(counts.size), counts)
    return owner, np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts - first, counts)
