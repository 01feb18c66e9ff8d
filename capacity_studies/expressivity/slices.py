"""Planes through points of a space of many dimensions, in which the regions of a network can be counted and drawn."""

import numpy as np

__all__ = ["plane_through"]


def plane_through(points):
    """The plane (origin, first, second) through three points, with lengths as in the space: for `regions_in_plane`.

    The mean of the points, the unit vector from the first to the second, and the unit vector orthogonal to it on the
    side of the third. The coordinates of an input x of the plane are (x - origin) @ first and @ second.

    Examples
    --------
    >>> plane_through([[0.0, 0.0, 3.0], [2.0, 0.0, 3.0], [1.0, 3.0, 3.0]])
    (array([1., 1., 3.]), array([1., 0., 0.]), array([0., 1., 0.]))
    """
    points = np.asarray(points, dtype=float)
    first, second = points[1:] - points[0]
    first = first / np.linalg.norm(first)
    second = second - (second @ first) * first
    return points.mean(axis=0), first, second / np.linalg.norm(second)
