"""One stack fitted to many sets of moments at once: thousands of small fits in the time of a few.

The steps are those of `capacity.fit`, Levenberg-Marquardt with Nielsen's update of the damping, in the dual form
-J^T (J J^T + lambda I)^{-1} r with residuals and Jacobians in the metric of the loss. All problems take a step
together, so that NumPy's calls are shared; those that have ended are left out. J J^T squares condition numbers, which
the package avoids: directions 1e-5 times as steep as the others are not seen.
"""

import numpy as np

__all__ = ["fit_many"]

_FLOOR = 1e-10  # of the trace of J J^T, above its rounding errors: what is steeper counts as tangent


def fit_many(model, covariances, targets, starts, *, iterations=60, tolerance=1e-3):
    """Fit a stack to many tasks, the loss of each being (A - A*)^T Sigma (A - A*).

    Parameters
    ----------
    model : LinearModel
        Of the package: it takes stacks of parameters.
    covariances, targets : ndarray, shapes (many, n, n) and (many, n)
        Sigma, positive definite, and A*.
    starts : ndarray, shape (many, p)
    iterations : int, optional
        Steps that lower the loss, at most.
    tolerance : float, optional
        A fit ends where the cosine between the residual and the tangent space is below it.

    Returns
    -------
    parameters : ndarray, shape (many, p)
    converged : ndarray of bool, shape (many,)
    """
    roots = np.linalg.cholesky(covariances).transpose(0, 2, 1)
    parameters, converged = np.array(starts, dtype=float), np.zeros(len(starts), dtype=bool)
    damping, growth, steps = np.full(len(starts), 1e-3), np.full(len(starts), 2.0), np.zeros(len(starts), dtype=int)
    active = np.arange(len(starts))
    while active.size:
        residual, tangent = _in_metric(model, parameters[active], roots[active], targets[active])
        gram = tangent @ tangent.transpose(0, 2, 1)
        size = np.trace(gram, axis1=1, axis2=2)
        loss, floor = np.sum(residual**2, axis=1), _FLOOR * size
        projected = residual - floor[:, None] * _solved(gram, floor, residual)
        done = np.sum(projected**2, axis=1) <= tolerance**2 * loss
        converged[active[done]] = True
        left = ~done
        active, residual, tangent, gram, size, loss = (
            each[left] for each in (active, residual, tangent, gram, size, loss)
        )
        if not active.size:
            break
        level = damping[active] * size
        dual = _solved(gram, level, residual)
        moved = parameters[active] - _times(tangent.transpose(0, 2, 1), dual)
        predicted = np.sum(dual * _times(gram, residual + level[:, None] * dual), axis=1)
        trial = _times(roots[active], model.coefficients(moved) - targets[active])
        gain = (loss - np.sum(trial**2, axis=1)) / predicted
        better = gain > 0
        parameters[active[better]] = moved[better]
        steps[active] += better
        easier = damping[active] * np.maximum(1 / 3, 1 - (2 * gain - 1) ** 3)
        damping[active] = np.where(better, np.maximum(easier, 1e-12), damping[active] * growth[active])
        growth[active] = np.where(better, 2.0, 2 * growth[active])
        lost = damping[active] > 1e16  # in rounding errors: no step lowers the loss any more
        converged[active[lost]] = True
        active = active[~lost & (steps[active] < iterations)]
    return parameters, converged


def _in_metric(model, parameters, roots, targets):
    return _times(roots, model.coefficients(parameters) - targets), roots @ model.jacobian(parameters)


def _times(matrices, vectors):
    return (matrices @ vectors[..., None])[..., 0]


def _solved(gram, level, vectors):
    shifted = gram + level[:, None, None] * np.eye(gram.shape[1])
    return np.linalg.solve(shifted, vectors[..., None])[..., 0]
