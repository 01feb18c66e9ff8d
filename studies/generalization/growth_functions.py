"""How many labelings of N points a class of classifiers reaches, by enumeration and by the counts that are known.

A labeling gives each of N points one of two labels. The growth function, or shatter coefficient, S(F, N) is the largest
number of labelings that the class F reaches on any N points; a set of points is shattered if all 2^N are reached, and
the Vapnik-Chervonenkis (VC) dimension is the size of the largest shattered set.
"""

from itertools import combinations, combinations_with_replacement, product

import numpy as np
from scipy import optimize

from capacity._validation import as_array, as_matrix, as_vector, check_integer, check_size
from studies.expressivity.region_counts import arrangement_regions

__all__ = [
    "affine_count",
    "affine_labelings",
    "monomials",
    "sauer_bound",
    "shattered_size",
    "shatters",
    "sine_frequencies",
    "threshold_labelings",
]


def affine_count(points, dimension):
    """Number of labelings of points in general position that a hyperplane separates (Cover 1965).

    Parameters
    ----------
    points : int
        Their number N; no d + 1 of them lie in a common hyperplane.
    dimension : int
        The dimension d of the space. The hyperplanes need not pass through the origin.

    Returns
    -------
    int
        2 sum_k C(N - 1, k), k = 0, ..., d.

    Notes
    -----
    A labeling is a region of the space of the hyperplanes' d + 1 coefficients, which every point cuts by a hyperplane
    through the origin: the count is that of `arrangement_regions` for central ones.

    Examples
    --------
    >>> [affine_count(n, 2) for n in (3, 4, 6)]
    [8, 14, 32]
    """
    points = check_integer(points, "points", minimum=1)
    dimension = check_integer(dimension, "dimension", minimum=1)
    return arrangement_regions(points, dimension + 1, central=True)


def sauer_bound(points, vc_dimension):
    """Largest number of labelings that a class of some VC dimension can reach (Sauer 1972).

    Parameters
    ----------
    points : int
        Their number N.
    vc_dimension : int
        The VC dimension v.

    Returns
    -------
    int
        sum_k C(N, k), k = 0, ..., v.

    Examples
    --------
    >>> sauer_bound(3, 3), sauer_bound(4, 3)  # one labeling of four points is missing, where lines miss two
    (8, 15)
    """
    points = check_integer(points, "points", minimum=1)
    return arrangement_regions(points, check_integer(vc_dimension, "vc_dimension", minimum=1))


def threshold_labelings(points):
    """All labelings of points on a line by thresholds: a point has the label 1 if it lies above.

    Parameters
    ----------
    points : array_like, shape (N,)

    Returns
    -------
    ndarray of bool, shape (labelings, N)
        N + 1 of them if no two points are the same.

    Examples
    --------
    >>> len(threshold_labelings([0.3, 0.1, 0.7]))
    4
    """
    points = as_vector(points, "points")
    return points > np.append(np.unique(points), -np.inf)[:, None]


def affine_labelings(points):
    """All labelings of points in R^d that a hyperplane separates, each decided by a linear program.

    Parameters
    ----------
    points : array_like, shape (N, d)
        At most 16 points.

    Returns
    -------
    ndarray of bool, shape (labelings, N)
        Those for which some (w, b) has w . x + b >= 1 where the label is 1, and <= -1 where it is 0.

    Examples
    --------
    >>> len(affine_labelings([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))  # all but the two of exclusive or
    14
    """
    points = as_matrix(points, "points", remedy="pass one row for each point")
    check_size(2 ** len(points), "points", "labelings", maximum=2**16, remedy="pass at most 16 points")
    spread = np.ptp(points, axis=0)  # separation does not depend on units and origin, tolerances of the solver do
    rows = np.column_stack([(points - points.mean(axis=0)) / np.where(spread > 0, spread, 1), np.ones(len(points))])
    found = []
    for rest in product([False, True], repeat=len(points) - 1):
        labels = np.array([True, *rest])  # with every labeling its opposite is reached
        if _separable(rows, labels):
            found += [labels, ~labels]
    return np.array(found)


