import numpy as np
import pytest

from capacity.allocation import constraint_space
from capacity.fitting import fit, fit_recurrence
from capacity.fitting.objective import Objective
from capacity.fitting.variable_projection import _Projected
from capacity.models import DiagonalRecurrence, FullyConnected
from capacity.tasks import GaussianProcess, PrescribedTask, exponential_mixture, similar_power_laws, standard_process

PROCESS = GaussianProcess()


@pytest.mark.parametrize("bound", [None, 1.0])
@pytest.mark.parametrize("channels", [1, 2])
def test_small_models_reach_the_minimum_that_gauss_newton_finds(channels, bound):
    model = DiagonalRecurrence(64, channels, bound)
    assert fit_recurrence(model, PROCESS, rng=0).loss == pytest.approx(
        fit(model, PROCESS, rng=0, restarts=6).loss, rel=1e-6
    )


def test_the_loss_falls_exponentially_with_free_poles_and_stable_ones_cannot_follow():
    losses = {c: fit_recurrence(DiagonalRecurrence(64, c), PROCESS, rng=0).loss for c in (2, 4, 6, 8, 10)}
    assert np.diff(np.log10([*losses.values()])).max() < -2
    assert losses[10] < 1e-12
    assert fit_recurrence(DiagonalRecurrence(64, 8, bound=1.0), PROCESS, rng=0).loss > 1e4 * losses[8]


def test_an_attainable_target_is_found():
    coefficients = 0.4 * 0.9 ** np.arange(32) + 0.3 * 0.2 ** np.arange(32)

    class Target(GaussianProcess):
        def optimal_coefficients(self, n):
            return coefficients[:n][::-1]

    model = DiagonalRecurrence(32, 2)
    found = fit_recurrence(model, Target(exponential_mixture()), rng=0)
    assert found.loss < 1e-25
    assert np.allclose(np.sort(model.poles(found.parameters)), [0.2, 0.9])


def test_the_error_meets_the_constraints_at_the_optimum():
    model = DiagonalRecurrence(64, 4)
    found = fit_recurrence(model, PROCESS, rng=0)
    error = found.coefficients - PROCESS.optimal_coefficients(64)
    space = constraint_space(PROCESS.covariance(64), model.directions(found.parameters))
    assert space.total == 8
    assert np.linalg.norm(space.vectors.T @ error) < 1e-5 * np.linalg.norm(error)


def test_the_history_ends_at_the_loss_and_is_reproducible():
    model, process = DiagonalRecurrence(64, 3, bound=1.0), standard_process("exponential mixture")
    first, second = (fit_recurrence(model, process, rng=7, restarts=2) for _ in range(2))
    assert np.array_equal(first.parameters, second.parameters)
    assert first.losses[-1] == pytest.approx(first.loss, rel=1e-6)
    assert (np.diff(first.losses) <= 0).all()
    assert first.restarts.shape == (2,)
    assert np.abs(model.poles(first.parameters)).max() <= 1


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="restarts"):
        fit_recurrence(DiagonalRecurrence(8, 2), PROCESS, restarts=0)
    with pytest.raises(ValueError, match="component"):
        fit_recurrence(DiagonalRecurrence(8, 2), similar_power_laws(2))


def test_a_model_without_poles_is_refused():
    with pytest.raises(TypeError, match="model: "):
        fit_recurrence(FullyConnected(4), GaussianProcess())


def test_each_run_starts_at_other_poles():
    assert (
        np.unique(fit_recurrence(DiagonalRecurrence(16, 2), PROCESS, restarts=4, rng=0, max_iterations=1).restarts).size
        == 4
    )


@pytest.mark.parametrize("bound", [None, 0.9])
def test_the_slopes_of_the_projected_loss_are_those_of_differences(bound):
    model = DiagonalRecurrence(16, 3, bound)
    objective = Objective.of_task(model, PROCESS)
    problem = _Projected(objective, objective.root @ objective.target)
    point = np.array([-0.4, 0.3, 0.8])
    loss = lambda z: np.sum(problem.residual(z) ** 2)  # noqa: E731
    differences = [(loss(point + step) - loss(point - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(2 * problem.jacobian(point).T @ problem.residual(point), differences, rtol=1e-6)


def test_weights_of_either_sign_are_found():
    lags = np.arange(32)[::-1]
    task = PrescribedTask(GaussianProcess(exponential_mixture()), 0.4 * 0.9**lags - 0.3 * 0.2**lags)
    model = DiagonalRecurrence(32, 2)
    found = fit_recurrence(model, task, rng=0)
    assert found.loss < 1e-25
    np.testing.assert_allclose(found.coefficients, task.target, atol=1e-12)


def test_poles_beyond_the_range_of_a_double_are_never_tried():
    found = fit_recurrence(DiagonalRecurrence(1000, 2, bound=5.0), PROCESS, rng=0, restarts=2)
    assert np.isfinite(found.restarts).all()
