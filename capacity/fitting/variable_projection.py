"""Fitting a diagonal recurrence by variable projection: minimise over the poles only.

For given poles the best weights of the exponentials solve a linear least-squares problem. Put in, they leave a problem
in c unknowns without the slow valleys of the original one (Golub and Pereyra 1973; the Jacobian is Kaufman's, 1975).
Fits of eq. 21 by L-BFGS-B or Gauss-Newton in all 3c parameters stop far above its minimum.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg, optimize
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer, check_members
from capacity.fitting.objective import Objective
from capacity.fitting.result import Fit
from capacity.models.recurrences import DiagonalRecurrence, scaled_exponentials
from capacity.tasks.base import PredictionTask

__all__ = ["fit_recurrence"]


def fit_recurrence(
    model: DiagonalRecurrence,
    task: PredictionTask,
    *,
    restarts: int = 10,
    rng: Rng = None,
    max_iterations: int = 1000,
    progress: bool = False,
) -> Fit:
    """Fit a `DiagonalRecurrence` (paper 1, eq. 21) to a prediction task (Golub and Pereyra 1973).

    Parameters
    ----------
    model : DiagonalRecurrence
        The architecture. Its bound, if any, is respected.
    task : PredictionTask
        With one component.
    restarts : int, optional
        Number of runs, from poles drawn uniformly in (-1.3, 1.3) or within the bound; the best one is returned.
    rng : int, Generator or None
        Source of randomness.
    max_iterations : int, optional
        Evaluations per run.
    progress : bool, optional
        Show a progress bar over the runs.

    Returns
    -------
    Fit
        With method 'variable projection'; `losses` holds the loss at each accepted iterate. W_in and W_out share each
        weight equally, up to its sign.

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess
    >>> from capacity.models import DiagonalRecurrence
    >>> fit_recurrence(DiagonalRecurrence(64, channels=8), GaussianProcess(), rng=0).loss < 1e-9
    True
    """
    restarts = check_integer(restarts, "restarts", minimum=1)
    evaluations = check_integer(max_iterations, "max_iterations", minimum=1)
    check_members(model, "model", ("bound", "channels", "n_inputs"), "pass a DiagonalRecurrence; others go to fit")
    objective, rng = Objective.of_task(model, task), as_generator(rng)
    problem = _Projected(objective, objective.root @ objective.target)
    runs = [
        _run(problem, problem.start(rng), evaluations)
        for _ in tqdm(range(restarts), desc="restarts", disable=not progress)
    ]
    best = min(runs, key=lambda run: run.loss)
    return replace(best, restarts=np.array([run.loss for run in runs]))


@dataclass(frozen=True)
class _Projected:
    """The least-squares problem in the recurrent weights alone, the other weights being the best ones for them."""

    objective: Objective
    wanted: np.ndarray  # R A*

    @property
    def limit(self):
        """Largest recurrent weight at which no power z^(n-1) overflows."""
        model = self.objective.model
        pole = 10.0 ** (300 / max(model.n_inputs - 1, 1))
        if model.bound is None:
            return pole
        return np.inf if model.bound <= pole else np.arctanh(pole / model.bound)

    def start(self, rng):
        """Random recurrent weights."""
        model = self.objective.model
        poles = rng.uniform(-1, 1, model.channels) * (min(1.3, self.limit) if model.bound is None else 1.0)
        return poles if model.bound is None else np.clip(np.arctanh(poles), -self.limit, self.limit)

    def poles(self, recurrence):
        """Poles of recurrent weights."""
        bound = self.objective.model.bound
        return recurrence if bound is None else bound * np.tanh(recurrence)

    def split(self, poles):
        """Orthonormal basis of the span of the exponentials in the metric of the loss, and their best weights."""
        n = self.objective.model.n_inputs
        exponentials = self.objective.root @ scaled_exponentials(poles, n)[0][::-1]
        left, values, right = linalg.svd(exponentials, full_matrices=False, check_finite=False)
        kept = values > values[0] * np.finfo(float).eps * n
        left = left[:, kept]
        return left, right[kept].T @ ((left.T @ self.wanted) / values[kept])

    def residual(self, recurrence):
        """What is left of R A* outside the span."""
        left, _ = self.split(self.poles(recurrence))
        return left @ (left.T @ self.wanted) - self.wanted

    def jacobian(self, recurrence):
        """Kaufman's approximation of the residual's derivative by the recurrent weights."""
        model, poles = self.objective.model, self.poles(recurrence)
        left, weights = self.split(poles)
        chain = 1.0 if model.bound is None else model.bound - poles**2 / model.bound
        moved = self.objective.root @ scaled_exponentials(poles, model.n_inputs)[1][::-1] * (weights * chain)
        return moved - left @ (left.T @ moved)

    def parameters(self, recurrence):
        """All parameters at recurrent weights: W_in and W_out share each best weight equally, up to its sign."""
        poles = self.poles(recurrence)
        weights = self.split(poles)[1] / np.where(np.abs(poles) > 1, poles, 1.0) ** (self.objective.model.n_inputs - 1)
        share = np.sqrt(np.abs(weights))
        return np.concatenate([share, recurrence, np.sign(weights) * share])


def _run(problem, start, evaluations):
    first = problem.residual(start)
    losses = [first @ first]
    found = optimize.least_squares(
        problem.residual,
        start,
        problem.jacobian,
        bounds=(-problem.limit, problem.limit),
        x_scale="jac",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=evaluations,
        callback=lambda intermediate_result: losses.append(2 * intermediate_result.cost),
    )
    parameters = problem.parameters(found.x)
    converged, message = bool(found.success), str(found.message)
    return Fit.of_run(problem.objective, parameters, losses, "variable projection", converged, message)
