"""What a fit gives."""

import numpy as np

from capacity import DilatedConvolution, Fit, GaussianProcess
from capacity.fitting import Objective


def test_loss_and_coefficients_are_those_of_the_parameters():
    model, task = DilatedConvolution([1, 2], channels=2), GaussianProcess()
    objective, parameters = Objective.of_task(model, task), model.initial(0)
    found = Fit.of_run(objective, parameters, [2.0, 1.0], "by hand", False, "stopped")
    error = model.coefficients(parameters) - task.optimal_coefficients(4)
    np.testing.assert_allclose(found.loss, error @ task.covariance(4) @ error, rtol=1e-12)
    np.testing.assert_array_equal(found.coefficients, model.coefficients(parameters))
    np.testing.assert_array_equal(found.restarts, [found.loss])
    assert (found.losses.tolist(), found.method, found.converged, found.message) == (
        [2, 1],
        "by hand",
        False,
        "stopped",
    )
