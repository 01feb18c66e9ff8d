"""The variance of an estimate: against least squares in closed form, brute force, capacities and repeated samples."""

import numpy as np
import pytest
from scipy import linalg

from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution, FunctionModel
from capacity.tasks import GaussianProcess, Samples
from capacity_inspection.reports import sampling_variance

STACK = DilatedConvolution([1, 2, 4], channels=2)


@pytest.fixture(scope="module")
def noisy():
    """Samples that no stack explains fully, of coloured inputs, with the optimum of the stack on them."""
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((600, 8)) @ rng.standard_normal((8, 8))
    task = Samples(inputs, inputs @ rng.standard_normal(8) + rng.standard_normal(600) * (1 + inputs[:, 0] ** 2))
    return task, fit(STACK, task, restarts=4, rng=0)


@pytest.mark.parametrize("count", [5, 7, 50])
def test_a_model_without_ties_has_the_errors_of_least_squares(count):
    rng = np.random.default_rng(0)
    inputs, free = rng.standard_normal((count, 3)), FunctionModel(lambda w: w, {"w": (3,)})
    task = Samples(inputs, inputs @ [1.0, -2.0, 0.5] + rng.standard_normal(count))
    found = sampling_variance(free, task.optimal_coefficients(3), task)
    table = np.column_stack([np.ones(count), task.inputs])
    residual = task.outputs - table @ np.linalg.lstsq(table, task.outputs)[0]
    covariance = residual @ residual / (count - 4) * np.linalg.inv(table.T @ table)
    np.testing.assert_allclose(found.coefficients(), np.sqrt(np.diag(covariance))[1:], rtol=1e-9)
    new = np.column_stack([np.ones(5), points := rng.standard_normal((5, 3))])
    np.testing.assert_allclose(
        found.predictions(points) ** 2, np.einsum("ij,jk,ik->i", new, covariance, new), rtol=1e-9
    )
    white = np.linalg.inv(table.T @ table) @ (table.T * residual**2) @ table @ np.linalg.inv(table.T @ table)
    by_white = count / (count - 4)  # White (1980) has no correction of the denominator
    robust = found.coefficients(robust=True) ** 2 / by_white
    np.testing.assert_allclose(robust, np.diag(white)[1:], rtol=1e-9)
    loss = residual @ residual / count
    gap = 2 * loss * count / (count - 4) * 4 / count
    assert (found.generalization_gap(), found.held_out()) == pytest.approx((gap, loss + gap), rel=1e-9)


def test_a_model_of_the_most_recent_inputs_has_the_errors_of_those_alone(noisy):
    task, model = noisy[0], DilatedConvolution([1, 1], channels=2)
    recent = Samples(task.inputs[:, -3:], task.outputs)
    best = fit(model, task, restarts=4, rng=0).parameters
    found, alone = (sampling_variance(model, best, own) for own in (task, recent))
    for robust in (False, True):
        np.testing.assert_allclose(found.coefficients(robust=robust), alone.coefficients(robust=robust), rtol=1e-9)


def test_with_white_inputs_squared_errors_are_capacities():
    white = GaussianProcess(lambda lags: np.where(lags, 0.0, 1.0))
    target = np.random.default_rng(1).standard_normal(8)

    class Task:
        components = 1
        covariance = staticmethod(lambda n: np.eye(n))
        optimal_coefficients = staticmethod(lambda n: target)
        residual_variance = staticmethod(lambda n: 0.7)

    best = fit(STACK, Task(), restarts=4, rng=0)
    found = sampling_variance(STACK, best.parameters, Task(), samples=200)
    capacities = model_constraints(STACK, best.parameters, white.covariance(8)).spatial()
    np.testing.assert_allclose(found.coefficients() ** 2 * 200 / found.residual_variance, capacities, rtol=1e-8)
    np.testing.assert_allclose(found.predictions(np.eye(8)), found.coefficients(), rtol=1e-12)
    assert found.generalization_gap() == pytest.approx(2 * found.residual_variance * capacities.sum() / 200, rel=1e-10)
    assert found.held_out() == pytest.approx(found.loss + found.generalization_gap() / 2, rel=1e-15)


