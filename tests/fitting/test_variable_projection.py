import numpy as np
import pytest

from capacity.allocation import constraint_space
from capacity.fitting import fit
from capacity.fitting.objective import Objective
from capacity.fitting.variable_projection import Projected
from capacity.models import DiagonalRecurrence
from capacity.tasks import (
    GaussianProcess,
    PrescribedTask,
    Samples,
    exponential_mixture,
    standard_process,
)

PROCESS = GaussianProcess()


def test_the_loss_falls_exponentially_with_free_poles_and_stable_ones_cannot_follow():
    losses = {c: fit(DiagonalRecurrence(64, c), PROCESS, rng=0).loss for c in (2, 4, 6, 8, 10)}
    assert np.diff(np.log10([*losses.values()])).max() < -2
    assert losses[10] < 1e-12
    assert fit(DiagonalRecurrence(64, 8, bound=1.0), PROCESS, rng=0).loss > 1e4 * losses[8]


def test_one_pole_is_fitted_as_well_as_the_best_of_a_fine_scan():
    root, target = np.linalg.cholesky(PROCESS.covariance(32)).T, PROCESS.optimal_coefficients(32)
    scan = np.linspace(-0.99, 1.5, 2000)[:, None] ** np.arange(31, -1, -1) @ root.T  # with the best weight each
    best = min(np.sum((root @ target - (row @ root @ target) / (row @ row) * row) ** 2) for row in scan)
    found = fit(DiagonalRecurrence(32, channels=1), PROCESS, restarts=5, rng=0)
    assert best * 0.99 < found.loss <= best


def test_the_error_meets_the_constraints_at_the_optimum():
    model = DiagonalRecurrence(64, 4)
    found = fit(model, PROCESS, rng=0)
    error = found.coefficients - PROCESS.optimal_coefficients(64)
    space = constraint_space(PROCESS.covariance(64), model.directions(found.parameters))
    assert space.total == 8
    assert np.linalg.norm(space.vectors.T @ error) < 1e-5 * np.linalg.norm(error)


def test_each_run_starts_at_other_poles():
    assert np.unique(fit(DiagonalRecurrence(16, 2), PROCESS, restarts=4, rng=0, max_iterations=1).restarts).size == 4


@pytest.mark.parametrize(
    ("model", "point"),
    [
        (DiagonalRecurrence(16, 3), [-0.4, 0.3, 0.8]),
        (DiagonalRecurrence(16, 3, bound=0.9), [-0.4, 0.3, 0.8]),
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


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_the_unit_of_the_samples_does_not_matter(unit):
    model, series = DiagonalRecurrence(8, 2), PROCESS.sample(80, rng=0)
    here, there = (fit(model, Samples.from_series(scale * series, 8), rng=0) for scale in (1.0, unit))
    assert there.loss == pytest.approx(unit**2 * here.loss, rel=1e-6)
    np.testing.assert_allclose(there.coefficients, here.coefficients, atol=1e-4)


def test_poles_beyond_the_range_of_a_double_are_never_tried():
    found = fit(DiagonalRecurrence(1000, 2, bound=5.0), PROCESS, rng=0, restarts=2)
    assert np.isfinite(found.restarts).all()


def test_a_run_that_is_cut_short_says_so_and_is_reproducible():
    model = DiagonalRecurrence(64, 6)
    first, second = (fit(model, PROCESS, restarts=2, rng=7, max_iterations=2) for _ in range(2))
    assert not first.converged
    assert "maximum number of function evaluations" in first.message
    np.testing.assert_array_equal(first.parameters, second.parameters)
    assert (np.diff(first.losses) <= 1e-15).all()
    assert first.losses[-1] == pytest.approx(first.loss, rel=1e-6)


def test_nothing_to_predict_is_predicted_by_zero():
    model = DiagonalRecurrence(16, 4)
    found = fit(model, standard_process("white"), restarts=2, rng=0)
    assert found.loss == 0
    np.testing.assert_array_equal(found.coefficients, np.zeros(16))
