"""Planes through points of a space of many dimensions, in which the regions of a network can be counted and drawn."""

import numpy as np

from capacity._validation import as_array

__all__ = ["plane_through"]


def plane_through(points):
    """The plane through three points, with lengths as in the space: for `regions_in_plane`.

    Parameters
    ----------
    points : array_like, shape (3, inputs)

    Returns
    -------
    tuple of ndarray, (origin, first, second), each of shape (inputs,)
        The mean of the points, the unit vector from the first to the second, and the unit vector orthogonal to it on
        the side of the third. The coordinates of an input x of the plane are (x - origin) @ first and @ second.

    Examples
    --------
    >>> plane_through([[0.0, 0.0, 3.0], [2.0, 0.0, 3.0], [1.0, 3.0, 3.0]])
    (array([1., 1., 3.]), array([1., 0., 0.]), array([0., 1., 0.]))
    """
    points = as_array(points, "points", axes=2, remedy="pass three points, shape (3, inputs)")
    if points.ndim != 2 or len(points) != 3 or points.shape[1] < 2:
        raise ValueError(f"points: expected shape (3, inputs), got {points.shape}; pass three points")
    first, second = points[1:] - points[0]
    lengths = np.linalg.norm(first), np.linalg.norm(second)
    if lengths[0]:
        first = first / lengths[0]
        second = second - (second @ first) * first
    height = np.linalg.norm(second)
    if not (lengths[0] and height > 1e-9 * lengths[1]):
        raise ValueError(f"points: expected three points that are not on a line, got {points.tolist()}; move one")
    return points.mean(axis=0), first, second / height
