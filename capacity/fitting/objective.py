"""The loss of a linear model on a prediction task, its gradient, and how far parameters are from an optimum.

With Sigma = R^T R the residual r = R (A - A*) has n entries however many parameters there are, and the loss is its
squared norm. For many inputs R is not the Cholesky factor, which has n^2 entries, but the square root of a circulant
matrix that embeds Sigma (`capacity.linalg.circulant_root`): it has about 2n rows, R^T R = Sigma still holds, products
are FFTs. Source: paper 1, eqs 14 to 16 and 33.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_matrix, as_vector, check_finite, check_members
from capacity.linalg.covariances import cholesky_factor
from capacity.linalg.precision import rounding_tolerance
from capacity.linalg.subspaces import orthonormal_basis
from capacity.models.base import LinearModel, as_parameters, check_model, of_each
from capacity.tasks.prediction_task import PredictionTask

__all__ = ["Objective", "check_task", "stationarity"]

_OF_MODELS = ("components", "n_inputs", "n_parameters", "initial", "coefficients", "pullback", "tangent_factors")
_OF_TASKS = ("components", "covariance", "optimal_coefficients")


@dataclass(frozen=True)
class Objective:
    """The loss (A - A*)^T Sigma (A - A*) of a model as a function of its parameters.

    Attributes
    ----------
    model : LinearModel
        The architecture.
    root : ndarray or LinearOperator, shape (m, n), or ndarray, shape (tasks, m, n)
        A factor R of the covariance, Sigma = R^T R, or one of each task.
    target : ndarray, shape (n,) or (tasks, n)
        Optimal coefficients A*.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> objective = Objective.of_task(model, GaussianProcess())
    >>> loss, gradient = objective.loss_and_gradient(model.initial(rng=0))
    >>> gradient.shape, bool(np.isclose(loss, np.sum(objective.residual(model.initial(rng=0)) ** 2)))
    ((6,), True)
    """

    model: LinearModel
    root: Any
    target: np.ndarray

    @classmethod
    def of_task(cls, model: LinearModel, task: PredictionTask) -> "Objective":
        """Loss of a model on a task of as many components, which gives the target and a root of the covariance."""
        check_model(model, *_OF_MODELS)
        check_task(task, model.components)
        n, remedy = model.n_inputs // model.components, "let the task return one number per input"
        target = as_vector(
            task.optimal_coefficients(n), "task.optimal_coefficients", length=model.n_inputs, remedy=remedy
        )
        if not hasattr(task, "root"):
            return cls(model, cholesky_factor(task.covariance(n), "task.covariance", size=model.n_inputs), target)
        root = task.root(n)
        if hasattr(root, "__array__") or not hasattr(root, "shape"):
            root = as_matrix(root, "task.root", columns=model.n_inputs)
        return cls(model, root, target)

    @classmethod
    def of_tasks(cls, model: LinearModel, tasks: Sequence[PredictionTask]) -> "Objective":
        """The losses of a model on some tasks, stacked: roots and targets have a leading axis."""
        each = [cls.of_task(model, task) for task in tasks]
        if {type(one.root) for one in each} != {np.ndarray} or len({one.root.shape for one in each}) > 1:
            raise ValueError("tasks: expected roots that are matrices of one shape, got others; fit them one by one")
        return cls(model, np.stack([one.root for one in each]), np.stack([one.target for one in each]))

    def of(self, members: Any) -> "Objective":
        """The losses on some of the tasks of a stack; a single task is that of all members."""
        return self if self.target.ndim == 1 else Objective(self.model, self.root[members], self.target[members])

    @cached_property
    def energy(self) -> Any:
        """Loss of a model whose coefficients are zero."""
        return np.linalg.norm(_times(self.root, self.target), axis=-1) ** 2

    @property
    def rounding_error(self) -> Any:
        """Loss that n rounding errors make: below it, nothing is known."""
        return self.target.shape[-1] * np.finfo(float).eps ** 2 * self.energy

    def residual(self, parameters: np.ndarray) -> np.ndarray:
        """Residual r = R (A - A*), shape (..., m); the loss is r^T r."""
        return _times(self.root, self.linear(parameters)[0] - self.target)

    def loss_and_gradient(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Loss and its gradient 2 (dA/dW)^T R^T r with respect to the parameters, shape (p,)  (eqs 15, 16)."""
        coefficients, pullback = self.linear(parameters)
        residual = self.root @ (coefficients - self.target)
        return float(residual @ residual), 2 * pullback(self.root.T @ residual)

    def pullback(self, parameters: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Product (dA/dW)^T R^T y, shape (..., p)."""
        turned = self.root.T if self.target.ndim == 1 else self.root.swapaxes(-1, -2)
        return self.linear(parameters)[1](_times(turned, weights))

    def tangent(self, parameters: np.ndarray) -> np.ndarray:
        """Tangent factors of all layers side by side, in the metric of the loss: R T, shape (..., m, q)."""
        factors = np.concatenate(list(of_each(self.model.tangent_factors, parameters).values()), axis=-1)
        if isinstance(self.root, np.ndarray) or factors.ndim == 2:
            return self.root @ factors
        return np.stack([self.root @ each for each in factors])

    def linear(self, parameters: np.ndarray) -> tuple[np.ndarray, Callable]:
        """Coefficients, and their pullback; not checked where the model has a `vjp`."""
        model = self.model
        own = getattr(type(model), "vjp", None)  # a wrapper that hands on what it lacks has other coefficients
        if own is not None:
            return own(model, parameters)
        return of_each(model.coefficients, parameters), partial(of_each, model.pullback, parameters)


def _times(root, vectors):
    """Products of a root with each of a stack of vectors, or of each of a stack of roots with its own.

    A matrix takes them one by one, so that no bit of a product depends on the others.
    """
    return (root @ vectors[..., None])[..., 0] if isinstance(root, np.ndarray) else (root @ vectors.T).T


def check_task(task: PredictionTask, components: int, name: str = "task") -> None:
    """Refuse what is no task, or one of another number of components than a model has."""
    check_members(task, name, _OF_TASKS, "make one: GaussianProcess(empirical(series)) or Samples.from_series")
    if components != task.components:
        raise ValueError(
            f"{name}: expected {components} components like the model, got {task.components}; "
            f"build the model with components={task.components}"
        )


def stationarity(model: LinearModel, parameters: ArrayLike, task: PredictionTask) -> float:
    """How far parameters are from an optimum: the cosine between the residual and the tangent space of the model.

    Parameters
    ----------
    model : LinearModel
        The architecture.
    parameters : array_like, shape (p,)
        Trained here or elsewhere.
    task : PredictionTask
        As in `fit`.

    Returns
    -------
    float
        In [0, 1]; 0 where K~^T X = 0, i.e. where the error satisfies the constraints. Its square is the share of the
        loss that a step would remove if the model were linear in its parameters. Also 0 where the loss is, up to
        rounding errors.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess, fit
    >>> model, process = DilatedConvolution.hierarchical(3, channels=1), GaussianProcess()
    >>> stationarity(model, fit(model, process, rng=0).parameters, process) < 1e-4
    True
    >>> stationarity(model, model.initial(rng=0), process) < 1e-4
    False
    """
    objective, parameters = Objective.of_task(model, task), as_parameters(model, parameters, single=True)
    with np.errstate(over="ignore", invalid="ignore"):
        residual = objective.residual(parameters)
        check_finite(residual @ residual, "parameters", "a loss", "pass smaller ones")
    if residual @ residual <= objective.rounding_error:
        return 0.0
    rtol = rounding_tolerance(*model.tangent_factors(parameters).values())
    tangent = orthonormal_basis(objective.tangent(parameters), rtol=rtol).vectors
    return float(scipy.linalg.norm(tangent.T @ residual) / scipy.linalg.norm(residual))
