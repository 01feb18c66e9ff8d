"""The task of linear prediction from samples: a table of inputs and what is to be predicted from each of its rows.

A stationary process gives its covariance by its autocovariances alone (`GaussianProcess`). A table makes no such
assumption: several series that depend on each other, another target than the next sample, another kind of data.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_matrix, as_vector, check_divisor, check_integer
from capacity.linalg.precision import rounding_tolerance

__all__ = ["Samples"]


@dataclass(frozen=True)
class Samples:
    """The least-squares prediction of outputs from inputs, both taken about their means.

    Attributes
    ----------
    inputs : ndarray, shape (t, n)
        One row per sample, the oldest position first; where a position has several components, they stand together.
    outputs : ndarray, shape (t,)
        What is to be predicted from each row.
    components : int
        Input components d per position; a divisor of n.

    Raises
    ------
    ValueError
        If the inputs are linearly dependent, as they are where t <= n.

    Notes
    -----
    A model that reads fewer positions than there are gets the most recent ones. Losses have the squared unit of the
    outputs; add `residual_variance` to have the mean squared error on the samples.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> inputs = rng.standard_normal((100, 3))
    >>> Samples(inputs, inputs @ [1, 2, 3] + 4).optimal_coefficients(3)
    array([1., 2., 3.])
    """

    inputs: np.ndarray
    outputs: np.ndarray
    components: int = 1

    def __post_init__(self) -> None:
        inputs = as_matrix(self.inputs, "inputs", remedy="pass one row of numbers per sample")
        outputs = as_vector(self.outputs, "outputs", length=len(inputs), remedy="pass one number per row of inputs")
        check_divisor(self.components, "components", inputs.shape[1], "pass all components of each position")
        _check_rank(inputs, rounding_tolerance(self.inputs[:1]))
        object.__setattr__(self, "inputs", inputs - inputs.mean(axis=0))
        object.__setattr__(self, "outputs", outputs - outputs.mean())

    @classmethod
    def from_series(cls, series: ArrayLike, n: int, *, horizon: int = 1, target: int = 0) -> "Samples":
        """Cut a series into windows of n positions, each with the value `horizon` steps after its end.

        Parameters
        ----------
        series : array_like, shape (t,) or (t, d)
            Equally spaced observations, the oldest first; d series side by side.
        n : int
            Positions per window.
        horizon : int, optional
            How many steps ahead to predict.
        target : int, optional
            Which of the d series.

        Returns
        -------
        Samples
            With t - n - horizon + 1 rows of n d inputs.
        """
        table = as_array(series, "series", axes=1, remedy="pass one row per time")
        table = as_matrix(table[:, None] if table.ndim == 1 else table, "series", remedy="pass one row per time")
        horizon = check_integer(horizon, "horizon", minimum=1)
        n = check_integer(n, "n", minimum=1, maximum=len(table) - horizon, remedy="cut shorter windows")
        target = check_integer(target, "target", minimum=0, maximum=table.shape[1] - 1, remedy="number a series from 0")
        windows = np.lib.stride_tricks.sliding_window_view(table[:-horizon], n, axis=0)  # (rows, d, n)
        inputs = windows.transpose(0, 2, 1).reshape(len(windows), -1)
        _check_rank(inputs, rounding_tolerance(np.asarray(series)[:n]))
        return cls(inputs, table[n + horizon - 1 :, target], table.shape[1])

    def root(self, n: int) -> np.ndarray:
        """Triangular factor R of the covariance, Sigma = R^T R, shape (n d, n d)."""
        recent = self._recent(n)
        return scipy.linalg.qr(recent, mode="r")[0][: recent.shape[1]] / np.sqrt(len(recent))

    def covariance(self, n: int) -> np.ndarray:
        """Covariance of the n most recent positions over the samples, shape (n d, n d)."""
        root = self.root(n)
        return root.T @ root

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the least-squares prediction from n positions, shape (n d,)."""
        recent = self._recent(n)
        lengths = np.linalg.norm(recent, axis=0)  # columns of length 1: the cut of small ones must not depend on units
        return np.linalg.lstsq(recent / lengths, self.outputs)[0] / lengths

    def residual_variance(self, n: int) -> float:
        """Variance v* of the outputs that this prediction leaves."""
        return float(np.var(self.outputs - self._recent(n) @ self.optimal_coefficients(n)))

    def _recent(self, n):
        positions = self.inputs.shape[1] // self.components
        n = check_integer(n, "n", minimum=1, maximum=positions, remedy="pass inputs with as many positions")
        return self.inputs[:, self.inputs.shape[1] - n * self.components :]


def _check_rank(inputs, digits):
    """Refuse columns that are dependent, in any units, to the digits of double precision or to those of a row."""
    about_means = inputs - inputs.mean(axis=0)
    lengths = np.linalg.norm(about_means, axis=0)
    rounding = max(np.finfo(float).eps * max(inputs.shape), digits or 0.0)
    constant = lengths <= rounding * np.linalg.norm(inputs, axis=0)
    rank = np.linalg.matrix_rank(about_means / np.where(constant, np.inf, lengths), rtol=rounding)
    if rank < inputs.shape[1]:
        raise ValueError(
            f"inputs: expected {inputs.shape[1]} columns that are linearly independent about their means, got rank "
            f"{rank} from {len(inputs)} rows; pass more samples, or leave out inputs that follow from others"
        )
