"""Linear algebra of stationary sequences: Toeplitz products, factors and solves, Durbin's recursion, Yule-Walker.

A symmetric Toeplitz matrix is a corner of a circulant one, which the FFT diagonalises. Hence fast products; a factor
R^T R where the circulant is positive; and solves by conjugate gradients, where another circulant is the preconditioner.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_matrix, as_vector, check_integer, check_size

__all__ = [
    "LARGE",
    "ToeplitzOperator",
    "check_definite",
    "circulant_root",
    "durbin",
    "implied_autocovariance",
    "one_step_predictor",
]

LARGE = 2048
"""Above this size, FFTs take the place of recursions and of dense factors that need n^2 operations or numbers."""


@dataclass(frozen=True)
class ToeplitzOperator:
    """A symmetric Toeplitz matrix known by its first column: products by FFT, solves in O(n log n) or by recursion.

    Attributes
    ----------
    column : ndarray, shape (n,)
        The first column.

    Examples
    --------
    >>> sigma = ToeplitzOperator(np.array([1.0, 0.5, 0.25]))
    >>> sigma @ np.array([1.0, 0.0, 0.0])
    array([1.  , 0.5 , 0.25])
    """

    column: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "column", as_vector(self.column, "column").copy())

    @property
    def shape(self) -> tuple[int, int]:
        """(n, n)."""
        return (self.column.size, self.column.size)

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, int]:
        """Eigenvalues of a circulant matrix with the Toeplitz matrix in its corner, at a length that suits the FFT."""
        n = self.column.size
        circle = np.zeros(scipy.fft.next_fast_len(2 * n - 1, real=True))
        circle[:n] = self.column
        circle[circle.size - n + 1 :] = self.column[:0:-1]
        return scipy.fft.rfft(circle).real, circle.size

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        n, other = self.column.size, as_array(other, "other", axes=1)
        if other.ndim == 1:
            return _filter(*self._spectrum, as_vector(other, "other", length=n)[:, None], n)[:, 0]
        return _filter(*self._spectrum, as_matrix(other, "other", rows=n), n)

    def solve(self, right: ArrayLike) -> np.ndarray:
        """Solution of the system with right-hand side `right`, shape (n,) or (n, k).

        Levinson's recursion for n up to `LARGE`; above, conjugate gradients with T. Chan's circulant preconditioner
        (Chan 1988; Chan and Ng 1996), if the sequence is known to be positive definite because the circulant that
        embeds it is. The solution is checked: where they do not converge, the recursion takes over.

        Raises
        ------
        numpy.linalg.LinAlgError
            If a principal minor is singular.
        """
        right = as_array(right, "right", axes=1)
        if right.ndim > 2 or right.shape[0] != self.column.size:
            raise ValueError(f"right: expected {self.column.size} rows, got shape {right.shape}; pass one per input")
        if self.column.size > LARGE and _embedding(self.column).min() > 0:
            solution = np.stack([self._conjugate_gradients(b) for b in right.reshape(self.column.size, -1).T], axis=1)
            if np.isfinite(solution).all():
                return solution.reshape(right.shape)
        return scipy.linalg.solve_toeplitz(self.column, right)

    def _conjugate_gradients(self, right, rtol=1e-13):
        from scipy.sparse.linalg import LinearOperator, cg

        n, c = self.column.size, self.column
        nearest = ((n - np.arange(n)) * c + np.arange(n) * np.r_[0.0, c[:0:-1]]) / n  # circulant nearest to the matrix
        values = scipy.fft.rfft(nearest).real
        preconditioner = LinearOperator((n, n), lambda x: scipy.fft.irfft(scipy.fft.rfft(x) / values, n), dtype=float)
        operator = LinearOperator((n, n), self.__matmul__, dtype=float)
        solution, size = np.zeros(n), scipy.linalg.norm(right)
        for _ in range(3):  # each round solves for what the rounding errors of the last one left
            residual = right - self @ solution
            if scipy.linalg.norm(residual) <= rtol * size:
                return solution
            solution = solution + cg(operator, residual, rtol=rtol, M=preconditioner, maxiter=200)[0]
        return np.full(n, np.nan)

    def dense(self) -> np.ndarray:
        """The matrix itself, shape (n, n)."""
        check_size(self.column.size**2, "n", "a dense matrix", remedy="use the operator itself")
        return scipy.linalg.toeplitz(self.column)


def circulant_root(autocovariances: ArrayLike, n: int) -> Any:
    """Factor R with R^T R = Sigma_n that multiplies by FFT: the square root of a circulant that embeds Sigma_n.

    Parameters
    ----------
    autocovariances : array_like, shape (m / 2 + 1,)
        c_0, ..., c_{m/2} with m / 2 >= n - 1: the circulant has m rows.
    n : int
        Number of samples.

    Returns
    -------
    LinearOperator, shape (m, n)

    Raises
    ------
    ValueError
        If the circulant has an eigenvalue that is not positive: the embedding of Dietrich and Newsam (1997) then does
        not exist at this length.

    Examples
    --------
    >>> root = circulant_root([1.0, 0.5, 0.25, 0.125], 3)
    >>> root.T @ (root @ np.array([1.0, 0.0, 0.0]))
    array([1.  , 0.5 , 0.25])
    """
    c = as_vector(autocovariances, "autocovariances")
    n = check_integer(n, "n", minimum=1, maximum=c.size, remedy="pass as many autocovariances as samples, or more")
    values, m = _embedding(c), max(2 * c.size - 2, 1)
    if not values.min() > 0:
        raise ValueError(
            f"autocovariances: expected a circulant with positive eigenvalues, got {values.min():.3g}; "
            "pass more autocovariances, or use a Cholesky factor"
        )
    from scipy.sparse.linalg import LinearOperator

    root = np.sqrt(values)
    forward, backward = (lambda x: _filter(root, m, x, m)), (lambda y: _filter(root, m, y, n))
    return LinearOperator(
        (m, n),
        matvec=lambda x: forward(x.reshape(n, 1)),
        rmatvec=lambda y: backward(y.reshape(m, 1)),
        matmat=forward,
        rmatmat=backward,
        dtype=float,
    )


def one_step_predictor(autocovariances: ArrayLike) -> tuple[np.ndarray, float]:
    """Optimal one-step predictor from n samples and its residual variance (eq. 31): Durbin up to `LARGE`, then by FFT.

    Parameters
    ----------
    autocovariances : array_like, shape (n + 1,)
        c_0, ..., c_n.

    Returns
    -------
    coefficients : ndarray, shape (n,)
        By lag, most recent first.
    variance : float

    Raises
    ------
    ValueError
        If the sequence is not positive definite.

    Notes
    -----
    Above `LARGE`, the circulant that embeds c_0..c_n is asked for positive eigenvalues, which prove the sequence
    positive definite. Where it has none, the slower recursion decides.

    Examples
    --------
    >>> one_step_predictor([1.0, 0.5, 0.25])
    (array([0.5, 0. ]), 0.75)
    """
    c = as_vector(autocovariances, "autocovariances")
    if c.size - 1 > LARGE and _embedding(c).min() > 0:
        coefficients = ToeplitzOperator(c[:-1]).solve(c[1:])
        return coefficients, float(c[0] - c[1:] @ coefficients)
    coefficients, variances = durbin(c)
    return coefficients, float(variances[-1])


def durbin(autocovariances: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Optimal one-step predictor and the residual variances of all orders, by Durbin's recursion.

    Parameters
    ----------
    autocovariances : array_like, shape (n + 1,)
        c_0, ..., c_n.

    Returns
    -------
    coefficients : ndarray, shape (n,)
        Solution of Sigma_n A = (c_1, ..., c_n), indexed by lag 1..n (most recent first).
    variances : ndarray, shape (n + 1,)
        Residual variance when 0, 1, ..., n past samples are known.

    Raises
    ------
    ValueError
        If the sequence is not positive definite: some residual variance is not positive.

    Notes
    -----
    Golub and Van Loan, Matrix Computations, Algorithm 4.7.1. A sequence is positive definite exactly if all these
    variances are positive, so that the recursion is also the test of it.

    Examples
    --------
    >>> durbin([1.0, 0.5, 0.25])
    (array([0.5, 0. ]), array([1.  , 0.75, 0.75]))
    """
    return _durbin(as_vector(autocovariances, "autocovariances"), "autocovariances")


