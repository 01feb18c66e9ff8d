"""The protocol of a prediction task: what is to be predicted, linearly, from what.

A task lives on n positions of `components` inputs each, n being the model's to choose; the oldest position comes
first, and the components of a position stand together. Source: paper 1, Sections 4.1 and 6, eqs 13 to 15.
"""

from typing import Protocol, runtime_checkable

import numpy as np

__all__ = ["PredictionTask"]


@runtime_checkable
class PredictionTask(Protocol):
    """What fitting and allocation ask of a task.

    A class of your own needs these three members and no more. It may offer ``root(n)``, a factor R of the covariance,
    Sigma = R^T R, as a matrix or a linear operator; where it does not, `fit` takes the Cholesky factor of the
    covariance, which has to be positive definite.

    Examples
    --------
    >>> from capacity import GaussianProcess
    >>> isinstance(GaussianProcess(), PredictionTask), GaussianProcess().components
    (True, 1)
    """

    @property
    def components(self) -> int:
        """Number d of input components per position."""

    def covariance(self, n: int) -> np.ndarray:
        """Covariance Sigma of the inputs of n positions, shape (n d, n d)."""

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the best linear prediction from n positions, shape (n d,)."""
