"""Gauss-Newton in coefficient space: exact where first-order methods are slow, at a cost that ignores the channels.

The residual r = R (A - A*) has n entries however many parameters there are, and the damped (Levenberg-Marquardt) step
-J^T R^T (R J J^T R^T + lambda I)^{-1} r needs the Jacobian only through J J^T, for which the model's tangent factors T
stand in, and J^T y, which is a pullback. The step comes from the singular values of the n x q matrix R T: its
triangular factor is of size q where q < n (the primal form) and of size n where q > n (the dual). No normal equations
are formed, since they would square the condition number.
"""

import numpy as np
import scipy

from capacity.fitting.result import Fit
from capacity.linalg.subspaces import left_singular, singular_value_decomposition

__all__ = ["gauss_newton"]


def gauss_newton(objective, start, iterations, tolerance):
    """Minimise an objective by Levenberg-Marquardt steps with the gain-ratio update of the damping.

    The run stops when the cosine between the residual and its projection on the tangent space is below the tolerance,
    and where a step or the loss is lost in the rounding errors. Nielsen (1999); Madsen, Nielsen and Tingleff (2004).
    """
    parameters, residual = start, objective.residual(start)
    losses, damping, growth = [float(residual @ residual)], 1e-3, 2.0
    message, converged = "the iterations ran out", False
    for _ in range(iterations):
        tangent = objective.tangent(parameters)
        values, inner, lift = _spectral(tangent, residual)
        genuine = values > values[0] * np.finfo(float).eps * max(tangent.shape)
        if scipy.linalg.norm(inner[genuine]) <= tolerance * np.sqrt(losses[-1]):
            message, converged = "the residual is orthogonal to the tangent space", True
            break
        accepted = False
        while not accepted and damping < 1e16:
            scaled = inner / (values**2 + damping * values[0] ** 2)
            moved = parameters - objective.model.pullback(parameters, objective.root.T @ lift(scaled))
            if np.array_equal(moved, parameters):
                break
            with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows has no loss, and is taken back
                trial = objective.residual(moved)
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
        if loss <= objective.rounding_error:
            message, converged = "the loss is at the rounding error", True
            break
    return Fit.of_run(objective, parameters, losses, "gauss-newton", converged, message)


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
    triangle = scipy.linalg.qr(both, mode="r", overwrite_a=True, check_finite=False)[0][:columns]
    left, values, right = singular_value_decomposition(triangle[:, :-1])
    kept = np.count_nonzero(values > values[0] * np.finfo(float).eps * rows)
    return values, left.T @ triangle[:, -1], lambda z: tangent @ (right[:kept].T @ (z[:kept] / values[:kept]))
