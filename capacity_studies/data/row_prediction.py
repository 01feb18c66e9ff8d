"""Prediction of rows of numbers from their past, with the last part of each row held out.

All that a linear prediction asks of data are second moments, here one matrix for the training part and one for the
rest. A loss, on either part, is then a quadratic form, however many values there are.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from capacity._validation import as_array, check_integer
from capacity.linalg.covariances import as_covariance

__all__ = ["RowPrediction"]


@dataclass(frozen=True)
class RowPrediction:
    """The task of predicting each value of some rows from the n values before it in its row.

    Attributes
    ----------
    train, test : ndarray, shape (n + 1, n + 1)
        Second moments of the n inputs, the oldest first, and the target, over all targets of the part, about the mean
        of the training part.

    Examples
    --------
    >>> wave = np.sin(0.3 * np.arange(300))
    >>> task = RowPrediction.from_rows(wave + 0.01 * np.cos(np.arange(300) ** 2), 2)
    >>> float(task.held_out_loss(task.optimal_coefficients(2))) < 0.01
    True
    """

    train: np.ndarray
    test: np.ndarray

    def __post_init__(self) -> None:
        train = as_covariance(self.train, "train", definite=True)
        object.__setattr__(self, "train", train)
        object.__setattr__(self, "test", as_covariance(self.test, "test", size=len(train)))

    @classmethod
    def from_rows(cls, rows: ArrayLike, n: int, *, share: float = 2 / 3) -> "RowPrediction":
        """Moments of windows of n + 1 values.

        Parameters
        ----------
        rows : array_like, shape (t,) or (rows, t)
            Equally spaced observations, the oldest first; several rows are realisations of the same.
        n : int
            Inputs of a prediction.
        share : float, optional
            Share of each row that is for training. The inputs of a test target may lie in that part, as in a forecast.

        Returns
        -------
        RowPrediction
        """
        table = as_array(rows, "rows", axes=1, remedy="pass one row of numbers, or several of one length")
        table = table.reshape(-1, table.shape[-1])
        cut = round(share * table.shape[1])
        table = table - table[:, :cut].mean()
        parts = [_windows(part, n + 1) for part in (table[:, :cut], table[:, cut - n :])]
        return cls(*[part.T @ part / len(part) for part in parts])

    @property
    def n_inputs(self) -> int:
        """Number of inputs n."""
        return len(self.train) - 1

    @property
    def components(self) -> int:
        """Number of input components per position."""
        return 1

    def covariance(self, n: int) -> np.ndarray:
        """Second moments of the n most recent inputs on the training part, shape (n, n)."""
        recent = self._recent(n)
        return self.train[recent, recent]

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the least-squares prediction from the n most recent inputs, shape (n,)."""
        recent = self._recent(n)
        return linalg.solve(self.train[recent, recent], self.train[recent, -1], assume_a="pos")

    def training_loss(self, coefficients: ArrayLike) -> np.ndarray:
        """Mean squared error on the training targets, over their mean square; as `held_out_loss`."""
        return self._loss(self.train, coefficients)

    def held_out_loss(self, coefficients: ArrayLike) -> np.ndarray:
        """Mean squared error on the test targets, over their mean square.

        Parameters
        ----------
        coefficients : array_like, shape (..., m)
            Of the m most recent inputs, the oldest first; the others have none.

        Returns
        -------
        ndarray, shape (...)
        """
        return self._loss(self.test, coefficients)

    def _loss(self, moments, coefficients):
        coefficients = as_array(coefficients, "coefficients", axes=1)
        recent = self._recent(coefficients.shape[-1])
        cross = coefficients @ moments[recent, -1]
        square = np.sum((coefficients @ moments[recent, recent]) * coefficients, axis=-1)
        return 1 + (square - 2 * cross) / moments[-1, -1]

    def _recent(self, n):
        n = check_integer(n, "n", minimum=1, maximum=self.n_inputs, remedy="make the task with more inputs")
        return slice(self.n_inputs - n, self.n_inputs)


def _windows(rows, length):
    return np.lib.stride_tricks.sliding_window_view(rows, length, axis=1).reshape(-1, length)
