"""One matrix: capacity of the inputs along its rows, leverage of the samples along its columns.

This book, "The bridge" (Link 2) and "One matrix, five literatures": the matrix X^T J J^T, with
J = X D, has the constraints of paper 1 (eq. 16) on its left and the span of the predictions on its right.

No singular vectors: capacity and leverage are diagonal entries of the projections on the span of its columns and of
its rows, in fractions. At a temperature the projections become ridge fits, whose diagonals are fractions, too.
"""

from fractions import Fraction

from flint import fmpq, fmpq_mat


def matrix(rows):
    """Rational matrix from rows of numbers, which a float is exactly."""
    return fmpq_mat([[fmpq(*Fraction(x).as_integer_ratio()) for x in row] for row in rows])


def diagonal(square):
    """Its entries as fractions."""
    return [Fraction(int(square[i, i].p), int(square[i, i].q)) for i in range(square.nrows())]


def projection(columns):
    """On the span of some columns, which may be dependent."""
    reduced, rank = columns.transpose().rref()
    basis = fmpq_mat(rank, reduced.ncols(), reduced.entries()[: rank * reduced.ncols()])
    return basis.transpose() * (basis * basis.transpose()).solve(basis)


def shares(inputs, jacobian):
    """Capacities of the inputs and leverages of the samples; both lists sum to the rank."""
    x = matrix(inputs)
    j = x * matrix(jacobian)
    shared = x.transpose() * j * j.transpose()
    return diagonal(projection(shared)), diagonal(projection(shared.transpose()))


def soft_shares(inputs, jacobian, temperature):
    """The same at a temperature above 0, for inputs with X^T X = (number of samples) I."""
    x, d = matrix(inputs), matrix(jacobian)
    penalty = matrix([[temperature if a == b else 0 for b in range(d.ncols())] for a in range(d.ncols())])
    held = d * (d.transpose() * d + penalty).solve(d.transpose())
    return diagonal(held), diagonal(x * held * x.transpose() * fmpq(1, x.nrows()))


if __name__ == "__main__":
    print(*shares([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [[1, 0], [1, 0], [0, 1]]))
