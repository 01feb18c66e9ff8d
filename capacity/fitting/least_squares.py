"""Fitting a linear model to a prediction task: minimise (A - A*)^T Sigma (A - A*) over the parameters (eqs 14, 15, 33).

Gauss-Newton steps in coefficient space are the default, the L-BFGS-B of the paper is the alternative. Models whose
coefficients are sums of exponentials are fitted by variable projection.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import (
    as_generator,
    as_matrix,
    check_choice,
    check_finite,
    check_integer,
    check_real,
    common_length,
)
from capacity.fitting.gauss_newton import gauss_newton
from capacity.fitting.lbfgs import lbfgs
from capacity.fitting.objective import Objective
from capacity.fitting.result import Fit
from capacity.fitting.variable_projection import variable_projection
from capacity.models.base import LinearModel, as_parameters
from capacity.tasks.prediction_task import PredictionTask

__all__ = ["fit", "fit_many"]


def fit(
    model: LinearModel,
    task: PredictionTask,
    *,
    method: str | None = None,
    initial: ArrayLike | None = None,
    restarts: int | None = None,
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
    method : {'gauss-newton', 'l-bfgs-b', 'variable projection'}, optional
        How to minimise. Default: the last one where the model is `separated` into poles and weights, else the first.
    initial : array_like, shape (p,), optional
        Where the first run starts, of which variable projection takes the poles. Others start at random.
    restarts : int, optional
        Number of runs; the best one is returned. Default: 1; of a `separated` model, as many as it needs as a rule.
    rng : int, Generator or None
        Source of randomness.
    max_iterations : int, optional
        Per run; 500 for Gauss-Newton, 3000 for L-BFGS-B by default. Of variable projection, evaluations per run (and,
        of a state-space model, per stage of it); by default as many as the model needs as a rule.
    tolerance : float, optional
        A Gauss-Newton run stops when the cosine between the residual and its projection on the tangent space is below
        it, i.e. when K~^T X = 0 holds to that relative accuracy; it also stops where a step or the loss is lost in the
        rounding errors. L-BFGS-B stops when the gradient's largest entry is below ``tolerance`` squared, the loss of
        coefficients that are zero being about one. Variable projection goes on up to rounding errors.
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

    The best poles of a state-space model are often at an end of what it can do: real, where two real ones would do
    better than a pair of conjugates, or on the unit circle. A pair that needs one real exponential becomes a real pole,
    which moves the coefficients in two directions instead of four. One that needs two of them has a double real pole as
    its limit, and ends within an angle of 1e-6 with large weights. At such an end the error does not satisfy all the
    constraints, and `stationarity` tells so.

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
    objective, rng = Objective.of_task(model, task), as_generator(rng)
    known: dict[str, Any] = {"gauss-newton": (gauss_newton, 1, 500), "l-bfgs-b": (lbfgs, 1, 3000)}
    form = None
    if hasattr(model, "separated"):
        form = model.separated
        known = {"variable projection": (variable_projection, form.restarts, form.evaluations)} | known
    minimise, runs, iterations = known[check_choice(next(iter(known)) if method is None else method, "method", known)]
    runs = check_integer(runs if restarts is None else restarts, "restarts", minimum=1)
    iterations = check_integer(iterations if max_iterations is None else max_iterations, "max_iterations", minimum=1)
    tolerance = check_real(tolerance, "tolerance", above=0, below=1)
    starts = []
    for run in range(runs):
        start = None if initial is None or run else as_parameters(model, initial, "initial", single=True)
        if form is not None and minimise is variable_projection:
            starts.append(form.start(rng) if start is None else form.point(start))
        else:
            starts.append(as_parameters(model, model.initial(rng) if start is None else start, "initial", single=True))
            _check_loss(objective, starts[-1])
    if minimise is gauss_newton:
        found = gauss_newton(objective, np.array(starts), iterations, tolerance, raises=runs == 1)
    else:
        found = enumerate(minimise(objective, start.copy(), iterations, tolerance) for start in starts)
    fits = dict(tqdm(found, desc="restarts", total=runs, disable=not progress))
    best = min((fits[run] for run in range(runs)), key=lambda each: each.loss)
    return replace(best, restarts=np.array([fits[run].loss for run in range(runs)]))


def fit_many(
    model: LinearModel,
    tasks: PredictionTask | Sequence[PredictionTask],
    starts: ArrayLike,
    *,
    max_iterations: int = 500,
    tolerance: float = 1e-10,
) -> list[Fit]:
    """Fit a linear model from many starts, or to many tasks, at once, by the Gauss-Newton steps of `fit`.

    Parameters
    ----------
    model : LinearModel
        The architecture.
    tasks : PredictionTask, or sequence of such
        One for all fits, or one for each.
    starts : array_like, shape (fits, p)
        Where each fit starts.
    max_iterations, tolerance
        As in `fit`.

    Returns
    -------
    list of Fit
        In the order of the starts. A fit that fails keeps its last step, and its `message` is the error.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> from capacity.tasks import GaussianProcess
    >>> model = DilatedConvolution([1, 2, 4])
    >>> found = fit_many(model, GaussianProcess(), [model.initial(seed) for seed in range(3)])
    >>> [each.converged for each in found]
    [True, True, True]
    """
    starts = as_matrix(starts, "starts", columns=model.n_parameters, remedy="pass a row for each fit")
    iterations = check_integer(max_iterations, "max_iterations", minimum=1)
    tolerance = check_real(tolerance, "tolerance", above=0, below=1)
    if isinstance(tasks, Sequence):
        common_length({"tasks": tasks, "starts": starts}, "tasks")
        objective = Objective.of_tasks(model, tasks)
    else:
        objective = Objective.of_task(model, tasks)
    _check_loss(objective, starts)
    found = dict(gauss_newton(objective, starts, iterations, tolerance, raises=False))
    return [found[number] for number in range(len(starts))]


def _check_loss(objective, starts):
    with np.errstate(over="ignore", invalid="ignore"):
        losses = np.square(objective.residual(starts)).sum(axis=-1)
        check_finite(losses, "initial", "a loss", "pass smaller parameters")
