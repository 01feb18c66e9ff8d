"""The loss of a model on a task."""

import numpy as np
import pytest
from small_tasks import two_components

from capacity.fitting import Objective, fit, stationarity
from capacity.models import DilatedConvolution, FullyConnected
from capacity.tasks import GaussianProcess, PrescribedTask, standard_process

PROCESS = GaussianProcess()


@pytest.mark.parametrize(
    ("model", "process"),
    [
        (DilatedConvolution.hierarchical(4, channels=3), PROCESS),
        (DilatedConvolution([1, 2, 1], channels=2), standard_process("fractional noise")),
        (DilatedConvolution([1, 2], channels=3, components=2), two_components()),
        (FullyConnected(5), PROCESS),
    ],
)
def test_gradient_is_the_limit_of_finite_differences(model, process):
    n = model.n_inputs // model.components
    objective, target = Objective.of_task(model, process), process.optimal_coefficients(n)
    parameters, h = model.initial(2), 1e-5

    def loss(w):
        return objective.loss_and_gradient(w)[0]

    differences = [(loss(parameters + e) - loss(parameters - e)) / (2 * h) for e in h * np.eye(model.n_parameters)]
    np.testing.assert_allclose(objective.loss_and_gradient(parameters)[1], differences, atol=1e-8)
    error = model.coefficients(parameters) - target
    assert loss(parameters) == pytest.approx(error @ process.covariance(n) @ error)


def test_squared_stationarity_is_the_share_of_the_loss_that_a_linear_step_removes():
    model = DilatedConvolution([1, 2, 4])
    parameters, root, target = model.initial(0), PROCESS.root(8), PROCESS.optimal_coefficients(8)
    residual = root @ (model.coefficients(parameters) - target)
    step = np.linalg.lstsq(root @ model.jacobian(parameters), residual)[0]
    left = residual - root @ model.jacobian(parameters) @ step
    removed = 1 - (left @ left) / (residual @ residual)
    assert stationarity(model, parameters, PROCESS) ** 2 == pytest.approx(removed, rel=1e-10)
    assert stationarity(model, fit(model, PROCESS, rng=0).parameters, PROCESS) < 1e-7  # root of the rounding error
    full = DilatedConvolution([1, 2, 4], channels=2)
    assert stationarity(full, fit(full, PROCESS, rng=0).parameters, PROCESS) == 0
    exact = PrescribedTask(PROCESS, model.coefficients(parameters))  # which has no root
    assert stationarity(model, parameters, exact) == 0


class Own:
    """A task of one's own."""

    components = 1

    def __init__(self, covariance, target=(1.0, 1.0)):
        self.covariance, self.optimal_coefficients = (lambda n: covariance), (lambda n: target)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (Own([[1.0, 0.5], [0.0, 1.0]]), "task.covariance: "),
        (Own([[1.0, 2.0], [2.0, 1.0]]), "task.covariance: "),
        (Own(np.eye(3)), "task.covariance: "),
        (Own(np.eye(2), [np.nan, 1.0]), "task.optimal_coefficients: "),
        (Own(np.eye(2), [1.0]), "task.optimal_coefficients: "),
        (GaussianProcess(lambda lags: np.where(lags == 0, 1.0, 0.9) * (-1.0) ** (lags == 1)), "autocovariance"),
    ],
)
def test_tasks_of_ones_own_are_checked(task, expected):
    with pytest.raises(ValueError, match=expected):
        fit(FullyConnected(2 if isinstance(task, Own) else 4), task, rng=0)
