"""What a fit gives, by whatever method."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capacity.fitting.objective import Objective

__all__ = ["Fit"]


@dataclass(frozen=True)
class Fit:
    """A fitted model.

    Attributes
    ----------
    parameters : ndarray, shape (p,)
        The best parameters found.
    coefficients : ndarray, shape (n,)
        The model's coefficients there.
    loss : float
        (A - A*)^T Sigma (A - A*), in units of the variance of what is predicted.
    losses : ndarray, shape (iterations + 1,)
        Loss after each iteration of the best run, the initial one first.
    method : str
        'gauss-newton', 'l-bfgs-b' or 'variable projection'.
    converged : bool
        Whether a stopping rule was met before the iterations ran out.
    message : str
        Which one.
    restarts : ndarray, shape (restarts,)
        Final loss of each run, in the order of the runs.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess, fit
    >>> found = fit(DilatedConvolution.hierarchical(3, channels=1), GaussianProcess(), rng=0)
    >>> found.converged, found.method, bool(found.loss == found.restarts.min())
    (True, 'gauss-newton', True)
    """

    parameters: np.ndarray
    coefficients: np.ndarray
    loss: float
    losses: np.ndarray
    method: str
    converged: bool
    message: str
    restarts: np.ndarray

    @property
    def iterations(self) -> int:
        """Steps of the best run."""
        return self.losses.size - 1

    @property
    def status(self) -> str:
        """How the best run ended: 'converged after 25 iterations', or 'stopped', and the message."""
        return f"{'converged' if self.converged else 'stopped'} after {self.iterations} iterations: {self.message}"

    @classmethod
    def of_run(
        cls,
        objective: Objective,
        parameters: np.ndarray,
        losses: Sequence[float],
        method: str,
        converged: bool,
        message: str,
    ) -> "Fit":
        """Gather what one run of a method found, with the loss at its end."""
        residual = objective.residual(parameters)
        loss, coefficients = float(residual @ residual), objective.model.coefficients(parameters)
        return cls(parameters, coefficients, loss, np.array(losses), method, converged, message, np.array([loss]))
