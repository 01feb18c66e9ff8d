"""Gauss-Newton in coefficient space: exact where first-order methods are slow, at a cost that ignores the channels.

The residual r = R (A - A*) has n entries however many parameters there are, and the damped (Levenberg-Marquardt) step
-J^T R^T (R J J^T R^T + lambda I)^{-1} r needs the Jacobian only through J J^T, for which the model's tangent factors T
stand in, and J^T y, which is a pullback. The step comes from the triangular factor of the n x q matrix R T where q < n
(the primal form), and of its transpose where q > n (the dual). No normal equations are solved, since they would square
the condition number.
"""

import numpy as np

from capacity.fitting.result import Fit
from capacity.linalg.subspaces import singular_value_decomposition

__all__ = ["gauss_newton"]

_ENTRIES = 2**20  # of the Jacobians that are held at once: more runs than that begin when others have ended


def gauss_newton(objective, starts, iterations, tolerance, *, raises):
    """Minimise an objective by Levenberg-Marquardt steps with the gain-ratio update of the damping, from each start.

    A run stops when the cosine between the residual and its projection on the tangent space is below the tolerance,
    and where a step or the loss is lost in the rounding errors. Nielsen (1999); Madsen, Nielsen and Tingleff (2004).
    All runs take their steps together; yields the number of each and its fit, as it ends. With an error of the model a
    run ends, too, unless this `raises` it.
    """
    size = max(1, _ENTRIES // (objective.target.shape[-1] * starts.shape[1]))
    for first in range(0, len(starts), size):
        part = slice(first, first + size)
        runs = _Runs(objective.of(part), starts[part], raises)
        while runs.going.any():
            with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows has no loss, and is taken back
                runs.step(iterations, tolerance)
            yield from ((first + i, fit) for i, fit in runs.ended())


class _Runs:
    """Runs that take their steps together: where each is, its damping, and how it ended."""

    def __init__(self, objective, starts, raises):
        count = len(starts)
        self.objective, self.parameters, self.moved = objective, starts.copy(), starts.copy()
        self.residuals = objective.residual(starts)
        self.trials, self.weights = np.empty((2, *self.residuals.shape))
        self.losses = np.vecdot(self.residuals, self.residuals)
        self.history, self.rounding_errors = [[loss] for loss in self.losses], objective.rounding_error
        self.damping, self.growth, self.linear = np.full(count, 1e-3), np.full(count, 2.0), None
        self.explained, self.lowered = np.empty((2, count))
        self.going, self.how, self.raises = np.ones(count, dtype=bool), {}, raises
        self.new = np.arange(count)  # those whose last step was taken; the others stay where their tangents are known

    def step(self, iterations, tolerance):
        """Take a step with each run, or damp its next one more."""
        orthogonal = tolerance * np.sqrt(self.losses)
        self.each(self.linearise, self.each(self.tangents, self.new, self.raises))
        self.each(self.damp, np.flatnonzero(self.going))
        near = self.new[self.going[self.new] & (self.explained <= orthogonal)[self.new]]
        near = self.each(self.project, near)
        self.end(near[self.explained[near] <= orthogonal[near]], "the residual is orthogonal to the tangent space")
        self.judge(self.each(self.move, np.flatnonzero(self.going), self.raises), iterations)

    def each(self, function, members, raises=False):
        """Do something to some runs at once, one by one where an error is raised, with which a run ends."""
        try:
            if members.size:
                function(members)
            return members
        except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
            if raises:
                raise
            if members.size > 1:
                return np.concatenate([self.each(function, member) for member in members[:, None]])
            self.end(members, str(error), converged=False)
            return members[:0]

    def end(self, members, message, converged=True):
        """Let runs end, but for those that have."""
        self.how.update((i, (message, converged)) for i in members[self.going[members]].tolist())
        self.going[members] = False

    def tangents(self, members):
        found = self.objective.of(members).tangent(self.parameters[members])
        if self.linear is None or len(self.going) == 1:  # a model may have another number of factors elsewhere
            kind = _Wide if found.shape[2] >= found.shape[1] else _Tall
            self.linear = kind(len(self.going), *found.shape[1:])
        self.linear.tangents[members] = found

    def linearise(self, members):
        if not np.isfinite(self.linear.tangents[members]).all():
            raise np.linalg.LinAlgError("the tangent space is not finite")
        self.linear.put(members, self.residuals[members])

    def damp(self, members):
        found = self.linear.damped(members, self.damping[members])
        self.weights[members], self.explained[members], self.lowered[members] = found

    def project(self, members):
        self.explained[members] = self.linear.projection(members)

    def move(self, members):
        here = self.objective.of(members)
        self.moved[members] = self.parameters[members] - here.pullback(self.parameters[members], self.weights[members])
        self.trials[members] = here.residual(self.moved[members])

    def judge(self, members, iterations):
        """Keep the steps that lower the loss; a run ends where none will."""
        same = (self.moved[members] == self.parameters[members]).all(axis=1)
        losses = np.where(same, np.inf, np.vecdot(self.trials[members], self.trials[members]))
        better = losses < self.losses[members]
        self.new, left = members[better], members[~better]
        gain = (self.losses[self.new] - losses[better]) / self.lowered[self.new]
        easier = self.damping[self.new] * np.maximum(1 / 3, 1 - (2 * gain - 1) ** 3)
        self.damping[self.new], self.growth[self.new] = np.maximum(easier, 1e-20), 2.0
        for kept, found in ((self.parameters, self.moved), (self.residuals, self.trials)):
            kept[self.new] = found[self.new]
        self.losses[self.new] = losses[better]
        for i in self.new:
            self.history[i].append(self.losses[i])
        self.end(self.new[(self.losses <= self.rounding_errors)[self.new]], "the loss is at the rounding error")
        over = [i for i in self.new if len(self.history[i]) > iterations]
        self.end(np.array(over, dtype=int), "the iterations ran out", converged=False)
        self.damping[left] *= self.growth[left]
        self.growth[left] *= 2
        lost = left[same[~better] | (self.damping[left] >= 1e16)]
        self.end(lost, "no step lowers the loss further at this precision")
        self.new = self.new[self.going[self.new]]

    def ended(self):
        """The runs that ended in the last step, with their fits."""
        members = np.array([*self.how], dtype=int)
        coefficients = self.objective.linear(self.parameters[members])[0] if members.size else ()
        for i, found in zip(members, coefficients):
            message, converged = self.how.pop(i)
            losses = np.array(self.history[i])
            parameters, ends = self.parameters[i], losses[-1:]
            yield i, Fit(parameters, found, float(losses[-1]), losses, "gauss-newton", converged, message, ends)


class _Tall:
    """Steps from the singular values of tall matrices M = U s V^T.

    They are first reduced to their triangular factors, with U^T r from the same elimination, and U z = M V (z / s),
    without what belongs to singular values that are zero.
    """

    def __init__(self, count, rows, columns):
        self.tangents, self.right = np.empty((count, rows, columns)), np.empty((count, columns, columns))
        self.inner, self.values = np.empty((2, count, columns))

    def put(self, members, residuals):
        """Prepare steps."""
        both = np.concatenate([self.tangents[members], residuals[..., None]], axis=2)
        triangle = np.linalg.qr(both, mode="r")[:, :-1]
        left, self.values[members], self.right[members] = singular_value_decomposition(triangle[..., :-1])
        self.inner[members] = _times(left.mT, triangle[..., -1])

    def genuine(self, members):
        values, rows = self.values[members], self.tangents.shape[1]
        return values > values[:, :1] * np.finfo(float).eps * rows

    def projection(self, members):
        """Lengths of the projections of r on the column spaces."""
        return np.linalg.norm(np.where(self.genuine(members), self.inner[members], 0.0), axis=1)

    def damped(self, members, damping):
        """Weights z = (M M^T + mu)^{-1} r in the column space, the length of M M^T z, and what the step takes away."""
        values, inner, genuine = self.values[members], self.inner[members], self.genuine(members)
        squares = values**2
        scaled = inner / (squares + (damping * _positive(squares[:, 0]))[:, None])
        reduced = np.divide(scaled, values, out=np.zeros_like(scaled), where=genuine)
        explained = squares * scaled
        weights = _times(self.tangents[members], _times(self.right[members].mT, reduced))
        return weights, np.linalg.norm(explained, axis=1), np.vecdot(explained, 2 * inner - explained)


class _Wide:
    """Steps from the triangular factors T of the transposes of wide matrices, M M^T = T^T T.

    A step explains the part d = T^T y of r, where y solves the least-squares problem T^T y = r, sqrt(mu) y = 0, and has
    the weights z = (r - d) / mu, which keep four digits at mu = 1e-12 of the largest square; a step that lost more is
    not accepted, and the next one is damped. Singular values take several times as long, and are needed only for the
    projection on the column space, which is longer than d.
    """

    def __init__(self, count, rows, columns):
        self.tangents, self.triangles = np.empty((count, rows, columns)), np.empty((count, rows, rows))
        self.residuals, self.squares = np.empty((count, rows)), np.empty(count)
        self.exponents = np.empty(count, dtype=int)

    def put(self, members, residuals):
        """As of tall matrices."""
        triangles = np.linalg.qr(self.tangents[members].mT, mode="r")
        largest = np.abs(triangles).max(axis=(1, 2))
        exponents = np.frexp(largest)[1]  # in units of powers of two no square leaves the range
        triangles = np.ldexp(triangles, -exponents[:, None, None])
        self.triangles[members], self.exponents[members], self.residuals[members] = triangles, exponents, residuals
        self.squares[members] = _positive(np.linalg.eigvalsh(triangles @ triangles.mT)[:, -1])

    def projection(self, members):
        """As of tall matrices."""
        left, values, _ = singular_value_decomposition(self.triangles[members].mT)
        genuine = values > values[:, :1] * np.finfo(float).eps * self.tangents.shape[2]
        return np.linalg.norm(np.where(genuine, _times(left.mT, self.residuals[members]), 0.0), axis=1)

    def damped(self, members, damping):
        """As of tall matrices; what the step takes away is |d|^2 + 2 mu |y|^2."""
        triangles, residuals, mu = self.triangles[members], self.residuals[members], damping * self.squares[members]
        rows = np.arange(residuals.shape[1])
        problem = np.zeros((len(mu), 2 * rows.size, rows.size + 1))
        problem[:, : rows.size, :-1], problem[:, : rows.size, -1] = triangles.mT, residuals
        problem[:, rows.size + rows, rows] = np.sqrt(mu)[:, None]
        factor = np.linalg.qr(problem, mode="r")
        inner = np.linalg.solve(factor[:, :-1, :-1], factor[:, :-1, -1:])[..., 0]
        explained = _times(triangles.mT, inner)
        lowered = np.vecdot(explained, explained) + 2 * mu * np.vecdot(inner, inner)
        weights = np.ldexp((residuals - explained) / mu[:, None], -2 * self.exponents[members][:, None])
        return weights, np.linalg.norm(explained, axis=1), lowered


def _times(matrices, vectors):
    return (matrices @ vectors[..., None])[..., 0]


def _positive(squares):
    return np.where(squares > 0, squares, 1.0)
