"""Capacity at any coupling nu: what the inputs of one layer receive between the linear and the pseudo-random end.

"Capacity for any coupling" (this book, "Between the ends"), with the covariance of paper 2, eq. 14.

The book has a formula that never forms the augmented covariance. Here it is formed, block by block in fractions, and
the definition is followed to the letter: the columns of K = Sigma~ P~ J, with P~ the weights of one output below the
other (eq. 6), and the diagonal of the projection on their span, exactly.
"""

from fractions import Fraction

from flint import fmpq, fmpq_mat


def matrix(rows):
    """Rational matrix from rows of numbers, which a float is exactly."""
    return fmpq_mat([[fmpq(*Fraction(x).as_integer_ratio()) for x in row] for row in rows])


def span(columns):
    """Independent columns with the same span."""
    reduced, rank = columns.transpose().rref()
    return fmpq_mat(rank, reduced.ncols(), reduced.entries()[: rank * reduced.ncols()]).transpose()


def capacity(weights, directions, nu, covariance):
    """Capacity of each input (rows) in each copy (columns).

    `weights` has a row per input and a column per output, `directions` a row per output.
    """
    n, m = len(weights), len(weights[0])
    coupling = [[1 if a == b else nu for b in range(m)] for a in range(m)]
    augmented = [
        [coupling[a][b] * covariance[i][j] for b in range(m) for j in range(n)] for a in range(m) for i in range(n)
    ]
    stacked = [[weights[i][a] if a == b else 0 for b in range(m)] for a in range(m) for i in range(n)]
    basis = span(matrix(augmented) * matrix(stacked) * matrix(directions))
    dual = (basis.transpose() * basis).solve(basis.transpose())
    held = [sum(basis[k, c] * dual[c, k] for c in range(basis.ncols())) for k in range(n * m)]
    return [[Fraction(int(held[a * n + i].p), int(held[a * n + i].q)) for a in range(m)] for i in range(n)]


if __name__ == "__main__":
    example = [[1, 1], [0, 1]], [[2], [1]], [[1, 0], [0, 1]]
    for nu in (0, Fraction(1, 2), 1):
        print(nu, [str(sum(row)) for row in capacity(*example[:2], nu, example[2])])
