import numpy as np
import pytest

from capacity.allocation import model_constraints
from capacity.fitting import fit, fit_recurrence, fit_state_space, stationarity
from capacity.fitting.objective import Objective
from capacity.fitting.state_spaces import _Projected
from capacity.models import DiagonalRecurrence, DiagonalStateSpace, s4d_lin_poles
from capacity.tasks import GaussianProcess, PrescribedTask, dataset_process, similar_power_laws, standard_process

PROCESS = GaussianProcess()


def projected(model, process=PROCESS):
    objective = Objective.of_task(model, process)
    return _Projected(objective, objective.root @ objective.target)


def test_the_functions_span_the_oscillations_of_a_pair_and_are_differentiated():
    problem, pole, k = projected(DiagonalStateSpace(20, 1)), 0.8 * np.exp(0.7j), np.arange(20)[::-1]
    point = problem.point(np.array([pole]))
    columns = problem.columns(point)[..., 0]
    np.testing.assert_allclose(columns[0], (pole**k).real, atol=1e-14)
    np.testing.assert_allclose(columns[1], (pole**k).imag / (0.8 * np.sin(0.7)), atol=1e-14)
    for place in range(2):
        step = 1e-6 * np.eye(2)[place]
        difference = (problem.columns(point + step) - problem.columns(point - step))[:2, :, 0] / 2e-6
        np.testing.assert_allclose(columns[2 + 2 * place : 4 + 2 * place], difference, atol=1e-8)


def test_the_slopes_of_the_projected_loss_are_those_of_differences():
    problem = projected(DiagonalStateSpace(16, 2))
    point = problem.point(np.array([0.5 * np.exp(0.4j), 0.8 * np.exp(2j)]))
    loss = lambda x: np.sum(problem.residual(x) ** 2)  # noqa: E731
    differences = [(loss(point + step) - loss(point - step)) / 2e-6 for step in 1e-6 * np.eye(4)]
    np.testing.assert_allclose(2 * problem.jacobian(point).T @ problem.residual(point), differences, rtol=1e-6)


def test_an_attainable_target_is_found():
    k = np.arange(32)[::-1]
    target = 0.4 * 0.9**k * np.cos(0.5 * k + 1) - 0.3 * 0.5**k * np.cos(2 * k)
    model = DiagonalStateSpace(32, 2)
    found = fit_state_space(model, PrescribedTask(standard_process("exponential mixture"), target), rng=0)
    assert found.loss < 1e-20
    poles = model.poles(found.parameters)
    np.testing.assert_allclose(np.sort(np.abs(poles)), [0.5, 0.9], rtol=1e-6)
    np.testing.assert_allclose(np.sort(np.abs(np.angle(poles))), [0.5, 2.0], rtol=1e-6)


def test_it_reaches_what_gauss_newton_finds_in_all_parameters():
    model, process = DiagonalStateSpace(32, 1), dataset_process("sunspots")
    assert fit_state_space(model, process, restarts=3, rng=0).loss == pytest.approx(
        fit(model, process, restarts=5, rng=1).loss, rel=1e-7
    )


def test_where_data_oscillate_all_four_constraints_of_a_pair_hold():
    model, process = DiagonalStateSpace(48, 2), dataset_process("sunspots")
    found = fit_state_space(model, process, restarts=3, rng=0)
    assert model_constraints(model, found.parameters, process.covariance(48)).total == 8
    assert stationarity(model, found.parameters, process) < 1e-6
    assert found.converged


@pytest.mark.parametrize("pairs", [1, 2])
def test_where_memory_is_monotone_a_pair_becomes_one_real_pole(pairs):
    model = DiagonalStateSpace(64, pairs)
    found = fit_state_space(model, PROCESS, restarts=4, rng=0)
    real = fit_recurrence(DiagonalRecurrence(64, pairs, bound=1.0), PROCESS, rng=0)
    assert found.loss == pytest.approx(real.loss, rel=1e-7)
    assert np.all(np.sin(np.angle(model.poles(found.parameters))) == 0)
    space = model_constraints(model, found.parameters, PROCESS.covariance(64))
    assert space.total == 2 * pairs
    assert stationarity(model, found.parameters, PROCESS) < 1e-6


def test_a_double_real_pole_is_approached():
    k = np.arange(32)[::-1]
    model = DiagonalStateSpace(32, 1)
    found = fit_state_space(model, PrescribedTask(PROCESS, (1 + 0.5 * k) * 0.8**k), rng=0)
    assert found.loss < 1e-18
    assert abs(model.poles(found.parameters)[0]) == pytest.approx(0.8, abs=1e-6)


def test_it_starts_where_it_is_told_and_every_other_run_elsewhere():
    model, process = DiagonalStateSpace(32, 2), dataset_process("sunspots")
    poles, _ = s4d_lin_poles(2, step=0.1)
    first = fit_state_space(model, process, initial=model.parameters(poles), restarts=1, max_iterations=1)
    other = fit_state_space(model, process, initial=model.parameters(poles, 7.0), restarts=1, max_iterations=1)
    np.testing.assert_allclose(first.losses[0], other.losses[0], rtol=1e-9)  # the weights do not count
    expected = projected(model, process)
    assert first.losses[0] == pytest.approx(np.sum(expected.residual(expected.point(poles)) ** 2))
    assert np.unique(fit_state_space(model, process, restarts=4, rng=0, max_iterations=1).restarts).size == 4


def test_a_run_that_is_cut_short_says_so_and_is_reproducible():
    model = DiagonalStateSpace(64, 3)
    first, second = (fit_state_space(model, PROCESS, restarts=2, rng=7, max_iterations=2) for _ in range(2))
    assert not first.converged
    assert "maximum number of function evaluations" in first.message
    np.testing.assert_array_equal(first.parameters, second.parameters)
    assert (np.diff(first.losses) <= 1e-15).all()
    assert first.losses[-1] == pytest.approx(first.loss, rel=1e-6)


def test_nothing_to_predict_is_predicted_by_zero():
    model = DiagonalStateSpace(16, 2)
    found = fit_state_space(model, standard_process("white"), restarts=2, rng=0)
    assert found.loss == 0
    np.testing.assert_array_equal(found.coefficients, np.zeros(16))


def test_bad_arguments_are_named():
    model = DiagonalStateSpace(8, 2)
    with pytest.raises(ValueError, match="restarts"):
        fit_state_space(model, PROCESS, restarts=0)
    with pytest.raises(ValueError, match="component"):
        fit_state_space(model, similar_power_laws(2))
    with pytest.raises(ValueError, match="initial: "):
        fit_state_space(model, PROCESS, initial=np.ones(3))
    with pytest.raises(TypeError, match="model: "):
        fit_state_space(DiagonalRecurrence(8, 2), PROCESS)
