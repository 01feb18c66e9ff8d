"""Fitting a linear model to a prediction task: minimise (A - A*)^T Sigma (A - A*) over the parameters (eqs 14, 15, 33).

Two methods. L-BFGS-B with the analytic gradient is the paper's. *Gauss-Newton* in coefficient space is faster and more
exact: with Sigma = R^T R the residual r = R (A - A*) has n entries however many parameters there are, and the damped
(Levenberg-Marquardt) step -J^T R^T (R J J^T R^T + lambda I)^{-1} r needs the Jacobian only through J J^T, for which the
model's tangent factors T stand in, and J^T y, which is a pullback. The step comes from the singular values of the
n x q matrix R T: its triangular factor is of size q where q < n (the primal form) and of size n where q > n (the dual).
No normal equations are formed, since they would square the condition number.

For many inputs R is not the Cholesky factor, which has n^2 entries, but the square root of a circulant matrix that
embeds Sigma (`capacity.linalg.circulant_root`): it has about 2n rows, R^T R = Sigma still holds, products are FFTs.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg, optimize
from tqdm import tqdm

from capacity._validation import as_vector, check_integer, check_members, check_real
from capacity.linalg.subspaces import left_singular, orthonormal_basis, singular_value_decomposition

__all__ = ["Fit", "fit", "loss_and_gradient", "stationarity"]

_OF_MODELS = ("components", "n_inputs", "n_parameters", "initial", "coefficients", "pullback", "tangent_factors")
_OF_TASKS = ("components", "covariance", "optimal_coefficients")


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
        (A - A*)^T Sigma (A - A*), in units of the process's variance.
    losses : ndarray, shape (iterations + 1,)
        Loss after each iteration of the best run, the initial one first.
    method : str
        'gauss-newton' or 'l-bfgs-b'.
    converged : bool
        Whether a stopping rule was met before the iterations ran out.
    message : str
        Which one.
    restarts : ndarray, shape (restarts,)
        Final loss of each run, in the order of the runs.
    """

    parameters: np.ndarray
    coefficients: np.ndarray
    loss: float
    losses: np.ndarray
    method: str
    converged: bool
    message: str
    restarts: np.ndarray


