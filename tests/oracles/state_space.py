"""The diagonal state space: what each input receives from poles and weights.

This book, "State-space models": N pairs of poles have the capacity min(4N, n), their weights alone min(2N, n), a pair
that is real half as much; by lag, the weights' share is the memory of the states. With real poles, paper 1, eq. 21.

The book spans the constraints by powers z^k and k z^k of complex poles. Here they are given by what they annihilate:
such sequences are those that satisfy the linear recurrence whose characteristic polynomial has the poles as its zeros,
twice where a pole may move. Written below each other at all places, its coefficients span the rest of the space. With
rational poles that rest is rational, and so are the capacities: one minus the diagonal of a projection.
"""

from fractions import Fraction

from flint import fmpq, fmpq_mat, fmpq_poly


def rational(x):
    """A number, a float too, as an exact rational of FLINT."""
    return fmpq(*Fraction(x).as_integer_ratio())


def annihilator(pairs, times):
    """Polynomial with each distinct pole, of all pairs (re, im) and their conjugates, as a zero so many times."""
    found = fmpq_poly([1])
    for re, im in {(rational(re), rational(abs(im))) for re, im in pairs}:
        found *= fmpq_poly([re**2 + im**2, -2 * re, 1]) if im else fmpq_poly([-re, 1])
    return found**times


def capacity(n, pairs, covariance=None, times=2):
    """By lag, from 0, for `covariance` (of the inputs by lag; white if None); `times` = 1 is for the weights alone."""
    coefficients = annihilator(pairs, times).coeffs()
    if len(coefficients) > n:
        return [Fraction(1)] * n
    rows = [[0] * k + coefficients + [0] * (n - k - len(coefficients)) for k in range(n - len(coefficients) + 1)]
    free = fmpq_mat([[fmpq(x) for x in row] for row in rows])
    if covariance is not None:  # the constraints are the covariance times those sequences
        free = (
            fmpq_mat([[rational(x) for x in row] for row in covariance]).transpose().solve(free.transpose()).transpose()
        )
    dual = (free * free.transpose()).solve(free)
    held = [1 - sum(free[i, k] * dual[i, k] for i in range(free.nrows())) for k in range(n)]
    return [Fraction(int(x.p), int(x.q)) for x in held]


if __name__ == "__main__":
    print(*capacity(4, [(0, 0.5)], times=1), *capacity(4, [(0, 0.5)]))
