import numpy as np
import pytest

from capacity.allocation import constraint_space, model_constraints
from capacity.fitting import fit, stationarity
from capacity.fitting.objective import Objective
from capacity.fitting.variable_projection import Projected
from capacity.models import DiagonalRecurrence, FullyConnected
from capacity.tasks import (
    GaussianProcess,
    PrescribedTask,
    dataset_process,
    exponential_mixture,
    standard_process,
)
from capacity_inspection.models import DiagonalStateSpace, s4d_lin_poles

PROCESS = GaussianProcess()


def test_the_loss_falls_exponentially_with_free_poles_and_stable_ones_cannot_follow():
    losses = {c: fit(DiagonalRecurrence(64, c), PROCESS, rng=0).loss for c in (2, 4, 6, 8, 10)}
    assert np.diff(np.log10([*losses.values()])).max() < -2
    assert losses[10] < 1e-12
    assert fit(DiagonalRecurrence(64, 8, bound=1.0), PROCESS, rng=0).loss > 1e4 * losses[8]


def test_the_error_meets_the_constraints_at_the_optimum():
    model = DiagonalRecurrence(64, 4)
    found = fit(model, PROCESS, rng=0)
    error = found.coefficients - PROCESS.optimal_coefficients(64)
    space = constraint_space(PROCESS.covariance(64), model.directions(found.parameters))
    assert space.total == 8
    assert np.linalg.norm(space.vectors.T @ error) < 1e-5 * np.linalg.norm(error)


def test_only_a_model_with_poles_is_fitted_by_them():
    with pytest.raises(ValueError, match="method: "):
        fit(FullyConnected(4), PROCESS, method="variable projection")


def test_each_run_starts_at_other_poles():
    assert np.unique(fit(DiagonalRecurrence(16, 2), PROCESS, restarts=4, rng=0, max_iterations=1).restarts).size == 4


@pytest.mark.parametrize(
    ("model", "point"),
    [
        (DiagonalRecurrence(16, 3), [-0.4, 0.3, 0.8]),
        (DiagonalRecurrence(16, 3, bound=0.9), [-0.4, 0.3, 0.8]),
        (DiagonalStateSpace(16, 2), [-0.1, -1.5, np.cos(0.4), np.cos(2)]),
    ],
)
def test_the_slopes_of_the_projected_loss_are_those_of_differences(model, point):
    problem, point = Projected.of(Objective.of_task(model, PROCESS)), np.array(point)
    loss = lambda z: np.sum(problem.residual(z) ** 2)  # noqa: E731
    differences = [(loss(point + step) - loss(point - step)) / 2e-6 for step in 1e-6 * np.eye(point.size)]
    np.testing.assert_allclose(2 * problem.jacobian(point).T @ problem.residual(point), differences, rtol=1e-6)


def test_weights_of_either_sign_are_found():
    lags = np.arange(32)[::-1]
    task = PrescribedTask(GaussianProcess(exponential_mixture()), 0.4 * 0.9**lags - 0.3 * 0.2**lags)
    model = DiagonalRecurrence(32, 2)
    found = fit(model, task, rng=0)
    assert found.loss < 1e-25
    np.testing.assert_allclose(found.coefficients, task.target, atol=1e-12)


def test_poles_beyond_the_range_of_a_double_are_never_tried():
    found = fit(DiagonalRecurrence(1000, 2, bound=5.0), PROCESS, rng=0, restarts=2)
    assert np.isfinite(found.restarts).all()


def test_an_attainable_oscillation_is_found():
    k = np.arange(32)[::-1]
    target = 0.4 * 0.9**k * np.cos(0.5 * k + 1) - 0.3 * 0.5**k * np.cos(2 * k)
    model = DiagonalStateSpace(32, 2)
    found = fit(model, PrescribedTask(standard_process("exponential mixture"), target), rng=0)
    assert found.loss < 1e-20
    poles = model.poles(found.parameters)
    np.testing.assert_allclose(np.sort(np.abs(poles)), [0.5, 0.9], rtol=1e-6)
    np.testing.assert_allclose(np.sort(np.abs(np.angle(poles))), [0.5, 2.0], rtol=1e-6)


def test_a_state_space_reaches_what_gauss_newton_finds_in_all_parameters():
    model, process = DiagonalStateSpace(32, 1), dataset_process("sunspots")
    assert fit(model, process, restarts=3, rng=0).loss == pytest.approx(
        fit(model, process, method="gauss-newton", restarts=5, rng=1).loss, rel=1e-7
    )


@pytest.mark.parametrize("pairs", [1, 2])
def test_where_memory_is_monotone_a_pair_becomes_one_real_pole(pairs):
    model = DiagonalStateSpace(64, pairs)
    found = fit(model, PROCESS, restarts=4, rng=0)
    real = fit(DiagonalRecurrence(64, pairs, bound=1.0), PROCESS, rng=0)
    assert found.loss == pytest.approx(real.loss, rel=1e-7)
    assert np.all(np.sin(np.angle(model.poles(found.parameters))) == 0)
    space = model_constraints(model, found.parameters, PROCESS.covariance(64))
    assert space.total == 2 * pairs
    assert stationarity(model, found.parameters, PROCESS) < 1e-6


def test_it_starts_where_it_is_told_and_every_other_run_elsewhere():
    model, process = DiagonalStateSpace(32, 2), dataset_process("sunspots")
    poles, _ = s4d_lin_poles(2, step=0.1)
    first = fit(model, process, initial=model.parameters(poles), restarts=1, max_iterations=1)
    other = fit(model, process, initial=model.parameters(poles, 7.0), restarts=1, max_iterations=1)
    np.testing.assert_allclose(first.losses[0], other.losses[0], rtol=1e-9)  # the weights do not count
    problem, point = Projected.of(Objective.of_task(model, process)), model.separated.point(model.parameters(poles))
    assert first.losses[0] == pytest.approx(np.sum(problem.residual(point) ** 2))
    assert np.unique(fit(model, process, restarts=4, rng=0, max_iterations=1).restarts).size == 4


def test_a_run_that_is_cut_short_says_so_and_is_reproducible():
    model = DiagonalStateSpace(64, 3)
    first, second = (fit(model, PROCESS, restarts=2, rng=7, max_iterations=2) for _ in range(2))
    assert not first.converged
    assert "maximum number of function evaluations" in first.message
    np.testing.assert_array_equal(first.parameters, second.parameters)
    assert (np.diff(first.losses) <= 1e-15).all()
    assert first.losses[-1] == pytest.approx(first.loss, rel=1e-6)


def test_nothing_to_predict_is_predicted_by_zero():
    model = DiagonalStateSpace(16, 2)
    found = fit(model, standard_process("white"), restarts=2, rng=0)
    assert found.loss == 0
    np.testing.assert_array_equal(found.coefficients, np.zeros(16))
