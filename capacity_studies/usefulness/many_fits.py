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
    active = new = np.arange(len(starts))
    residuals = _times(roots[new], model.coefficients(parameters) - targets)
    tangents, grams = np.empty((*roots.shape[:2], parameters.shape[1])), np.empty(roots.shape)
    sizes, losses = np.empty((2, len(starts)))
    while active.size:
        if new.size:  # those whose last step was taken; the others stay where their tangents are known
            tangent = roots[new] @ model.jacobian(parameters[new])
            gram = tangent @ tangent.transpose(0, 2, 1)
            tangents[new], grams[new], sizes[new] = tangent, gram, np.trace(gram, axis1=1, axis2=2)
            losses[new], floor = np.sum(residuals[new] ** 2, axis=1), _FLOOR * sizes[new]
            projected = residuals[new] - floor[:, None] * _solved(gram, floor, residuals[new])
            converged[new] = np.sum(projected**2, axis=1) <= tolerance**2 * losses[new]
            active = active[~converged[active]]
        if not active.size:
            break
        residual, tangent, gram, size, loss = (each[active] for each in (residuals, tangents, grams, sizes, losses))
        level = damping[active] * size
        dual = _solved(gram, level, residual)
        moved = parameters[active] - _times(tangent.transpose(0, 2, 1), dual)
        predicted = np.sum(dual * _times(gram, residual + level[:, None] * dual), axis=1)
        trial = _times(roots[active], model.coefficients(moved) - targets[active])
        gain = (loss - np.sum(trial**2, axis=1)) / predicted
        better = gain > 0
        taken = active[better]
        parameters[taken], residuals[taken] = moved[better], trial[better]
        steps[taken] += 1
        easier = damping[active] * np.maximum(1 / 3, 1 - (2 * gain - 1) ** 3)
        damping[active] = np.where(better, np.maximum(easier, 1e-12), damping[active] * growth[active])
        growth[active] = np.where(better, 2.0, 2 * growth[active])
        lost = damping[active] > 1e16  # in rounding errors: no step lowers the loss any more
        converged[active[lost]] = True
        left = ~lost & (steps[active] < iterations)
        new, active = active[better & left], active[left]
    return parameters, converged


def _times(matrices, vectors):
    return (matrices @ vectors[..., None])[..., 0]


def _solved(gram, level, vectors):
    shifted = gram + level[:, None, None] * np.eye(gram.shape[1])
    return np.linalg.solve(shifted, vectors[..., None])[..., 0]
