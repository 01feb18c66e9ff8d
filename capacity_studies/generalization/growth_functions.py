"""How many labelings of N points a class of classifiers reaches, by enumeration and by the counts that are known.

A labeling gives each of N points one of two labels. The growth function, or shatter coefficient, S(F, N) is the largest
number of labelings that the class F reaches on any N points; a set of points is shattered if all 2^N are reached, and
the Vapnik-Chervonenkis (VC) dimension is the size of the largest shattered set.
"""

from itertools import combinations, combinations_with_replacement, product

import numpy as np
from scipy import optimize

__all__ = [
    "affine_labelings",
    "monomials",
    "shattered_size",
    "shatters",
    "sine_frequencies",
]


def affine_labelings(points):
    """All labelings of few points in R^d that a hyperplane separates, as rows, each decided by a linear program.

    Those for which some (w, b) has w . x + b >= 1 where the label is 1, and <= -1 where it is 0.

    Examples
    --------
    >>> len(affine_labelings([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))  # all but the two of exclusive or
    14
    """
    points = np.asarray(points, dtype=float)
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

    Examples
    --------
    >>> monomials([[2.0, 3.0]], 2)
    array([[2., 3., 4., 6., 9.]])
    """
    points = np.asarray(points, dtype=float)
    factors = [
        chosen for p in range(1, degree + 1) for chosen in combinations_with_replacement(range(points.shape[1]), p)
    ]
    return np.stack([points[:, list(chosen)].prod(axis=1) for chosen in factors], axis=1)


def shatters(labelings):
    """Whether labelings of N points, as rows, are all 2^N that there are.

    Examples
    --------
    >>> shatters([[0], [1]]), shatters([[0, 0], [0, 1], [1, 1]])
    (True, False)
    """
    return len(np.unique(labelings, axis=0)) == 2 ** np.shape(labelings)[1]


def shattered_size(labelings):
    """Size of the largest set among N points that labelings shatter: the VC dimension of a class on these points.

    Examples
    --------
    >>> shattered_size(affine_labelings([[0.1], [0.2], [0.3]]))
    2
    """
    labelings = np.unique(labelings, axis=0)
    size = 0
    while 2 ** (size + 1) <= len(labelings) and any(
        shatters(labelings[:, list(chosen)]) for chosen in combinations(range(labelings.shape[1]), size + 1)
    ):
        size += 1  # every subset of a shattered set is shattered, so that no size is left out
    return size


def sine_frequencies(labels):
    """Frequencies w = pi (1 + sum_i (1 - y_i) 10^i) at which the sign of sin(w x) is the label y_i at 10^-i.

    For at most 7 points: the sine at the last is 10^-N for its smallest argument, and rounding must stay below it. At
    10^-i the argument is, up to multiples of 2 pi, pi (1 - y_i) plus a positive number below pi/8, since the terms of
    the sum above the i-th are even multiples of pi and those below sum to less than pi/9.

    Examples
    --------
    >>> np.sin(sine_frequencies([1, 0]) * np.array([0.1, 0.01])) > 0
    array([ True, False])
    """
    labels = np.asarray(labels, dtype=float)
    return np.pi * (1 + (1 - labels) @ 10.0 ** np.arange(1, labels.shape[-1] + 1))
