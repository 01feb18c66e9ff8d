"""What samples leave open: the variance of fitted coefficients and predictions, and the gap to new samples.

To first order in 1/N the estimate moves within the tangent space of the model, whose dimension is the capacity kappa.
In directions b_1 ... b_kappa of the coefficients that are orthonormal in the metric of the loss, B^T Sigma B = I, the
Hessian of half the loss is I + S, where S comes from the curvature of the model and vanishes where nothing is left to
be explained (A = A*). With scores of covariance s^2 C, the coefficients have the covariance s^2/N B D B^T with
D = (I + S)^{-1} C (I + S)^{-1}, and held-out loss exceeds training loss by 2 s^2/N tr((I + S)^{-1} C). Both are those
of least squares, D = I and the trace kappa, where the model is well specified: White (1982); Takeuchi (1976).
"""

from dataclasses import dataclass
from warnings import warn

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_matrix, check_integer
from capacity.fitting.objective import Objective
from capacity.linalg.precision import rounding_tolerance
from capacity.linalg.subspaces import singular_value_decomposition
from capacity.models.base import LinearModel, as_parameters, of_each
from capacity.tasks import PredictionTask, Samples

__all__ = ["SamplingVariance", "sampling_variance"]

_NEAR = 0.01  # distance from the optimum, in standard errors along a direction: the expansion is one about it


@dataclass(frozen=True)
class SamplingVariance:
    """How precisely a regular optimum is known from independent samples, to first order in their number.

    Attributes
    ----------
    samples : int
        Their number N.
    loss : float
        Mean squared error: of the samples that were fitted, or expected of a process.
    residual_variance : float
        Estimate s^2 of what each sample adds to it: with `samples` less the number of estimates as denominator.
    directions : ndarray, shape (n, kappa)
        B, in which the coefficients are known with the covariance s^2/N D.
    inner : ndarray, shape (kappa, kappa)
        D, the identity where the model is well specified.
    trace : float
        Takeuchi's tr((I + S)^{-1} C), which is kappa there.
    fitted : bool
        Whether the loss is that of samples that were fitted, whose mean was estimated, too.

    Examples
    --------
    >>> from capacity import FunctionModel, GaussianProcess, fit
    >>> from capacity.tasks import autoregressive
    >>> process = GaussianProcess(autoregressive([0.5]))
    >>> model = FunctionModel(lambda w: w, {"w": (2,)})
    >>> found = sampling_variance(model, fit(model, process).parameters, process, samples=1000)
    >>> found.capacity, found.coefficients(), found.generalization_gap()
    (2, array([0.03162278, 0.03162278]), 0.003)
    """

    samples: int
    loss: float
    residual_variance: float
    directions: np.ndarray
    inner: np.ndarray
    trace: float
    fitted: bool

    @property
    def capacity(self) -> int:
        """Total capacity kappa at the optimum."""
        return self.directions.shape[1]

    def coefficients(self, *, robust: bool = False) -> np.ndarray:
        """Standard errors of the coefficients, shape (n,); with `robust`, also where the model is badly specified."""
        return self._errors(self.directions, robust)

    def predictions(self, inputs: ArrayLike, *, robust: bool = False) -> np.ndarray:
        """Standard errors of the predictions from inputs, shape (m, n), about the means of the samples; shape (m,)."""
        inputs = as_matrix(inputs, "inputs", columns=len(self.directions), remedy="pass one number per coefficient")
        of_the_mean = self.residual_variance / self.samples * self.fitted
        return np.sqrt(self._errors(inputs @ self.directions, robust) ** 2 + of_the_mean)

    def generalization_gap(self, *, robust: bool = False) -> float:
        """Expected difference between the mean squared errors on new samples and on those that were fitted."""
        count = (self.trace if robust else self.capacity) + self.fitted
        return 2 * self.residual_variance * count / self.samples

    def gap(self, *, robust: bool = False) -> float:
        """The former name of `generalization_gap`, which goes with version 2."""
        warn("gap is deprecated and goes with version 2; use generalization_gap", DeprecationWarning, stacklevel=2)
        return self.generalization_gap(robust=robust)

    def held_out(self, *, robust: bool = False) -> float:
        """Expected mean squared error on new samples: the criterion by which architectures are compared.

        That is the loss on the samples plus the gap; of a process, the loss of its optimum plus half the gap, since the
        fit has not seen that loss.
        """
        return self.loss + self.generalization_gap(robust=robust) * (1.0 if self.fitted else 0.5)

    def _errors(self, rows, robust):
        moved = rows @ self.inner if robust else rows
        return np.sqrt(self.residual_variance / self.samples * np.maximum((moved * rows).sum(axis=1), 0))


