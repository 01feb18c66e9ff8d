"""Variable projection: minimise over the poles of a model only, the weights being the best ones for them.

For given poles the best weights solve a linear least-squares problem. Put in, they leave a problem in few unknowns
without the slow valleys of the original one (Golub and Pereyra 1973; the Jacobian is Kaufman's, 1975). Fits of eq. 21
by L-BFGS-B or Gauss-Newton in all 3c parameters stop far above its minimum.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from capacity.fitting.objective import Objective
from capacity.fitting.result import Fit
from capacity.linalg.subspaces import singular_value_decomposition
from capacity.models.base import Separated

__all__ = ["Projected", "variable_projection"]


def variable_projection(objective, start, iterations, tolerance):
    """Minimise an objective over the poles, from those of `start`; the tolerance is that of rounding errors.

    `iterations` are evaluations. Where the best poles are often at an end of what they can be, the run goes through the
    interior first, then along the ends, and once more from the point that is moved to them.
    """
    problem = Projected.of(objective)
    losses = [np.square(problem.residual(start)).sum()]
    found = _descend(problem, start, iterations, "trf", losses)
    if hasattr(problem.form, "straightened"):
        found = _descend(problem, found.x, iterations, "dogbox", losses)
        straight = _descend(problem, problem.form.straightened(found.x), iterations, "dogbox", losses)
        found = straight if straight.cost <= found.cost * (1 + 1e-9) else found
        losses = np.minimum.accumulate([*losses, 2 * found.cost])
    parameters = problem.form.parameters(found.x, problem.best, objective.rounding_error)
    return Fit.of_run(objective, parameters, losses, "variable projection", bool(found.success), str(found.message))


@dataclass(frozen=True)
class Projected:
    """The least-squares problem in the poles alone."""

    objective: Objective
    form: Separated
    wanted: np.ndarray  # R A*

    @classmethod
    def of(cls, objective):
        """That of an objective whose model can be separated."""
        return cls(objective, objective.model.separated, objective.root @ objective.target)

    def split(self, functions):
        """Orthonormal basis of the span of some functions in the metric of the loss, and their best weights."""
        left, values, right = singular_value_decomposition(self.objective.root @ functions)
        kept = values > values[0] * self.form.cutoff
        left = left[:, kept]
        return left, right[kept].T @ ((left.T @ self.wanted) / values[kept])

    def best(self, functions):
        """The best weights of some functions, and the loss that they leave."""
        left, weights = self.split(functions)
        return weights, np.square(left @ (left.T @ self.wanted) - self.wanted).sum()

    def residual(self, point):
        """What is left of R A* outside the span."""
        left, _ = self.split(self.form.columns(point)[0])
        return left @ (left.T @ self.wanted) - self.wanted

    def jacobian(self, point):
        """Kaufman's approximation of the residual's derivative by the point."""
        functions, slopes = self.form.columns(point)
        left, weights = self.split(functions)
        moved = slopes(self.objective.root, weights)
        return moved - left @ (left.T @ moved)


def _descend(problem, point, evaluations, method, losses):
    return scipy.optimize.least_squares(
        problem.residual,
        point,
        problem.jacobian,
        bounds=problem.form.bounds,
        method=method,
        x_scale="jac",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=evaluations,
        callback=lambda intermediate_result: losses.append(2 * intermediate_result.cost),
    )
