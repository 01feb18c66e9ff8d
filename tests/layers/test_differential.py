import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

from capacity.activations import tanh
from capacity.depth import drift_and_diffusion
from capacity.layers import (
    convolution_projection,
    differential_capacity,
    differential_inputs,
    differential_layers,
    differential_projection,
    differential_transition,
    forward_coefficients,
)
from capacity.statistics import fit_power_law


def random_layer(seed=0, n=4, p=2):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, n)) * np.arange(1, n + 1), rng.standard_normal((n, p))


@given(st.integers(1, 5), st.floats(1e-3, 3), st.data())
@settings(max_examples=25)
def test_a_differential_layer_is_its_identity_and_its_scaled_increments(n, eps, data):
    projection, jacobian = random_layer(data.draw(st.integers(0, 99)), n, data.draw(st.integers(1, n)))
    inputs = np.random.default_rng(1).standard_normal((6, n))
    expected = inputs + np.sqrt(eps) * np.tanh(inputs @ projection)
    copies = differential_inputs(inputs, projection, tanh())
    np.testing.assert_allclose(copies @ differential_projection(projection, eps), expected, atol=1e-12)
    np.testing.assert_allclose(differential_layers(inputs, projection, [tanh()], eps), expected, atol=1e-12)
    gains = np.tanh(inputs @ projection) / (inputs @ projection)
    by_hand = [np.concatenate([y, *(gain * y for gain in row)]) for y, row in zip(inputs, gains)]
    np.testing.assert_allclose(copies, by_hand, rtol=1e-12)
    increments = [np.sqrt(eps) * np.outer(column, unit) for column, unit in zip(projection.T, np.eye(n))]
    block = np.vstack([np.eye(n), *increments])
    basis = linalg.orth(block @ jacobian, rcond=1e-10)
    expected = np.sum(basis**2, axis=1).reshape(n + 1, n).sum(axis=0)
    np.testing.assert_allclose(differential_capacity(projection, jacobian, eps), expected, atol=1e-9)


def test_all_capacity_is_handed_down_whatever_the_norms_of_the_increments():
    found = differential_capacity(np.diag([1e20, 1.0]), [[1.0, 1.0], [1.0, -1.0]], 1.0)
    np.testing.assert_allclose(found, 1, rtol=1e-12)


def test_capacity_drifts_and_diffuses_with_the_coefficients_of_the_forward_equation():
    left, centre, right = 0.5, 0.3, 0.8
    found = forward_coefficients(left, centre, right)
    projection = convolution_projection([left, centre, right], 9).toarray()
    transition = differential_transition(projection, 1e-7)
    stencil = (transition - np.eye(9))[3:6, 4] / 1e-7
    stencil[1] = -stencil[0] - stencil[2]
    assert drift_and_diffusion(stencil) == pytest.approx((found["v"], found["D"]), rel=1e-5)
    assert found["D"] == pytest.approx(found["d"] ** 2 + found["b"] ** 2 / 4)


def test_forward_operator_is_the_taylor_expansion_of_the_stencil():
    coefficients, errors = forward_coefficients(0.5, 0.3, 0.8), []
    spacings = np.array([0.02, 0.01, 0.005])
    for h in spacings:
        exact = 0.5 * np.sin(1 - h) + 0.3 * np.sin(1) + 0.8 * np.sin(1 + h)
        mu, b, d = (coefficients[key] for key in ("mu", "b", "d"))
        errors.append(abs(mu * np.sin(1) + b * h * np.cos(1) - d * h**2 * np.sin(1) - exact))
    assert fit_power_law(spacings, errors).exponent == pytest.approx(3, abs=0.05)
