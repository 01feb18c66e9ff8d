"""Which of several candidates no other one beats in everything: the Pareto front, and the fronts behind it."""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_matrix

__all__ = ["pareto_layers"]


def pareto_layers(costs: ArrayLike) -> np.ndarray:
    """Number of the front that each point is on: 0 for the Pareto front, 1 for that of the others, and so on.

    A point beats another one if no cost is higher and one is lower. Equal points are on the same front.

    Parameters
    ----------
    costs : array_like, shape (points, 2)
        Two numbers for each point, the lower the better.

    Returns
    -------
    ndarray of int, shape (points,)

    Notes
    -----
    Points are taken in the order of the first cost, then the second: a point is on the first front whose lowest second
    cost so far it is below, by bisection, since these lowest costs grow from front to front.

    Examples
    --------
    >>> pareto_layers([[1, 3], [2, 2], [3, 1], [2, 3], [3, 3]])
    array([0, 0, 0, 1, 2])
    """
    costs = as_matrix(costs, "costs", columns=2, remedy="pass one row per point")
    points, where = np.unique(costs, axis=0, return_inverse=True)
    layers, lowest = np.zeros(len(points), dtype=int), np.zeros(0)
    for i, second in enumerate(points[:, 1]):
        layers[i] = np.searchsorted(lowest, second, side="right")
        lowest = np.append(lowest, second) if layers[i] == lowest.size else lowest
        lowest[layers[i]] = second
    return layers[where.ravel()]