def _separable(rows, labels):
    signs = np.where(labels, 1.0, -1.0)
    program = optimize.linprog(
        np.zeros(rows.shape[1]), -signs[:, None] * rows, -np.ones(len(rows)), bounds=(None, None), method="highs"
    )
    if program.status not in (0, 2):  # solved, or infeasible
        raise ValueError(
            f"points: expected ones that the linear program decides, got status {program.status}; move points apart"
        )
    return program.status == 0


def monomials(points, degree):
    """All monomials of a degree from 1 up to a largest one: polynomial separators are hyperplanes in these.

    Parameters
    ----------
    points : array_like, shape (N, d)
    degree : int
        The largest degree p.

    Returns
    -------
    ndarray, shape (N, C(d + p, p) - 1)

    Examples
    --------
    >>> monomials([[2.0, 3.0]], 2)
    array([[2., 3., 4., 6., 9.]])
    """
    points = as_matrix(points, "points", remedy="pass one row for each point")
    degree = check_integer(degree, "degree", minimum=1)
    factors = [
        chosen for p in range(1, degree + 1) for chosen in combinations_with_replacement(range(points.shape[1]), p)
    ]
    return np.stack([points[:, list(chosen)].prod(axis=1) for chosen in factors], axis=1)


def shatters(labelings):
    """Whether labelings of N points are all 2^N that there are.

    Parameters
    ----------
    labelings : array_like of bool, shape (labelings, N)
        Each may occur more than once.

    Returns
    -------
    bool

    Examples
    --------
    >>> shatters([[0], [1]]), shatters([[0, 0], [0, 1], [1, 1]])
    (True, False)
    """
    labelings = _as_labelings(labelings)
    return len(np.unique(labelings, axis=0)) == 2 ** labelings.shape[1]


def shattered_size(labelings):
    """Size of the largest set among N points that labelings shatter: the VC dimension of a class on these points.

    Parameters
    ----------
    labelings : array_like of bool, shape (labelings, N)

    Returns
    -------
    int

    Examples
    --------
    >>> shattered_size(threshold_labelings([0.1, 0.2, 0.3]))
    1
    """
    labelings = np.unique(_as_labelings(labelings), axis=0)
    size = 0
    while 2 ** (size + 1) <= len(labelings) and any(
        shatters(labelings[:, list(chosen)]) for chosen in combinations(range(labelings.shape[1]), size + 1)
    ):
        size += 1  # every subset of a shattered set is shattered, so that no size is left out
    return size


def _as_labelings(labelings):
    labelings = as_array(labelings, "labelings", axes=2, minimum=0, whole=True, remedy="pass one row for each labeling")
    if labelings.ndim > 2 or labelings.max() > 1:
        raise ValueError(
            f"labelings: expected rows of zeros and ones, got shape {labelings.shape} and numbers up to "
            f"{labelings.max():g}; pass one row for each labeling"
        )
    return labelings.astype(bool)


def sine_frequencies(labels):
    """Frequencies w at which the sign of sin(w x) gives the points 10^-1, ..., 10^-N their labels.

    Parameters
    ----------
    labels : array_like of bool, shape (..., N)
        At most 7 points: the sine at the last is 10^-N for its smallest argument, and rounding must stay below it.

    Returns
    -------
    ndarray, shape (...)
        pi (1 + sum_i (1 - y_i) 10^i).

    Notes
    -----
    At 10^-i the argument is, up to multiples of 2 pi, pi (1 - y_i) plus a positive number below pi/8, since the terms
    of the sum above the i-th are even multiples of pi and those below sum to less than pi/9.

    Examples
    --------
    >>> np.sin(sine_frequencies([1, 0]) * np.array([0.1, 0.01])) > 0
    array([ True, False])
    """
    labels = as_array(labels, "labels", axes=1, minimum=0, whole=True, remedy="pass zeros and ones")
    if labels.max() > 1 or labels.shape[-1] > 7:
        raise ValueError(
            f"labels: expected zeros and ones for at most 7 points, got shape {labels.shape} and numbers up to "
            f"{labels.max():g}; pass zeros and ones"
        )
    return np.pi * (1 + (1 - labels) @ 10.0 ** np.arange(1, labels.shape[-1] + 1))