def test_directions_span_the_covariance_of_the_tangent_space(noisy):
    task, best = noisy
    found = sampling_variance(STACK, best.parameters, task)
    jacobian, covariance = STACK.jacobian(best.parameters), task.covariance(8)
    expected = jacobian @ linalg.pinv(jacobian.T @ covariance @ jacobian, rtol=1e-10) @ jacobian.T
    np.testing.assert_allclose(found.directions @ found.directions.T, expected, rtol=1e-7, atol=1e-9)


def test_the_trace_and_the_robust_errors_are_those_of_the_hessian_and_the_scores(noisy):
    task, best = noisy
    found = sampling_variance(STACK, best.parameters, task)
    jacobian, p = STACK.jacobian(best.parameters), STACK.n_parameters

    def gradients(parameters):
        errors = task.outputs - task.inputs @ STACK.coefficients(parameters)
        return -errors[:, None] * (task.inputs @ STACK.jacobian(parameters))

    steps = 1e-5 * np.eye(p)
    hessian = np.array(
        [(gradients(best.parameters + s) - gradients(best.parameters - s)).mean(axis=0) / 2e-5 for s in steps]
    )
    scores = gradients(best.parameters).T @ gradients(best.parameters) / len(task.outputs)
    inverse = linalg.pinv((hessian + hessian.T) / 2, rtol=1e-6)
    assert np.linalg.matrix_rank(hessian, rtol=1e-6) == found.capacity
    assert found.trace == pytest.approx(np.trace(inverse @ scores) / found.loss, rel=1e-5)
    assert abs(found.trace / found.capacity - 1) > 0.05  # the model is badly specified, and the noise uneven
    covariance = jacobian @ inverse @ scores @ inverse @ jacobian.T / len(task.outputs)
    scale = found.residual_variance / found.loss
    np.testing.assert_allclose(found.coefficients(robust=True) ** 2, scale * np.diag(covariance), rtol=1e-4)


def test_the_trace_is_the_capacity_where_the_model_is_well_specified():
    model = DilatedConvolution([1, 2], channels=2)
    parameters = model.initial(0)

    class Own:
        components = 1
        covariance = staticmethod(lambda n: np.eye(n) + 0.5)
        optimal_coefficients = staticmethod(lambda n: model.coefficients(parameters))
        residual_variance = staticmethod(lambda n: 1.0)

    found = sampling_variance(model, parameters, Own(), samples=10)
    assert found.trace == pytest.approx(found.capacity, rel=1e-12)
    with pytest.warns(DeprecationWarning, match="use generalization_gap"):
        assert found.gap() == found.generalization_gap()
    assert found.generalization_gap(robust=True) == pytest.approx(found.generalization_gap(), rel=1e-12)


def test_what_is_no_regular_optimum_is_refused(noisy):
    task, best = noisy
    with pytest.raises(ValueError, match="parameters: expected an optimum"):
        sampling_variance(STACK, STACK.initial(0), task)
    square = FunctionModel(lambda w: w**2, {"w": (2,)})
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((100, 2))
    flat = Samples(inputs, inputs @ [1.0, -1.0] + 0.1 * rng.standard_normal(100))
    with pytest.raises(ValueError, match="parameters: expected a regular optimum, got one where 1"):
        sampling_variance(square, [flat_optimum(flat), 0.0], flat)
    with pytest.raises(ValueError, match="samples: expected none"):
        sampling_variance(STACK, best.parameters, task, samples=3)
    with pytest.raises((TypeError, ValueError), match="samples"):
        sampling_variance(STACK, best.parameters, GaussianProcess())


def flat_optimum(task):
    """Root of the best first coefficient where the second one is 0."""
    return np.sqrt(task.inputs[:, 0] @ task.outputs / (task.inputs[:, 0] @ task.inputs[:, 0]))


def test_a_maximum_along_a_direction_is_refused():
    bent = FunctionModel(lambda w: np.array([np.sin(w[0]), np.cos(w[0])]), {"w": (1,)})

    class Opposite:
        components = 1
        covariance = staticmethod(lambda n: np.eye(n))
        optimal_coefficients = staticmethod(lambda n: np.array([0.0, -2.0]))
        residual_variance = staticmethod(lambda n: 1.0)

    with pytest.raises(ValueError, match="parameters: expected a minimum"):
        sampling_variance(bent, [0.0], Opposite(), samples=5)