def fit(
    model,
    process,
    *,
    method="gauss-newton",
    initial=None,
    restarts=1,
    rng=None,
    max_iterations=None,
    tolerance=1e-10,
    progress=False,
):
    """Fit a linear model to the prediction of a process.

    Parameters
    ----------
    model : LinearModel
        The architecture.
    process : GaussianProcess or Samples
        The task: has `components`, gives `covariance(n)` and `optimal_coefficients(n)` for n positions, and, if it can,
        `root(n)`, a factor R with Sigma = R^T R that need not be square or dense.
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

    Raises
    ------
    TypeError
        If the model or the process lacks a member that a fit needs, a number of runs or iterations is not an integer,
        or the tolerance is not a number.
    ValueError
        If the method is unknown, a number is out of range, `initial` has the wrong length, or model and process
        differ in their number of components.

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
    minimisers = {"gauss-newton": (_gauss_newton, 500), "l-bfgs-b": (_lbfgs, 3000)}
    if method not in minimisers:
        raise ValueError(f"method: expected one of {list(minimisers)}, got {method!r}; pass one of these names")
    minimise, default_iterations = minimisers[method]
    restarts = check_integer(restarts, "restarts", minimum=1)
    iterations = default_iterations if max_iterations is None else max_iterations
    iterations = check_integer(iterations, "max_iterations", minimum=1)
    tolerance = check_real(tolerance, "tolerance", above=0, below=1)
    check_members(model, "model", _OF_MODELS, "make one of its function: FunctionModel(function, shapes)")
    check_members(process, "process", _OF_TASKS, "make one: GaussianProcess(empirical(series)) or Samples.from_series")
    if model.components != process.components:
        raise ValueError(
            f"process: expected {model.components} components like the model, got {process.components}; "
            "build the model with components=process.components"
        )
    rng = np.random.default_rng(rng)
    n_positions = model.n_inputs // model.components
    target, root = process.optimal_coefficients(n_positions), _root(process, n_positions)
    runs = []
    for run in tqdm(range(restarts), desc="restarts", disable=not progress):
        start = initial if initial is not None and run == 0 else model.initial(rng)
        start = as_vector(start, "initial", length=model.n_parameters, remedy="pass model.initial(rng)").copy()
        with np.errstate(over="ignore", invalid="ignore"):
            loss = np.square(root @ (model.coefficients(start) - target)).sum()
        if not np.isfinite(loss):
            raise ValueError("initial: expected parameters of a finite loss, got too large ones; pass smaller ones")
        runs.append(minimise(model, root, target, start, iterations, tolerance))
    best = min(runs, key=lambda run: run.loss)
    return replace(best, restarts=np.array([run.loss for run in runs]))


def loss_and_gradient(model, parameters, root, target):
    """Loss (A - A*)^T Sigma (A - A*) and its gradient with respect to the parameters (eqs 15, 16).

    Parameters
    ----------
    model : LinearModel
        The architecture.
    parameters : array_like, shape (p,)
        Where.
    root : ndarray or LinearOperator, shape (m, n)
        A factor R of the covariance, Sigma = R^T R.
    target : ndarray, shape (n,)
        A*.

    Returns
    -------
    float, ndarray of shape (p,)
    """
    residual = root @ (model.coefficients(parameters) - target)
    return float(residual @ residual), 2 * model.pullback(parameters, root.T @ residual)


def stationarity(model, parameters, process):
    """How far parameters are from an optimum: the cosine between the residual and the tangent space of the model.

    Parameters
    ----------
    model : LinearModel
        The architecture.
    parameters : array_like, shape (p,)
        Trained here or elsewhere.
    process : GaussianProcess or Samples
        The task, as in `fit`.

    Returns
    -------
    float
        In [0, 1]; 0 where K~^T X = 0, i.e. where the error satisfies the constraints. Its square is the share of the
        loss that a step would remove if the model were linear in its parameters. Also 0 where the loss is, up to
        rounding errors.
    """
    n_positions = model.n_inputs // model.components
    target, root = process.optimal_coefficients(n_positions), _root(process, n_positions)
    residual = root @ (model.coefficients(parameters) - target)
    if residual @ residual <= _rounding_error(root, target):
        return 0.0
    tangent = orthonormal_basis(root @ np.hstack(list(model.tangent_factors(parameters).values()))).vectors
    return float(linalg.norm(tangent.T @ residual) / linalg.norm(residual))


def _root(process, n):
    return process.root(n) if hasattr(process, "root") else linalg.cholesky(process.covariance(n))


def _rounding_error(root, target):
    """Loss that n rounding errors make."""
    return target.size * (np.finfo(float).eps * linalg.norm(root @ target)) ** 2


def _lbfgs(model, root, target, start, iterations, tolerance):
    losses = [loss_and_gradient(model, start, root, target)[0]]
    found = optimize.minimize(
        lambda parameters: loss_and_gradient(model, parameters, root, target),
        start,
        jac=True,
        method="L-BFGS-B",
        callback=lambda intermediate_result: losses.append(float(intermediate_result.fun)),
        options={"maxiter": iterations, "maxfun": 4 * iterations, "maxcor": 20, "ftol": 0, "gtol": tolerance**2},
    )
    return _result(model, found.x, losses, "l-bfgs-b", bool(found.success), found.message, found.fun)


def _gauss_newton(model, root, target, start, iterations, tolerance):
    """Levenberg-Marquardt with the gain-ratio update of the damping (Nielsen 1999; Madsen, Nielsen, Tingleff 2004)."""
    floor = _rounding_error(root, target)
    parameters, residual = start, root @ (model.coefficients(start) - target)
    losses, damping, growth = [float(residual @ residual)], 1e-3, 2.0
    message, converged = "the iterations ran out", False
    for _ in range(iterations):
        tangent = root @ np.hstack(list(model.tangent_factors(parameters).values()))
        values, inner, lift = _spectral(tangent, residual)
        genuine = values > values[0] * np.finfo(float).eps * max(tangent.shape)
        if linalg.norm(inner[genuine]) <= tolerance * np.sqrt(losses[-1]):
            message, converged = "the residual is orthogonal to the tangent space", True
            break
        accepted = False
        while not accepted and damping < 1e16:
            scaled = inner / (values**2 + damping * values[0] ** 2)
            moved = parameters - model.pullback(parameters, root.T @ lift(scaled))
            if np.array_equal(moved, parameters):
                break
            trial = root @ (model.coefficients(moved) - target)
            loss = float(trial @ trial)
            predicted = (values**2 * scaled) @ (2 * inner - values**2 * scaled)
            gain = (losses[-1] - loss) / predicted
            accepted = loss < losses[-1]
            if accepted:
                damping, growth = max(damping * max(1 / 3, 1 - (2 * gain - 1) ** 3), 1e-20), 2.0
            else:
                damping, growth = damping * growth, 2 * growth
        if not accepted:
            message, converged = "no step lowers the loss further at this precision", True
            break
        parameters, residual = moved, trial
        losses.append(loss)
        if loss <= floor:
            message, converged = "the loss is at the rounding error", True
            break
    return _result(model, parameters, losses, "gauss-newton", converged, message, losses[-1])


def _spectral(tangent, residual):
    """Singular values s of a matrix U s V^T, the entries U^T r of a vector, and the map z -> U z.

    U is formed only where the matrix is wide. A tall one is first reduced to its triangular factor, with U^T r from the
    same elimination, and U z = tangent V (z / s), without what belongs to singular values that are zero.
    """
    rows, columns = tangent.shape
    if columns >= rows:
        left, values = left_singular(tangent)
        return values, left.T @ residual, lambda z: left @ z
    both = np.empty((rows, columns + 1), order="F")
    both[:, :-1], both[:, -1] = tangent, residual
    triangle = linalg.qr(both, mode="r", overwrite_a=True, check_finite=False)[0][:columns]
    left, values, right = singular_value_decomposition(triangle[:, :-1])
    kept = np.count_nonzero(values > values[0] * np.finfo(float).eps * rows)
    return values, left.T @ triangle[:, -1], lambda z: tangent @ (right[:kept].T @ (z[:kept] / values[:kept]))


def _result(model, parameters, losses, method, converged, message, loss):
    coefficients = model.coefficients(parameters)
    losses = np.array(losses)
    return Fit(parameters, coefficients, float(loss), losses, method, converged, message, np.array([loss]))
