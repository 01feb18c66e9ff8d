"""Gauss-Newton steps in the space of coefficients."""

import numpy as np
import pytest
from scipy import linalg

from capacity.fitting import fit
from capacity.fitting.gauss_newton import _spectral
from capacity.models import DilatedConvolution, FullyConnected, tensor_train_parameters
from capacity.tasks import GaussianProcess

PROCESS = GaussianProcess()


@pytest.mark.parametrize(
    "model",
    [
        DilatedConvolution.hierarchical(6, channels=16),
        DilatedConvolution.hierarchical(6, channels=64),
        DilatedConvolution.hierarchical(4, channels=4),
        DilatedConvolution.hierarchical(1),
        DilatedConvolution([1], taps=1),
        FullyConnected(64),
    ],
)
def test_models_of_full_capacity_reach_the_target_to_rounding_error(model):
    result = fit(model, PROCESS, rng=0)
    assert result.loss < 1e-25
    assert result.converged
    np.testing.assert_allclose(result.coefficients, PROCESS.optimal_coefficients(model.n_inputs), atol=1e-12)


def test_a_linear_least_squares_problem_takes_few_steps():
    assert fit(FullyConnected(64), PROCESS, rng=0).losses.size <= 10


def test_stops_when_the_residual_is_orthogonal_to_the_tangent_space():
    model = DilatedConvolution.hierarchical(6, channels=2)
    result = fit(model, PROCESS, rng=0, tolerance=1e-4)
    assert result.message == "the residual is orthogonal to the tangent space"
    root, target = linalg.cholesky(PROCESS.covariance(64)), PROCESS.optimal_coefficients(64)
    tangent = linalg.orth(root @ model.jacobian(result.parameters), rcond=1e-12)
    residual = root @ (result.coefficients - target)
    assert linalg.norm(tangent.T @ residual) <= 1e-4 * linalg.norm(residual)
    stricter = fit(model, PROCESS, rng=0, tolerance=1e-7)
    assert stricter.losses.size > result.losses.size


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12)])
def test_steps_come_from_the_singular_values_whatever_the_shape(shape):
    rng = np.random.default_rng(0)
    tangent = rng.standard_normal((shape[0], 8)) @ rng.standard_normal((8, shape[1]))
    residual = rng.standard_normal(shape[0])
    values, inner, lift = _spectral(tangent, residual)
    left, expected, _ = linalg.svd(tangent)
    np.testing.assert_allclose(values[:8], expected[:8], rtol=1e-12)
    assert values[8:].max(initial=0) < 1e-13 * values[0]
    genuine = np.where(np.arange(values.size) < 8, inner, 0.0)
    np.testing.assert_allclose(lift(genuine), left[:, :8] @ (left[:, :8].T @ residual), rtol=0, atol=1e-12)


def test_start_at_the_tensor_train_crosses_the_slow_valleys():
    model = DilatedConvolution.hierarchical(6, channels=4)
    initial = tensor_train_parameters(PROCESS.optimal_coefficients(64), model.taps, model.channels, rng=0)
    near = fit(model, PROCESS, initial=initial, max_iterations=25)
    others = [fit(model, PROCESS, rng=seed, max_iterations=100).loss for seed in range(2)]
    assert near.loss < 1.0001 * min(others)
    assert near.loss < 3e-10