def check_definite(column, name):
    """Refuse the first column of a Toeplitz matrix that is not positive definite.

    A circulant matrix of positive eigenvalues with the Toeplitz matrix in its corner is a proof; without one, Durbin's
    recursion decides.
    """
    if not _embedding(column).min() > 0:
        _durbin(column, name)


def _durbin(c, name):
    n = c.size - 1
    coefficients, variances = np.zeros(n), np.empty(n + 1)
    variances[0] = c[0]
    for k in range(n + 1):
        if not variances[k] > 0:
            raise ValueError(
                f"{name}: expected a positive definite sequence, got residual variance {variances[k]:.3g} "
                f"with {k} past samples; use fewer lags, or add a small amount to lag 0"
            )
        if k < n:
            past = coefficients[:k]
            reflection = (c[k + 1] - past @ c[k:0:-1]) / variances[k]
            past -= reflection * past[::-1]
            coefficients[k] = reflection
            variances[k + 1] = variances[k] * (1 - reflection**2)
    return coefficients, variances


def implied_autocovariance(coefficients: ArrayLike, *, n_lags: int | None = None) -> np.ndarray:
    """Autocovariance of the process that given linear coefficients predict optimally: eq. 31 solved backwards.

    The Yule-Walker equations c_k = sum_j a_j c_{|k-j|}, k = 1..n, with c_0 = 1, are n linear equations for c_1..c_n;
    later lags follow from the recursion itself.

    Parameters
    ----------
    coefficients : array_like, shape (n,)
        Oldest first.
    n_lags : int, optional
        Largest lag wanted; n by default.

    Returns
    -------
    ndarray, shape (n_lags + 1,)
        c_0 = 1, c_1, ..., c_{n_lags}.

    Raises
    ------
    ValueError
        If the equations are singular, which stable coefficients never are (n = 2: where a_2 = 1).

    Notes
    -----
    Source: paper 1, Appendix B.1, below eq. 31. The solution of unstable coefficients satisfies the equations without
    being the autocovariance of any process.

    Examples
    --------
    >>> implied_autocovariance([0.0, 0.5], n_lags=3)
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    by_lag = as_vector(coefficients, "coefficients")[::-1]
    n = by_lag.size
    n_lags = n if n_lags is None else check_integer(n_lags, "n_lags", minimum=0, maximum=2**24)
    # Lag m > 0 enters equation k through a_{k-m} (a sample in between) and through a_{k+m} (one further back).
    system = (
        np.eye(n)
        - scipy.linalg.toeplitz(np.r_[0.0, by_lag[:-1]], np.zeros(n))
        - scipy.linalg.hankel(np.r_[by_lag[1:], 0.0])
    )
    try:
        with warnings.catch_warnings(action="error", category=scipy.linalg.LinAlgWarning):
            values = np.r_[1.0, scipy.linalg.solve(system, by_lag)]
    except (scipy.linalg.LinAlgError, scipy.linalg.LinAlgWarning) as error:
        raise ValueError(
            "coefficients: expected a stable recursion, got a Yule-Walker system singular to working precision; "
            "perturb or shrink the coefficients"
        ) from error
    values = np.r_[values, np.zeros(max(0, n_lags - n))]
    for k in range(n + 1, n_lags + 1):
        values[k] = by_lag @ values[k - 1 : k - n - 1 : -1]
    return values[: n_lags + 1]


def _embedding(column):
    """Eigenvalues of the smallest symmetric circulant matrix whose first entries are those of `column`."""
    return scipy.fft.rfft(np.r_[column, column[-2:0:-1]]).real


def _filter(spectrum, size, columns, n_out, chunk=2**22):
    """Multiply columns by a circulant matrix of given spectrum and size, and keep the first n_out rows of the product.

    FFTs run along contiguous memory, some columns at a time; the result is stored by columns, as LAPACK wants it.
    """
    result = np.empty((columns.shape[1], n_out))
    step = max(1, chunk // size)
    for start in range(0, columns.shape[1], step):
        rows = np.ascontiguousarray(columns[:, start : start + step].T)
        result[start : start + step] = scipy.fft.irfft(spectrum * scipy.fft.rfft(rows, size, axis=1), size, axis=1)[
            :, :n_out
        ]
    return result.T
