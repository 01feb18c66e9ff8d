"""Linear algebra of stationary sequences: Toeplitz products and solves, Durbin's recursion, Yule-Walker equations."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from capacity.checks import as_vector, check_integer

__all__ = ["ToeplitzOperator", "durbin", "implied_autocovariance"]


@dataclass(frozen=True)
class ToeplitzOperator:
    """A symmetric Toeplitz matrix known by its first column: products by FFT, solves by Levinson's recursion.

    Examples
    --------
    >>> sigma = ToeplitzOperator(np.array([1.0, 0.5, 0.25]))
    >>> sigma @ np.array([1.0, 0.0, 0.0])
    array([1.  , 0.5 , 0.25])
    """

    column: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "column", as_vector(self.column, "column"))

    @property
    def shape(self):
        """(n, n)."""
        return (self.column.size, self.column.size)

    def __matmul__(self, other):
        return linalg.matmul_toeplitz(self.column, other)

    def solve(self, right):
        """Solution of the system with right-hand side `right`, shape (n,) or (n, k)."""
        return linalg.solve_toeplitz(self.column, right)

    def dense(self):
        """The matrix itself, shape (n, n)."""
        return linalg.toeplitz(self.column)


def durbin(autocovariances):
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
    """
    c = as_vector(autocovariances, "autocovariances")
    n = c.size - 1
    coefficients, variances = np.zeros(n), np.empty(n + 1)
    variances[0] = c[0]
    for k in range(n + 1):
        if not variances[k] > 0:
            raise ValueError(
                f"autocovariances: expected a positive definite sequence, got residual variance {variances[k]:.3g} "
                f"with {k} past samples; use fewer lags, or add a small amount to lag 0"
            )
        if k < n:
            past = coefficients[:k]
            reflection = (c[k + 1] - past @ c[k:0:-1]) / variances[k]
            past -= reflection * past[::-1]
            coefficients[k] = reflection
            variances[k + 1] = variances[k] * (1 - reflection**2)
    return coefficients, variances


def implied_autocovariance(coefficients, *, n_lags=None):
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
    """
    by_lag = as_vector(coefficients, "coefficients")[::-1]
    n = by_lag.size
    n_lags = n if n_lags is None else check_integer(n_lags, "n_lags", minimum=0)
    # Lag m > 0 enters equation k through a_{k-m} (a sample in between) and through a_{k+m} (one further back).
    system = np.eye(n) - linalg.toeplitz(np.r_[0.0, by_lag[:-1]], np.zeros(n)) - linalg.hankel(np.r_[by_lag[1:], 0.0])
    try:
        with warnings.catch_warnings(action="error", category=linalg.LinAlgWarning):
            values = np.r_[1.0, linalg.solve(system, by_lag)]
    except (linalg.LinAlgError, linalg.LinAlgWarning) as error:
        raise ValueError(
            "coefficients: expected a stable recursion, got a Yule-Walker system singular to working precision; "
            "perturb or shrink the coefficients"
        ) from error
    values = np.r_[values, np.zeros(max(0, n_lags - n))]
    for k in range(n + 1, n_lags + 1):
        values[k] = by_lag @ values[k - 1 : k - n - 1 : -1]
    return values[: n_lags + 1]
