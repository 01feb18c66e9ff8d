"""Fitting a diagonal recurrence by variable projection: minimise over the poles only.

For given poles the best weights of the exponentials solve a linear least-squares problem. Put in, they leave a problem
in c unknowns without the slow valleys of the original one (Golub and Pereyra 1973; the Jacobian is Kaufman's, 1975).
Fits of eq. 21 by L-BFGS-B or Gauss-Newton in all 3c parameters stop far above its minimum.
"""

from dataclasses import replace

import numpy as np
from scipy import linalg, optimize
from tqdm import tqdm

from capacity._validation import check_integer
from capacity.fitting.least_squares import Fit
from capacity.models.recurrences import scaled_exponentials

__all__ = ["fit_recurrence"]


def fit_recurrence(model, process, *, restarts=10, rng=None, max_iterations=1000, progress=False):
    """Fit a `DiagonalRecurrence` (paper 1, eq. 21) to the prediction of a process (Golub and Pereyra 1973).

    Parameters
    ----------
    model : DiagonalRecurrence
        The architecture. Its bound, if any, is respected.
    process : GaussianProcess
        The task, with one component.
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

    Raises
    ------
    TypeError
        If a number of runs or evaluations is not an integer.
    ValueError
        If a number is out of range, or the process has several components.

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess
    >>> from capacity.models import DiagonalRecurrence
    >>> fit_recurrence(DiagonalRecurrence(64, channels=8), GaussianProcess(), rng=0).loss < 1e-9
    True
    """
    restarts = check_integer(restarts, "restarts", minimum=1)
    if process.components != 1:
        raise ValueError(f"process: expected one component, got {process.components}; fit one component at a time")
    rng = np.random.default_rng(rng)
    n = model.n_inputs
    root, target = linalg.cholesky(process.covariance(n)), process.optimal_coefficients(n)
    runs = [
        _run(model, root, target, rng, check_integer(max_iterations, "max_iterations", minimum=1))
        for _ in tqdm(range(restarts), desc="restarts", disable=not progress)
    ]
    best = min(runs, key=lambda run: run.loss)
    return replace(best, restarts=np.array([run.loss for run in runs]))


def _run(model, root, target, rng, max_iterations):
    n, bound, wanted = model.n_inputs, model.bound, root @ target
    limit = np.inf if bound is not None else 10.0 ** (300 / max(n - 1, 1))  # so that no power z^(n-1) overflows

    def poles_at(recurrence):
        return recurrence if bound is None else bound * np.tanh(recurrence)

    def split(poles):
        """Orthonormal basis of the span of the exponentials in the metric of the loss, and their best weights."""
        left, values, right = linalg.svd(
            root @ scaled_exponentials(poles, n)[0][::-1], full_matrices=False, check_finite=False
        )
        kept = values > values[0] * np.finfo(float).eps * n
        left = left[:, kept]
        return left, right[kept].T @ ((left.T @ wanted) / values[kept])

    def residual(recurrence):
        left, _ = split(poles_at(recurrence))
        return left @ (left.T @ wanted) - wanted

    def jacobian(recurrence):
        poles = poles_at(recurrence)
        left, weights = split(poles)
        chain = 1.0 if bound is None else bound - poles**2 / bound
        moved = root @ scaled_exponentials(poles, n)[1][::-1] * (weights * chain)
        return moved - left @ (left.T @ moved)

    start = rng.uniform(-1, 1, model.channels) * (min(1.3, limit) if bound is None else 1.0)
    start = start if bound is None else np.arctanh(start)
    first = residual(start)
    losses = [first @ first]
    found = optimize.least_squares(
        residual,
        start,
        jacobian,
        bounds=(-limit, limit),
        x_scale="jac",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=max_iterations,
        callback=lambda intermediate_result: losses.append(2 * intermediate_result.cost),
    )
    poles = poles_at(found.x)
    weights = split(poles)[1] / np.where(np.abs(poles) > 1, poles, 1.0) ** (n - 1)
    share = np.sqrt(np.abs(weights))
    parameters = np.concatenate([share, found.x, np.sign(weights) * share])
    coefficients = model.coefficients(parameters)
    error = root @ (coefficients - target)
    loss = float(error @ error)
    message, method = str(found.message), "variable projection"
    converged = bool(found.success)
    return Fit(parameters, coefficients, loss, np.array(losses), method, converged, message, np.array([loss]))
