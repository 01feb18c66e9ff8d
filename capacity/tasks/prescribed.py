"""A task whose optimal coefficients are given: its minimum is known where a model attains them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from capacity._validation import as_vector

__all__ = ["PrescribedTask"]


@dataclass(frozen=True)
class PrescribedTask:
    """A prediction task with given optimal coefficients and the inputs of a given process.

    Attributes
    ----------
    process : GaussianProcess
        Gives the covariance of the inputs.
    target : ndarray, shape (n,)
        Optimal coefficients A*, e.g. ``model.coefficients(model.initial(rng))``, which the model attains.

    Examples
    --------
    >>> from capacity import FunctionModel, GaussianProcess, fit
    >>> model = FunctionModel(lambda w: np.array([3.0, 4.0]) * w, {"w": (1,)})
    >>> fit(model, PrescribedTask(GaussianProcess(), [6.0, 8.0]), rng=0).parameters
    array([2.])
    """

    process: Any
    target: np.ndarray

    @property
    def components(self) -> int:
        """Number of input components per position."""
        return self.process.components

    def covariance(self, n: int) -> np.ndarray:
        """Covariance of n positions."""
        return self.process.covariance(n)

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """The given coefficients."""
        return as_vector(self.target, "target", length=n * self.components)
