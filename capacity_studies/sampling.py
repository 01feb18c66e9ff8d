"""Fits of linear models to samples drawn again and again: how much they scatter, and what they lose on new samples."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from capacity.fitting import fit_many
from capacity.tasks import Samples
from capacity_inspection.reports import sampling_variance

__all__ = ["Linear", "Refits", "refits"]


@dataclass(frozen=True)
class Linear:
    """Gaussian inputs of some covariance, and outputs that are linear in them but for noise: a prediction task.

    Attributes
    ----------
    target : ndarray, shape (n,)
    matrix : ndarray, shape (n, n)
        Covariance of the inputs.
    noise : float
        Variance of the noise.
    uneven : bool
        Whether the noise is multiplied by the last input, of unit variance.
    """

    target: np.ndarray
    matrix: np.ndarray
    noise: float
    uneven: bool = False
    components: int = 1

    def covariance(self, n):
        """That of the inputs, of which there are n."""
        return self.matrix

    def optimal_coefficients(self, n):
        """The target."""
        return self.target

    def residual_variance(self, n):
        """That of the noise."""
        return self.noise

    def draw(self, count, rng):
        """Samples of inputs and outputs."""
        inputs = rng.standard_normal((count, len(self.matrix))) @ linalg.cholesky(self.matrix)
        noise = rng.normal(0, self.noise**0.5, count) * (inputs[:, -1] if self.uneven else 1)
        return Samples(inputs, inputs @ self.target + noise)


@dataclass(frozen=True)
class Refits:
    """Fits to independent draws of samples.

    Attributes
    ----------
    coefficients : ndarray, shape (draws, n)
    standard_errors : ndarray, shape (draws, n)
        That each fit tells of its coefficients; NaN where its optimum is singular.
    units : ndarray, shape (draws,)
        N/2 times the loss on new samples less that on those fitted, over the variance of the noise. Both losses are
        counted from those of the best parameters, which leaves the mean as it is, and less scatter.
    """

    coefficients: np.ndarray
    standard_errors: np.ndarray
    units: np.ndarray


def refits(model, best, task, count, draws, rng):
    """Fit a model to `draws` sets of `count` samples of a task, each from the best parameters as its start."""
    rng = np.random.default_rng(rng)
    optimum, drawn = model.coefficients(best), [task.draw(count, rng) for _ in range(draws)]
    fits, deviations, training = fit_many(model, drawn, np.tile(best, (draws, 1))), [], []
    for samples, found in zip(drawn, fits):
        try:
            deviations.append(sampling_variance(model, found.parameters, samples).coefficients())
        except ValueError:
            deviations.append(np.full(model.n_inputs, np.nan))
        errors = samples.outputs[:, None] - samples.inputs @ np.column_stack([found.coefficients, optimum])
        training.append(np.square(errors).mean(axis=0) @ [1, -1])
    coefficients = np.array([found.coefficients for found in fits])
    errors, away = coefficients - task.target, optimum - task.target
    new = ((errors @ task.matrix) * errors).sum(axis=1) - away @ task.matrix @ away
    return Refits(coefficients, np.array(deviations), count / 2 * (new - np.array(training)) / task.noise)
