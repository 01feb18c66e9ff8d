"""L-BFGS-B with the analytic gradient: the method of the paper (paper 1, Section 5 and Appendix B)."""

import numpy as np
import scipy

from capacity.fitting.result import Fit

__all__ = ["lbfgs"]


def lbfgs(objective, start, iterations, tolerance):
    """Minimise an objective, until the gradient's largest entry is below the square of the tolerance.

    That is counted in a power of two near the loss of no model at all, so that the unit of the samples rounds nothing.
    """
    unit = 2.0 ** np.frexp(objective.energy)[1]

    def scaled(parameters):
        loss, gradient = objective.loss_and_gradient(parameters)
        return loss / unit, gradient / unit

    losses = [objective.loss_and_gradient(start)[0]]
    with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows has no loss, and the search shortens it
        found = scipy.optimize.minimize(
            scaled,
            start,
            jac=True,
            method="L-BFGS-B",
            callback=lambda intermediate_result: losses.append(unit * float(intermediate_result.fun)),
            options={"maxiter": iterations, "maxfun": 4 * iterations, "maxcor": 20, "ftol": 0, "gtol": tolerance**2},
        )
    return Fit.of_run(objective, found.x, losses, "l-bfgs-b", bool(found.success), found.message)
