"""Convex polygons that tile a polygon, as a planar graph, and what becomes of them when a line cuts them.

Nothing here knows coordinates: a line is given by the side, -1, 0 or +1, on which each vertex lies. Each vertex is
decided once for all polygons around it, so that neighbours cannot disagree, and a vertex on the line is no new one.
"""

from typing import NamedTuple

import numpy as np

__all__ = ["PlanarGraph", "one_polygon", "split"]


class PlanarGraph(NamedTuple):
    """Faces as cycles of vertices, counterclockwise, in flat arrays: those of face i are offsets[i] to offsets[i+1]."""

    edges: np.ndarray  # (E, 2), the vertices that each joins
    lines: np.ndarray  # (E,), the line that it was cut by, -1 on the border
    corners: np.ndarray  # (N,), vertices
    sides: np.ndarray  # (N,), the edge from each corner to the next
    offsets: np.ndarray  # (F + 1,)


def one_polygon(n):
    """The graph of one polygon with n vertices, 0, ..., n - 1 counterclockwise."""
    corners = np.arange(n)
    edges = np.stack([corners, np.roll(corners, -1)], axis=1)
    return PlanarGraph(edges, np.full(n, -1), corners, corners, np.array([0, n]))


def split(graph, signs, line):
    """Cut all faces that have corners on both sides of a line.

    `signs`, int8 of shape (V,), has the side that each vertex lies on, 0 on the line itself; `line` is its name, for
    the new edges. Returned are the graph, with uncut faces first, in their order, then the parts on the positive side,
    then those on the negative side; the vertices (K, 2) between which each new vertex V, ..., V + K - 1 lies; and the
    former face that each face is part of. No line has the corners of a convex face on its two sides in turn more than
    once: that is refused.
    """
    edges, lines, corners, sides, offsets = graph
    sizes, around = offsets[1:] - offsets[:-1], signs[corners]
    above = np.maximum.reduceat(around, offsets[:-1]) > 0
    cut = above & (np.minimum.reduceat(around, offsets[:-1]) < 0)
    if not cut.any():
        return graph, np.zeros((0, 2), int), np.arange(sizes.size)
    faces, inside = cut.nonzero()[0], cut.repeat(sizes)
    crossed = signs[edges[:, 0]] * signs[edges[:, 1]] < 0
    ends = edges[crossed]
    middle = np.full(len(edges), -1)
    middle[crossed] = np.arange(len(ends))

    corner, side, start = corners[inside], sides[inside], np.cumsum(sizes[faces]) - sizes[faces]
    following = np.arange(1, corner.size + 1)
    following[start + sizes[faces] - 1] = start
    sign = _settled(around[inside], following, start)
    after = sign[following]
    new, along = middle[side], edges[side, 0] == corner
    halves = np.where(along, side, len(edges) + new), np.where(along, len(edges) + new, side)
    chord = (len(edges) + len(ends) + np.arange(faces.size)).repeat(sizes[faces])
    crossing = sign * after < 0

    parts, chord_ends = [], []
    for s in (1, -1):
        # What each corner and each new vertex behind it contribute to the part on this side, in their order.
        kept = _pairs(sign * s >= 0, crossing)
        vertices = _pairs(corner, signs.size + new)
        next_edges = _pairs(
            np.where(crossing, halves[0], np.where((sign == 0) & (after == -s), chord, side)),
            np.where(sign == s, chord, halves[1]),
        )
        counts = np.add.reduceat(kept.sum(axis=1), start)
        parts.append((vertices[kept], next_edges[kept], counts))
        chord_ends.append(parts[-1][0][parts[-1][1] >= len(edges) + len(ends)])

    halved = edges.copy()
    halved[crossed, 1] = signs.size + np.arange(len(ends))
    seconds = _pairs(signs.size + np.arange(len(ends)), ends[:, 1])
    counts = np.concatenate([sizes[~cut], parts[0][2], parts[1][2]])
    result = PlanarGraph(
        np.concatenate([halved, seconds, _pairs(*chord_ends)]),
        np.concatenate([lines, lines[crossed], np.full(faces.size, line)]),
        np.concatenate([corners[~inside], parts[0][0], parts[1][0]]),
        np.concatenate([sides[~inside], parts[0][1], parts[1][1]]),
        np.concatenate([[0], np.cumsum(counts)]),
    )
    return result, ends, np.concatenate([(~cut).nonzero()[0], faces, faces])


def _pairs(first, second):
    """Rows of two; `np.stack` takes three times as long for arrays as short as these."""
    rows = np.empty((first.size, 2), first.dtype)
    rows[:, 0], rows[:, 1] = first, second
    return rows


def _settled(sign, following, start):
    """Signs of the corners of cut faces, with a zero only where the line leaves one side for the other.

    In exact arithmetic nothing changes. With a tolerance, several corners of a narrow face may count as on the line:
    those between two corners of one side belong to that side, and of a run from one side to the other the last is
    where the line passes.
    """
    zeros = (sign == 0).nonzero()[0]
    if zeros.size:
        before = np.empty_like(following)
        before[following] = np.arange(sign.size)
        odd = zeros[sign[before[zeros]] * sign[following[zeros]] != -1]
        if odd.size:
            sign = sign.copy()
            stop = np.append(start[1:], sign.size)
            for face in np.unique(np.searchsorted(start, odd, side="right") - 1):
                sign[start[face] : stop[face]] = _settled_face(sign[start[face] : stop[face]].tolist())
    passages = np.add.reduceat((sign * sign[following] < 0) + (sign == 0).astype(int), start)
    if (passages != 2).any():
        raise ValueError("signs: expected a line, which passes the border of a convex polygon twice, got another curve")
    return sign


def _settled_face(sign):
    first = next(i for i, s in enumerate(sign) if s)
    turned = sign[first:] + sign[:first]
    last, found = turned[0], []
    for i, s in enumerate(turned):
        rest = [*turned[i + 1 :], turned[0]]
        if s == 0 and (rest[0] == 0 or next(other for other in rest if other) == last):
            s = last
        last = s or last
        found.append(s)
    return found[len(sign) - first :] + found[: len(sign) - first]
