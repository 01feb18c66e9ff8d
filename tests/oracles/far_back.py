"""Effective state-size and capacity of a layer with real poles and weights on its states.

This book, "How far back?". The book counts singular values of the operator and spans constraints by a factorisation.
Here the operator is a matrix of fractions whose rank is found by elimination, and the capacity of a lag is what the
best combination of the derivatives by weights and poles explains of a unit input there.
"""

from fractions import Fraction

import numpy as np


def operator(poles, weights, outputs, inputs):
    """Coefficients of the inputs, the oldest first, in an output and those after it."""
    poles, weights = ([Fraction(x) for x in each] for each in (poles, weights))
    lags = [[t + inputs - 1 - s for s in range(inputs)] for t in range(outputs)]
    return [[sum(c * z**lag for c, z in zip(weights, poles)) for lag in row] for row in lags]


def rank(rows):
    """Rank of a matrix of fractions, by elimination."""
    rows, found = [row for row in rows if any(row)], 0
    while rows:
        pivot = rows.pop()
        column = next(k for k, entry in enumerate(pivot) if entry)
        rows = [[a - row[column] / pivot[column] * b for a, b in zip(row, pivot)] for row in rows]
        rows, found = [row for row in rows if any(row)], found + 1
    return found


def state_size(block):
    """Numbers that pass from inputs 0, 1, ... or more steps back to the outputs of a block."""
    n = len(block[0])
    return [rank([row[: n - k] for row in block]) for k in range(n)]


def capacity(poles, weights, n):
    """By lag, from 0, on white inputs, of weights and poles together."""
    lags, poles = np.arange(n), np.array(poles, float)[:, None]
    derivatives = np.vstack([poles**lags, np.array(weights)[:, None] * lags * poles ** np.maximum(lags - 1, 0)])
    return [float(derivatives[:, k] @ np.linalg.lstsq(derivatives.T, np.eye(n)[k])[0]) for k in range(n)]


if __name__ == "__main__":
    poles, weights = [0.5, -0.25], [1.0, 2.0]
    print(state_size(operator(poles, weights, 6, 6)), np.round(capacity(poles, weights, 6), 3))
