"""Fitting a linear model to a prediction task: minimise (A - A*)^T Sigma (A - A*) over the parameters (eqs 14, 15, 33).

Gauss-Newton steps in coefficient space are the default, the L-BFGS-B of the paper is the alternative. Recurrent models
have a method of their own, `capacity.fitting.fit_recurrence`.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer, check_real
from capacity.fitting.gauss_newton import gauss_newton
from capacity.fitting.lbfgs import lbfgs
from capacity.fitting.objective import Objective
from capacity.fitting.result import Fit
from capacity.models.base import LinearModel
from capacity.tasks.base import PredictionTask

__all__ = ["fit"]


def fit(
    model: LinearModel,
    task: PredictionTask,
    *,
    method: str = "gauss-newton",
    initial: ArrayLike | None = None,
    restarts: int = 1,
    rng: Rng = None,
    max_iterations: int | None = None,
    tolerance: float = 1e-10,
    progress: bool = False,
) -> Fit:
    """Fit a linear model to a prediction task.

    Parameters
    ----------
    model : LinearModel
        The architecture.
    task : PredictionTask
        A `GaussianProcess`, `Samples` or any other class that keeps the protocol.
    method : {'gauss-newton', 'l-bfgs-b'}, optional
        How to minimise.
    initial : array_like, shape (p,), optional
        Where the first run starts; ``model.initial(rng)`` by default. Further runs start at random.
    restarts : int, optional
        Number of runs; the best one is returned.
    rng : int, Generator or None
        Source of randomness.
    max_iterations : int, optional
        Per run; 500 for Gauss-Newton, 3000 for L-BFGS-B by default.
    tolerance : float, optional
        A Gauss-Newton run stops when the cosine between the residual and its projection on the tangent space is below
        it, i.e. when K~^T X = 0 holds to that relative accuracy; it also stops where a step or the loss is lost in the
        rounding errors. L-BFGS-B stops when the gradient's largest entry is below ``tolerance`` squared.
    progress : bool, optional
        Show a progress bar over the runs.

    Returns
    -------
    Fit

    Notes
    -----
    The loss has local minima and slow valleys where the capacity is just below the number of inputs. For hierarchical
    models start at the tensor train nearest to the target, as in the second example: some 25 iterations are then
    enough, where random starts may take hundreds. For other models take several `restarts`.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> from capacity.tasks import GaussianProcess
    >>> process = GaussianProcess()
    >>> result = fit(DilatedConvolution.hierarchical(4, channels=4), process, rng=0)
    >>> result.loss < 1e-20, result.converged
    (True, True)

    >>> from capacity.models import tensor_train_parameters
    >>> model = DilatedConvolution.hierarchical(6, channels=4)
    >>> near = tensor_train_parameters(process.optimal_coefficients(64), model.taps, model.channels)
    >>> fit(model, process, initial=near).loss < 3e-10
    True
    """
    minimisers = {"gauss-newton": (gauss_newton, 500), "l-bfgs-b": (lbfgs, 3000)}
    if method not in list(minimisers):
        raise ValueError(f"method: expected one of {list(minimisers)}, got {method!r}; pass one of these names")
    minimise, default_iterations = minimisers[method]
    restarts = check_integer(restarts, "restarts", minimum=1)
    iterations = default_iterations if max_iterations is None else max_iterations
    iterations = check_integer(iterations, "max_iterations", minimum=1)
    tolerance = check_real(tolerance, "tolerance", above=0, below=1)
    objective, rng = Objective.of_task(model, task), as_generator(rng)
    runs = []
    for run in tqdm(range(restarts), desc="restarts", disable=not progress):
        start = initial if initial is not None and run == 0 else model.initial(rng)
        start = as_vector(start, "initial", length=model.n_parameters, remedy="pass model.initial(rng)").copy()
        with np.errstate(over="ignore", invalid="ignore"):
            loss = np.square(objective.residual(start)).sum()
        if not np.isfinite(loss):
            raise ValueError("initial: expected parameters of a finite loss, got too large ones; pass smaller ones")
        runs.append(minimise(objective, start, iterations, tolerance))
    best = min(runs, key=lambda run: run.loss)
    return replace(best, restarts=np.array([run.loss for run in runs]))
