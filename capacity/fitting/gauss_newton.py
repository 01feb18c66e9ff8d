"""Gauss-Newton in coefficient space: exact where first-order methods are slow, at a cost that ignores the channels.

The residual r = R (A - A*) has n entries however many parameters there are, and the damped (Levenberg-Marquardt) step
-J^T R^T (R J J^T R^T + lambda I)^{-1} r needs the Jacobian only through J J^T, for which the model's tangent factors T
stand in, and J^T y, which is a pullback. The step comes from the singular values of the n x q matrix R T: its
triangular factor is of size q where q < n (the primal form) and of size n where q > n (the dual, in which the factor
itself will do). No normal equations are solved, since they would square the condition number.
"""

from functools import cache

import numpy as np
import scipy

from capacity.fitting.result import Fit
from capacity.linalg.subspaces import singular_value_decomposition

__all__ = ["gauss_newton"]

_ENTRIES = 2**20  # of the Jacobians that are held at once: more runs than that begin when others have ended


def gauss_newton(objective, starts, iterations, tolerance):
    """Minimise an objective by Levenberg-Marquardt steps with the gain-ratio update of the damping, from each start.

    A run stops when the cosine between the residual and its projection on the tangent space is below the tolerance,
    and where a step or the loss is lost in the rounding errors. Nielsen (1999); Madsen, Nielsen and Tingleff (2004).
    All runs take their steps together; yields the number of each and its fit, as it ends.
    """
    size = max(1, _ENTRIES // (objective.target.shape[-1] * starts.shape[1]))
    for first in range(0, len(starts), size):
        part = slice(first, first + size)
        yield from ((first + i, fit) for i, fit in _together(objective.of(part), starts[part], iterations, tolerance))


def _together(objective, starts, iterations, tolerance):
    parameters, moved, alone = starts.copy(), starts.copy(), len(starts) == 1
    residuals, errors = objective.residual(parameters), np.broadcast_to(objective.rounding_error, len(starts))
    runs = [_Run(residual, error) for residual, error in zip(residuals, errors)]

    def tangents(some):
        return objective.of(some).tangent(parameters[some])

    def trials(some):
        here, weights = objective.of(some), np.array([runs[i].weights for i in some])
        moved[some] = parameters[some] - here.pullback(parameters[some], weights)
        return here.residual(moved[some])

    active = np.arange(len(starts))
    while active.size:
        with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows has no loss, and is taken back
            for i, tangent in _each(tangents, [i for i in active if runs[i].linear is None], alone):
                runs[i].linearise(tangent, tolerance)
            for i, trial in _each(trials, [i for i in active if runs[i].message is None], alone):
                if runs[i].takes(trial, np.array_equal(moved[i], parameters[i]), iterations):
                    parameters[i] = moved[i]
        ended = [i for i in active if runs[i].message is not None]
        for i, coefficients in _each(lambda some: objective.linear(parameters[some])[0], ended, alone):
            yield i, runs[i].fit(parameters[i], coefficients)
        active = np.setdiff1d(active, ended)


def _each(function, members, alone):
    """Members of a stack, each with what a function makes of it, or with the error; a single fit raises it."""
    try:
        return list(zip(members, function(np.array(members)))) if members else []
    except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        if alone:
            raise
        one_by_one = (_each(function, [member], alone) for member in members)
        return [(members[0], error)] if len(members) == 1 else [pair for pairs in one_by_one for pair in pairs]


class _Run:
    """One run: where it is, its damping, and how it ended."""

    def __init__(self, residual, rounding_error):
        self.residual, self.rounding_error = residual, rounding_error
        self.losses, self.damping, self.growth = [float(residual @ residual)], 1e-3, 2.0
        self.message, self.converged, self.linear = None, False, None

    def linearise(self, tangent, tolerance):
        """Prepare a step."""
        if isinstance(tangent, Exception):
            return self.end(str(tangent), converged=False)
        try:
            self.linear = _linearised(tangent, self.residual)
            self.weights, explained, self.predicted = self.linear.damped(self.damping)
            orthogonal = tolerance * np.sqrt(self.losses[-1])
            if explained <= orthogonal and self.linear.projection() <= orthogonal:
                self.end("the residual is orthogonal to the tangent space")
        except (ValueError, np.linalg.LinAlgError) as error:
            self.end(str(error), converged=False)

    def takes(self, trial, same, iterations):
        """Whether the step is taken; else the next one is damped more."""
        if isinstance(trial, Exception):
            return self.end(str(trial), converged=False)
        loss = np.inf if same else float(trial @ trial)
        gain = (self.losses[-1] - loss) / self.predicted
        if loss < self.losses[-1]:
            self.damping, self.growth = max(self.damping * max(1 / 3, 1 - (2 * gain - 1) ** 3), 1e-20), 2.0
            self.residual, self.linear = trial, None
            self.losses.append(loss)
            if loss <= self.rounding_error:
                self.end("the loss is at the rounding error")
            elif len(self.losses) > iterations:
                self.end("the iterations ran out", converged=False)
            return True
        self.damping, self.growth = self.damping * self.growth, 2 * self.growth
        if same or self.damping >= 1e16:
            return self.end("no step lowers the loss further at this precision")
        self.weights, _, self.predicted = self.linear.damped(self.damping)
        return False

    def end(self, message, converged=True):
        self.message, self.converged = message, converged
        return False

    def fit(self, parameters, coefficients):
        found = self.losses[-1]
        losses, ends = np.array(self.losses), np.array([found])
        return Fit(parameters, coefficients, found, losses, "gauss-newton", self.converged, self.message, ends)


def _linearised(tangent, residual):
    """The linear problem of one step: a wide matrix has its triangular factor, a tall one its singular values."""
    if not np.isfinite(tangent).all():
        raise np.linalg.LinAlgError("the tangent space is not finite")
    return (_Wide if tangent.shape[1] >= tangent.shape[0] else _Tall)(tangent, residual)


@cache
def _upper(size):
    return np.tri(size).T


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
        factor, *_ = scipy.linalg.lapack.dgeqrf(tangent.T, lwork=64 * len(tangent))  # room for blocks
        triangle = factor[: len(tangent)] * _upper(len(tangent))
        self.exponent = np.frexp(np.abs(triangle).max())[1]  # in units of a power of two no square leaves the range
        self.triangle, self.residual, self.columns = np.ldexp(triangle, -self.exponent), residual, tangent.shape[1]
        size, gram = len(tangent), self.triangle @ self.triangle.T
        largest = scipy.linalg.lapack.dsyevr(gram, compute_v=0, range="I", il=size, iu=size)[0][0]
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
        below = np.sqrt(mu) * np.eye(size)
        factor, *_ = scipy.linalg.lapack.dtpqrt(size, min(32, size), flipped, below)
        right = (self.triangle @ self.residual)[::-1]
        swept, _ = scipy.linalg.lapack.dtrtrs(factor, right, trans=1)
        inner = scipy.linalg.lapack.dtrtrs(factor, swept)[0][::-1]
        explained = self.triangle.T @ inner
        lowered = explained @ explained + 2 * mu * (inner @ inner)
        weights = np.ldexp((self.residual - explained) / mu, -2 * self.exponent)
        return weights, scipy.linalg.norm(explained), lowered
