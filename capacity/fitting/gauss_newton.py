"""Gauss-Newton in coefficient space: exact where first-order methods are slow, at a cost that ignores the channels.

The residual r = R (A - A*) has n entries however many parameters there are, and the damped (Levenberg-Marquardt) step
-J^T R^T (R J J^T R^T + lambda I)^{-1} r needs the Jacobian only through J J^T, for which the model's tangent factors T
stand in, and J^T y, which is a pullback. The step comes from the singular values of the n x q matrix R T: its
triangular factor is of size q where q < n (the primal form) and of size n where q > n (the dual, in which the factor
itself will do). No normal equations are solved, since they would square the condition number.
"""

import numpy as np
import scipy

from capacity.fitting.result import Fit
from capacity.linalg.subspaces import singular_value_decomposition

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
        linear = _linearised(objective.tangent(parameters), residual)
        weights, explained, predicted = linear.damped(damping)
        orthogonal = tolerance * np.sqrt(losses[-1])
        if explained <= orthogonal and linear.projection() <= orthogonal:
            message, converged = "the residual is orthogonal to the tangent space", True
            break
        accepted = False
        while not accepted and damping < 1e16:
            moved = parameters - objective.model.pullback(parameters, objective.root.T @ weights)
            if np.array_equal(moved, parameters):
                break
            with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows has no loss, and is taken back
                trial = objective.residual(moved)
                loss = float(trial @ trial)
            gain = (losses[-1] - loss) / predicted
            accepted = loss < losses[-1]
            if accepted:
                damping, growth = max(damping * max(1 / 3, 1 - (2 * gain - 1) ** 3), 1e-20), 2.0
            else:
                damping, growth = damping * growth, 2 * growth
                weights, _, predicted = linear.damped(damping)
        if not accepted:
            message, converged = "no step lowers the loss further at this precision", True
            break
        parameters, residual = moved, trial
        losses.append(loss)
        if loss <= objective.rounding_error:
            message, converged = "the loss is at the rounding error", True
            break
    return Fit.of_run(objective, parameters, losses, "gauss-newton", converged, message)


def _linearised(tangent, residual):
    """The linear problem of one step: a wide matrix has its triangular factor, a tall one its singular values."""
    return (_Wide if tangent.shape[1] >= tangent.shape[0] else _Tall)(tangent, residual)


class _Tall:
    """Steps from the singular values of a tall matrix M = U s V^T.

    It is first reduced to its triangular factor, with U^T r from the same elimination, and U z = M V (z / s), without
    what belongs to singular values that are zero.
    """

    def __init__(self, tangent, residual):
        rows, columns = tangent.shape
        both = np.empty((rows, columns + 1), order="F")
        both[:, :-1], both[:, -1] = tangent, residual
        triangle = scipy.linalg.qr(both, mode="r", overwrite_a=True, check_finite=False)[0][:columns]
        left, self.values, self.right = singular_value_decomposition(triangle[:, :-1])
        self.inner, self.tangent = left.T @ triangle[:, -1], tangent
        self.genuine = self.values > self.values[0] * np.finfo(float).eps * rows

    def projection(self):
        """Length of the projection of r on the column space."""
        return scipy.linalg.norm(self.inner[self.genuine])

    def damped(self, damping):
        """Weights z = (M M^T + mu)^{-1} r in the column space, the length of M M^T z, and what the step takes away."""
        squares = self.values**2
        scaled = self.inner / (squares + damping * (squares[0] or 1.0))
        reduced = self.right[self.genuine].T @ (scaled[self.genuine] / self.values[self.genuine])
        explained = squares * scaled
        return self.tangent @ reduced, scipy.linalg.norm(explained), explained @ (2 * self.inner - explained)


class _Wide:
    """Steps from the triangular factor T of the transpose of a wide matrix, M M^T = T^T T.

    A step explains the part d = T^T y of r, with (T T^T + mu) y = T r from the triangular factor of T^T on top of a
    diagonal matrix, and has the weights z = (r - d) / mu, which keep four digits at mu = 1e-12 of the largest square; a
    step that lost more is not accepted, and the next one is damped. Singular values take several times as long, and are
    needed only for the projection on the column space, which is longer than d.
    """

    def __init__(self, tangent, residual):
        factor, *_ = scipy.linalg.lapack.dgeqrf(tangent.T)
        triangle = np.triu(factor[: len(tangent)])
        self.exponent = np.frexp(np.abs(triangle).max())[1]  # in units of a power of two no square leaves the range
        self.triangle, self.residual, self.columns = np.ldexp(triangle, -self.exponent), residual, tangent.shape[1]
        last = len(tangent) - 1
        gram = self.triangle @ self.triangle.T
        (largest,) = scipy.linalg.eigvalsh(gram, subset_by_index=[last, last], check_finite=False)
        self.square = largest if largest > 0 else 1.0

    def projection(self):
        """As of a tall matrix."""
        left, values, _ = singular_value_decomposition(self.triangle.T)
        genuine = values > values[0] * np.finfo(float).eps * self.columns
        return scipy.linalg.norm(left[:, genuine].T @ self.residual)

    def damped(self, damping):
        """As of a tall matrix; what the step takes away is |d|^2 + 2 mu |y|^2."""
        size, mu = len(self.triangle), damping * self.square
        flipped = np.asfortranarray(self.triangle[::-1, ::-1].T)  # upper triangular again, as LAPACK takes it
        below = np.diag(np.full(size, np.sqrt(mu)))
        factor, *_ = scipy.linalg.lapack.dtpqrt(size, min(32, size), flipped, below)
        right = (self.triangle @ self.residual)[::-1]
        swept = scipy.linalg.solve_triangular(factor, right, trans="T", check_finite=False)
        inner = scipy.linalg.solve_triangular(factor, swept, check_finite=False)[::-1]
        explained = self.triangle.T @ inner
        lowered = explained @ explained + 2 * mu * (inner @ inner)
        weights = np.ldexp((self.residual - explained) / mu, -2 * self.exponent)
        return weights, scipy.linalg.norm(explained), lowered
