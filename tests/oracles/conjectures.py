"""Conjectures 1 and 2: can redundant parameters be fixed at random, and the optimum be recovered by the others?

Paper 1, Appendix D. This book's answers: yes for the outer layers of hierarchical models; no for a recurrence.

Nothing is fitted. A stack is linear in each single layer: once one is drawn anew, another makes up for it exactly if
some linear equations have a solution in fractions. A recurrence w1 z1^k + w2 z2^k at three lags and a given w1 leaves
one quadratic equation for its first pole; the sign of the discriminant tells whether a real pole solves it.
"""

from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat


def coefficients(filters):
    """By lag, for layers of shape (taps, outputs, inputs); the lowest digit of the lag chooses the first tap."""
    response = np.ones((1, 1), dtype=object)
    for layer in filters:
        response = (response @ layer.swapaxes(1, 2)).reshape(-1, layer.shape[1])
    return response[:, 0]


def made_up_for(filters, layer, target):
    """Filters with another `layer` that have the coefficients `target`, or None if there are none."""
    below, shape, size, above = filters[:layer], filters[layer].shape, filters[layer].size, filters[layer + 1 :]
    units = np.eye(size, dtype=int).astype(object).reshape(size, *shape)
    columns = [coefficients([*below, unit, *above]) for unit in units]
    reduced, rank = fmpq_mat(np.stack([*columns, target], axis=1).tolist()).rref()
    solution = np.full(size, fmpq(0), dtype=object)
    for row in range(rank):
        pivot = next(k for k in range(size + 1) if reduced[row, k] != 0)
        if pivot == size:
            return None
        solution[pivot] = reduced[row, size]
    return [*below, solution.reshape(shape), *above]


def recovers(filters, steps):
    """Whether the coefficients survive steps: a place, the layer put there, and the layer that makes up for it."""
    target = coefficients(filters)
    for place, layer, other in steps:
        filters = made_up_for([*filters[:place], layer, *filters[place + 1 :]], other, target)
        if filters is None:
            return False
    return True


def attains(w1, target):
    """Whether real w2, z1, z2 give w1 z1^k + w2 z2^k = target[k] at the lags k = 0, 1, 2."""
    a, b, c, w1 = map(Fraction, (*target, w1))
    w2 = a - w1  # and z2 = (b - w1 z1)/w2, so that a w1 z1^2 - 2 b w1 z1 + b^2 - c w2 = 0
    if w1 * w2 == 0 or a == 0:
        raise ValueError("one pole is left, or none")
    return (b * w1) ** 2 >= a * w1 * (b**2 - c * w2)


if __name__ == "__main__":
    print({str(w1): attains(w1, [1, Fraction(1, 2), 0]) for w1 in (Fraction(k, 4) for k in (-1, 1, 2, 3, 5))})
