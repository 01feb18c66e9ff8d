import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import check_counts, check_model

from capacity.allocation import exact_capacity, model_constraints
from capacity.fitting import fit, stationarity
from capacity.fitting.objective import Objective
from capacity.fitting.variable_projection import Projected
from capacity.models import DiagonalRecurrence, FunctionModel
from capacity.tasks import GaussianProcess, PrescribedTask, dataset_process, standard_process
from capacity_inspection.models import DiagonalStateSpace, ring_poles, s4d_lin_poles

PROCESS = GaussianProcess()


def oscillations(n, parameters):
    """Coefficients in real arithmetic: 2 exp(-k exp(nu)) (x cos(k theta) - y sin(k theta)), summed over pairs."""
    nu, theta, x, y = parameters.reshape(4, -1)
    lag = np.arange(n)[::-1, None]
    return 2 * (np.exp(-lag * np.exp(nu)) * (x * np.cos(lag * theta) - y * np.sin(lag * theta))).sum(axis=1)


def powers_of_poles(n, parameters):
    """The same of poles a + ib, as polynomials: each state is multiplied by its pole, step by step."""
    a, b, p, q = parameters.reshape(4, -1)
    found = []
    for _ in range(n):
        found.append(2 * p.sum())
        p, q = p * a - q * b, p * b + q * a
    return np.array(found[::-1], dtype=parameters.dtype)


@given(st.integers(1, 9), st.integers(1, 4), st.integers(0, 2**16))
@settings(max_examples=25)
def test_a_state_space_of_any_size_is_its_definition_and_keeps_the_protocol(n, pairs, seed):
    model = DiagonalStateSpace(n, pairs)
    check_model(model, lambda v: oscillations(n, v), seed)
    check_counts(model, lambda v: powers_of_poles(n, v), seed)


@pytest.mark.parametrize(("n", "pairs"), [(7, 1), (7, 2), (64, 1), (64, 8), (64, 15), (64, 16), (64, 40), (66, 17)])
def test_exact_capacity_is_four_per_pair_until_it_is_full(n, pairs):
    model = DiagonalStateSpace(n, pairs)
    assert exact_capacity(model).total == min(4 * pairs, n)
    assert exact_capacity(model, layers=["weights"]).total == min(2 * pairs, n)


def test_input_weights_add_parameters_and_no_capacity():
    def coefficients(poles, inputs, outputs):
        (a, b), (p, q), (x, y) = (np.moveaxis(part, -1, 0) for part in (poles, inputs, outputs))
        result = []
        for _ in range(12):
            result.append(2 * (x * p - y * q).sum())
            p, q = p * a - q * b, p * b + q * a
        return np.stack(result[::-1])

    written = FunctionModel(coefficients, dict.fromkeys(("poles", "inputs", "outputs"), (2, 2)))
    assert written.n_parameters == 12
    assert exact_capacity(written).total == 8


def test_parameters_are_those_of_the_poles_and_weights_that_were_asked_for():
    model, poles = DiagonalStateSpace(8, 3), np.array([0.5j, -0.9, 0.2 - 0.1j])
    parameters = model.parameters(poles, [1, 2j, 3 - 1j])
    np.testing.assert_allclose(model.poles(parameters), poles, atol=1e-15)
    np.testing.assert_allclose(model.weights(parameters), [1, 2j, 3 - 1j])
    np.testing.assert_allclose(model.weights(model.parameters(poles, 2.0)), [2, 2, 2])


def test_random_weights_have_the_mean_square_that_is_documented():
    model = DiagonalStateSpace(4, 5000)
    weights = model.weights(model.parameters(ring_poles(5000, rng=1)[0], 3.0, rng=2))
    assert np.mean(np.abs(weights) ** 2) == pytest.approx(9 / 5000, rel=0.05)
    assert abs(np.mean(weights**2)) < 0.1 * 9 / 5000


def test_all_poles_are_stable_whatever_the_parameters_are():
    model = DiagonalStateSpace(8, 4)
    assert np.abs(model.poles(5 * np.random.default_rng(0).standard_normal(16))).max() < 1


def test_the_functions_of_a_pair_span_its_oscillations_and_are_differentiated():
    model, pole, k = DiagonalStateSpace(20, 1), 0.8 * np.exp(0.7j), np.arange(20)[::-1]
    form = model.separated
    point = form.point(model.parameters([pole]))
    functions, slopes = form.columns(point)
    np.testing.assert_allclose(functions[:, 0], (pole**k).real, atol=1e-14)
    np.testing.assert_allclose(functions[:, 1], (pole**k).imag / (0.8 * np.sin(0.7)), atol=1e-14)
    for weights in np.eye(2):
        moved = [form.columns(point + step)[0] - form.columns(point - step)[0] for step in 1e-6 * np.eye(2)]
        differences = np.stack([each @ weights / 2e-6 for each in moved], axis=1)
        np.testing.assert_allclose(slopes(np.eye(20), weights), differences, atol=1e-8)


def test_the_slopes_of_the_projected_loss_are_those_of_differences():
    model, point = DiagonalStateSpace(16, 2), np.array([-0.1, -1.5, np.cos(0.4), np.cos(2)])
    problem = Projected.of(Objective.of_task(model, PROCESS))
    loss = lambda z: np.sum(problem.residual(z) ** 2)  # noqa: E731
    differences = [(loss(point + step) - loss(point - step)) / 2e-6 for step in 1e-6 * np.eye(point.size)]
    np.testing.assert_allclose(2 * problem.jacobian(point).T @ problem.residual(point), differences, rtol=1e-6)


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
    found = fit(model, process, restarts=1, rng=0, max_iterations=20)
    assert found.losses[-1] == pytest.approx(found.loss, rel=1e-6)
    assert (np.diff(found.losses) <= 0).all()