def sampling_variance(
    model: LinearModel, parameters: ArrayLike, task: PredictionTask, *, samples: int | None = None
) -> SamplingVariance:
    """How precisely the optimum of a linear model is known from samples, and what it loses on new ones.

    Parameters
    ----------
    model : LinearModel
    parameters : array_like, shape (p,)
        At an optimum, as of a fit that converged.
    task : PredictionTask
        `Samples`, or a task with a `residual_variance` whose inputs are Gaussian.
    samples : int, optional
        How many independent samples are drawn from the process. Of `Samples`, their number.

    Returns
    -------
    SamplingVariance

    Raises
    ------
    ValueError
        If the parameters are at no optimum, or at a singular one, where fewer directions can move than at most
        parameters: estimates are then not normally distributed, and their variance does not fall as 1/N.

    Notes
    -----
    With white inputs of unit variance the squared error of a coefficient is s^2/N times the capacity of its input, and
    that of the prediction of a sample s^2/N times its leverage. Windows of one series are independent in the sense that
    is needed only where the model leaves an innovation, white noise.

    Examples
    --------
    >>> from capacity.fitting import fit
    >>> from capacity.models import FunctionModel
    >>> rng = np.random.default_rng(0)
    >>> inputs = rng.standard_normal((400, 2))
    >>> tied = FunctionModel(lambda w: np.array([3.0, 4.0]) * w, {"w": (1,)})
    >>> task = Samples(inputs, inputs @ [3, 4] + rng.standard_normal(400))
    >>> found = sampling_variance(tied, fit(tied, task).parameters, task)
    >>> found.capacity, found.coefficients().round(2)
    (1, array([0.03, 0.04]))
    """
    objective, parameters = Objective.of_task(model, task), as_parameters(model, parameters, single=True)
    if not hasattr(task, "residual_variance"):
        raise ValueError("task: expected one with a residual_variance, got none; pass Samples or a GaussianProcess")
    fitted = isinstance(task, Samples)
    if fitted and samples is not None:
        raise ValueError("samples: expected none beside Samples, which have their number, got one; leave it out")
    count = len(task.outputs) if isinstance(task, Samples) else check_integer(samples, "samples", minimum=1)
    directions, left = _directions(model, parameters, objective)
    estimates = directions.shape[1] + fitted
    if fitted and count <= estimates:
        raise ValueError(f"task: expected more than {estimates} samples, one per estimate, got {count}; pass more")
    residual = objective.residual(parameters)
    excess = float(residual @ residual)
    loss = excess + float(task.residual_variance(model.n_inputs // model.components))
    if not loss > objective.rounding_error:
        raise ValueError("task: expected a prediction that errs, got one without error; nothing is left to chance")
    away = scipy.linalg.norm(left.T @ residual) / np.sqrt(loss / count) if excess > objective.rounding_error else 0.0
    if away > _NEAR:
        raise ValueError(
            f"parameters: expected an optimum, got a point {away:.2g} standard errors from one; let the fit converge"
        )
    variance = loss * count / (count - estimates) if fitted else loss
    hessian = np.eye(directions.shape[1]) + _curvature(model, parameters, objective.root.T @ residual, directions)
    scores = _scores(model, parameters, task, directions, loss) if fitted else np.eye(directions.shape[1])
    try:
        factor = scipy.linalg.cho_factor(hessian)
    except scipy.linalg.LinAlgError:
        raise ValueError("parameters: expected a minimum, got a saddle of the loss; fit from another start") from None
    swept = scipy.linalg.cho_solve(factor, scores)
    inner = scipy.linalg.cho_solve(factor, swept.T)
    return SamplingVariance(count, loss, variance, directions, inner, float(np.trace(swept)), fitted)


def _directions(model, parameters, objective):
    """Directions B of the coefficients with B^T Sigma B = I, and R B, which has orthonormal columns."""
    factors = model.tangent_factors(parameters)
    rtol = max(rounding_tolerance(*factors.values()) or 0.0, max(model.n_inputs, 1) * np.finfo(float).eps)
    rank, (left, values, right) = _ranked(objective.tangent(parameters), rtol)
    generic = _ranked(objective.tangent(model.initial(0)), rtol)[0]
    if rank < generic:
        raise ValueError(
            f"parameters: expected a regular optimum, got one where {rank} directions can move and not {generic}; "
            "take a smaller model"
        )
    tangents = np.hstack(list(factors.values()))
    return tangents @ (right[:rank].T / values[:rank]), left[:, :rank]


def _ranked(matrix, rtol):
    parts = singular_value_decomposition(matrix)
    return int(np.count_nonzero(parts[1] > rtol * parts[1][0])), parts


def _curvature(model, parameters, slope, directions):
    """S: second derivatives of the coefficients times the slope of half the loss, along the directions.

    Changes of the parameters that move no coefficient leave the gradient of an optimum at zero, so that any
    preimages of the directions do.
    """
    moves = np.linalg.lstsq(model.jacobian(parameters), directions)[0].T
    steps = 1e-5 * max(scipy.linalg.norm(parameters), 1e-3) / np.linalg.norm(moves, axis=1, keepdims=True)
    slopes = np.tile(slope, (len(moves), 1))
    points = (parameters + sign * steps * moves for sign in (1, -1))
    ahead, behind = (of_each(model.pullback, each, slopes) for each in points)
    found = (ahead - behind) / (2 * steps) @ moves.T  # pullbacks are exact
    return (found + found.T) / 2


def _scores(model, parameters, task, directions, loss):
    """Covariance C of the scores along the directions, in units of the mean squared error."""
    inputs = task.inputs[:, -model.n_inputs :]
    residuals = task.outputs - inputs @ model.coefficients(parameters)
    scores = residuals[:, None] * (inputs @ directions)
    return scores.T @ scores / (len(scores) * loss)
