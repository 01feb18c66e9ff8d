"""The digit law: how a hierarchical model with white inputs shares its capacity among the lags.

"Capacity is allocated to digits" (this book, Section 5.1 of paper 1): kappa = sum_l p_{l-1} q_l - sum_l p_l q_l.

Two ways, both in fractions, which agree exactly or not at all. By definition: each coefficient is affine in each
weight, so that raising one by 1 changes the coefficients by exactly the derivative; the capacity of a lag is its
diagonal entry of the projection on the span of the changes. By the law: leverages of the coefficients, folded by layer.
"""

from fractions import Fraction
from itertools import product
from math import prod

from flint import fmpq_mat, fmpz_mat


def leverages(rows):
    """Diagonal of the projection on the span of some rows, which may be dependent."""
    reduced, rank = fmpz_mat([[int(x) for x in row] for row in rows]).rref()[::2]
    basis = fmpq_mat(rank, reduced.ncols(), reduced.entries()[: rank * reduced.ncols()])
    dual = (basis * basis.transpose()).solve(basis)
    found = [sum(basis[i, j] * dual[i, j] for i in range(rank)) for j in range(basis.ncols())]
    return [Fraction(int(x.p), int(x.q)) for x in found]


def coefficients(filters):
    """By lag, for filters[layer][tap][output][input]; the lowest digit of the lag chooses the first tap."""
    found = []
    for choice in product(*(range(len(layer)) for layer in reversed(filters))):
        value = fmpz_mat([[1]])
        for layer, tap in zip(filters, reversed(choice)):
            value = fmpz_mat(layer[tap]) * value
        found.append(int(value[0, 0]))
    return found


def by_definition(filters):
    """Capacity of each lag for white inputs, from the derivatives by all weights."""
    start, changes = coefficients(filters), []
    for matrix in (matrix for layer in filters for matrix in layer):
        for row, column in product(range(len(matrix)), range(len(matrix[0]))):
            matrix[row][column] += 1
            changes.append([a - b for a, b in zip(coefficients(filters), start)])
            matrix[row][column] -= 1
    return leverages(changes)


def by_digits(coefficients, taps):
    """Capacity of each lag by the law, from the coefficients alone."""
    lags, p, q = range(len(coefficients)), [], []
    for width in (prod(taps[:layer]) for layer in range(len(taps) + 1)):
        folded = [coefficients[lag : lag + width] for lag in lags[::width]]
        columns, rows = leverages(folded), leverages(zip(*folded))
        p.append([columns[lag % width] for lag in lags])
        q.append([rows[lag // width] for lag in lags])
    return [sum(p[l][k] * (q[l + 1][k] - (l and q[l][k])) for l in range(len(taps))) for k in lags]


if __name__ == "__main__":
    print(*by_definition([[[[2]], [[1]]], [[[3]], [[1]]]]), *by_digits([6, 3, 2, 1], [2, 2]))
