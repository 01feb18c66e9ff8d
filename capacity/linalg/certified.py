"""Ranks and roots proved in ball arithmetic, for matrices that double precision cannot judge.

Each number is an interval that surely holds the exact value (Arb, through python-flint), so that "larger than zero"
is a proof. Double precision numbers are taken as the exact rationals that they are. Used for recurrent models, whose
constraints are exponentially ill-conditioned (paper 1, Section 5.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from flint import acb_mat, acb_poly, arb, arb_mat, arb_poly, ctx
from numpy.typing import ArrayLike

from capacity._validation import as_list, as_matrix, as_vector, check_integer, check_real

__all__ = [
    "CertifiedSpectrum",
    "ExponentialSum",
    "certified_singular_values",
    "exponential_jacobian",
    "exponential_sum",
    "power_law_predictor",
]


@dataclass(frozen=True)
class CertifiedSpectrum:
    """Singular values with proofs.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Singular values in decreasing order, rounded to double precision.
    positive : ndarray of bool, shape (n,)
        Whether each is proved to differ from zero.

    Examples
    --------
    >>> found = certified_singular_values([[1, 2], [2, 4]])
    >>> found.rank, found.positive
    (1, array([ True, False]))
    """

    values: np.ndarray
    positive: np.ndarray

    @property
    def rank(self) -> int:
        """Number of singular values proved positive: the rank is at least that."""
        return int(np.count_nonzero(self.positive))


@dataclass(frozen=True)
class ExponentialSum:
    """The sum of as few exponentials as a sequence can be.

    Attributes
    ----------
    poles, weights : ndarray, shape (c,)
        z_j and w_j with a_k = sum_j w_j z_j^k, rounded to double precision, poles in increasing order; real where
        the poles are proved real, else complex. Weights below the smallest double are rounded to zero.
    log10_weights : ndarray, shape (c,)
        Decimal logarithm of abs(w_j), which does not underflow.
    proved_real : bool
        Whether all c poles are proved real and distinct.

    Examples
    --------
    >>> found = exponential_sum([2.0, 1.25, 0.8125, 0.546875])
    >>> found.poles, found.weights
    (array([0.5 , 0.75]), array([1., 1.]))
    """

    poles: np.ndarray
    weights: np.ndarray
    log10_weights: np.ndarray
    proved_real: bool


def exponential_jacobian(
    inputs: ArrayLike, poles: ArrayLike, outputs: ArrayLike, n_inputs: int, *, digits: int = 250
) -> Any:
    """Jacobian of the diagonal recurrence (eq. 21) in ball arithmetic, oldest input first.

    Parameters
    ----------
    inputs, poles, outputs : array_like, shape (c,)
        W_in, z and W_out.
    n_inputs : int
        Number n of coefficients.
    digits : int, optional
        Decimal digits carried.

    Returns
    -------
    flint.arb_mat, n by 3c
        The columns of W_in, then W_rec, then W_out.

    Examples
    --------
    >>> matrix = exponential_jacobian([1.0], [0.5], [2.0], 3)
    >>> [[float(matrix[i, j]) for j in range(3)] for i in range(3)]
    [[0.5, 2.0, 0.25], [1.0, 2.0, 0.5], [2.0, 0.0, 1.0]]
    """
    poles = _exact(poles, as_vector(poles, "poles"), "poles")
    inputs = _exact(inputs, as_vector(inputs, "inputs", length=poles.size), "inputs")
    outputs = _exact(outputs, as_vector(outputs, "outputs", length=poles.size), "outputs")
    n = check_integer(n_inputs, "n_inputs", minimum=1)
    with _digits(digits):
        triples = [tuple(map(arb, triple)) for triple in zip(inputs.tolist(), poles.tolist(), outputs.tolist())]
        rows: list[Any] = []
        for k in range(n):
            powers = [z**k for _, z, _ in triples]
            slopes = [k * z ** max(k - 1, 0) * u * w for u, z, w in triples]
            row = [power * w for power, (_, _, w) in zip(powers, triples)]
            rows.insert(0, row + slopes + [power * u for power, (u, _, _) in zip(powers, triples)])
        return arb_mat(rows)


def certified_singular_values(matrix: Any, *, digits: int = 250) -> CertifiedSpectrum:
    """Singular values of a matrix with few rows, each proved positive where it is.

    Parameters
    ----------
    matrix : flint.arb_mat or array_like, shape (n, q)
        Floating-point entries count as exact.
    digits : int, optional
        Decimal digits carried. Eigenvalues of the Gram matrix are the squares of singular values, which is harmless
        as long as `digits` exceeds twice the digits that the smallest one is below the largest.

    Returns
    -------
    CertifiedSpectrum

    Raises
    ------
    ValueError
        If the eigenvalues cannot be separated at this precision.

    Examples
    --------
    >>> certified_singular_values([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]]).rank
    2
    """
    with _digits(digits):
        if not isinstance(matrix, arb_mat):
            matrix = arb_mat(_exact(matrix, as_matrix(matrix, "matrix"), "matrix").tolist())
        try:
            balls = [value.real for value in acb_mat(matrix * matrix.transpose()).eig(multiple=True)]
        except ValueError as error:
            raise ValueError(
                f"digits: expected enough to separate the eigenvalues, {digits} are not; raise digits, also where the "
                "matrix is computed"
            ) from error
        balls.sort(key=lambda ball: -float(ball.mid()))
        positive = np.array([bool(ball > 0) for ball in balls])
        values = [float(ball.mid().sqrt()) if sure else 0.0 for ball, sure in zip(balls, positive)]
    return CertifiedSpectrum(np.array(values), positive)


def power_law_predictor(n: int, exponent: float = 0.5, *, digits: int = 300) -> list[Any]:
    """Best linear predictor (eq. 31) of the power-law process (1 + tau)^(-exponent), by lag, as balls.

    Parameters
    ----------
    n : int
        Number of past samples.
    exponent : float, optional
        Decay of the autocovariance.
    digits : int, optional
        Decimal digits carried.

    Returns
    -------
    list of flint.arb, length n
        Coefficients of the samples at lags 1..n.

    Examples
    --------
    >>> [round(float(a), 6) for a in power_law_predictor(2)]
    [0.597717, 0.154701]
    """
    n = check_integer(n, "n", minimum=1)
    exponent = check_real(exponent, "exponent", above=0, remedy="pass a positive decay exponent")
    with _digits(digits):
        c = [arb(1 + lag) ** arb(-exponent) for lag in range(n + 1)]
        system = arb_mat([[c[abs(i - j)] for j in range(n)] for i in range(n)])
        return system.solve(arb_mat(n, 1, c[1:])).entries()


def exponential_sum(sequence: Sequence[Any], *, digits: int = 300) -> ExponentialSum:
    """Write a_0, ..., a_{2c-1} as a sum of c exponentials by Prony's method, and prove whether they are real.

    Parameters
    ----------
    sequence : sequence of flint.arb or float, length 2c
        The values, e.g. the coefficients of a model by lag.
    digits : int, optional
        Decimal digits carried.

    Returns
    -------
    ExponentialSum

    Raises
    ------
    ValueError
        If the Hankel matrix is not proved regular at this precision.

    Notes
    -----
    The monic polynomial with roots z_j annihilates the sequence: its coefficients solve a Hankel system. Its roots are
    proved real and distinct by c changes of its sign.

    Examples
    --------
    >>> exponential_sum([2.0, 3.0, 5.0, 9.0]).poles
    array([1., 2.])
    """
    sequence = as_list(sequence, "sequence", "pass 2c values for c exponentials")
    if not all(isinstance(value, arb) for value in sequence):
        sequence = _exact(sequence, as_vector(sequence, "sequence"), "sequence").tolist()
    length = len(sequence)
    if length % 2:
        raise ValueError(f"sequence: expected an even number of values, got {length}; c exponentials need 2c values")
    c = length // 2
    with _digits(digits):
        a = [arb(value) for value in sequence]
        hankel = arb_mat([a[i : i + c] for i in range(c)])
        try:
            lower = hankel.solve(arb_mat(c, 1, [-value for value in a[c:]])).entries()
            polynomial = arb_poly([*lower, arb(1)])
            roots = [_polish(acb_poly(polynomial), root.mid()) for root in acb_poly(polynomial).roots()]
            roots.sort(key=lambda root: (float(root.real), float(root.imag)))
            vandermonde = acb_mat([[root**k for root in roots] for k in range(c)])
            weights = vandermonde.solve(acb_mat(c, 1, a[:c])).entries()
        except (ZeroDivisionError, ValueError) as error:
            raise ValueError(
                f"sequence: expected a regular Hankel matrix and simple roots at {digits} digits, got others; "
                "raise digits, or take fewer values"
            ) from error
        real = [root.real for root in roots]
        points = [real[0] - 1, *((low + high) / 2 for low, high in pairwise(real)), real[-1] + 1]
        proved = _changes_sign(polynomial, points)
        logs = np.array([float((abs(weight).mid().log() / arb(10).log()).mid()) for weight in weights])
        poles, amplitudes = (np.array([complex(z) for z in each]) for each in (roots, weights))
    if proved:
        poles, amplitudes = poles.real, amplitudes.real
    return ExponentialSum(poles, amplitudes, logs, proved)


def _exact(values, doubles, name) -> np.ndarray:
    """The doubles, which are to be the values themselves: a proof about rounded ones would be one of another matrix."""
    if (rounded := np.asarray(values, dtype=object) != doubles).any():
        first = np.asarray(values, dtype=object)[rounded][0]
        raise ValueError(f"{name}: expected numbers that a double holds, got {first!r}; pass balls of flint.arb")
    return doubles


def _digits(digits):
    return ctx.workdps(check_integer(digits, "digits", minimum=15))


def _changes_sign(polynomial, points):
    """Whether a polynomial surely changes its sign between each two neighbours; where a ball holds 0, it does not."""
    signs = [(polynomial(point) > 0) - (polynomial(point) < 0) for point in points]
    return all(first * second < 0 for first, second in pairwise(signs))


def _polish(polynomial, root, *, steps=12):
    """Refine an isolated root, known to about ten digits, by Newton's method."""
    slope = polynomial.derivative()
    for _ in range(steps):
        root = (root - polynomial(root) / slope(root)).mid()
    return root
