from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.special import i0

from capacity.activations import pseudo_random, relu
from capacity.depth import walk_kernel
from capacity.layers import differential_transition
from capacity_studies.weight_scale import (
    bias_share,
    branch_share,
    channel_kernel,
    lag_capacity,
    product_growth,
    sampled_product_growth,
)

SIGNS = (-1, 1)


def test_the_branch_takes_what_leaves_the_position_in_a_differential_layer():
    neighbours = np.array([[0, 0.6, 0], [0.6, 0, 1], [0.8, 0.8, 0]])
    unit = neighbours / np.linalg.norm(neighbours, axis=0)
    left = 1 - np.diag(differential_transition(unit, 1.5**2 * 9**-0.5))
    np.testing.assert_allclose(left, branch_share(9, 0.25, scale=1.5), rtol=1e-12)


@pytest.mark.parametrize("shared", [False, True])
def test_biases_share_with_the_inputs_as_in_all_networks_of_one_unit(shared):
    """Coefficients of the input and of the constant over all signs of three gains and of the biases."""
    n_layers, w, b = 3, 0.7, 0.4
    squares = []
    for gains, signs in product(product(SIGNS, repeat=n_layers), product(SIGNS, repeat=n_layers)):
        coefficients = np.array([1.0, 0.0])
        for layer, gain in enumerate(gains):
            coefficients = coefficients * (1 + w * gain) + [0, b * signs[0 if shared else layer]]
        squares.append(coefficients**2)
    of_input, of_constant = np.mean(squares, axis=0)
    share = bias_share(n_layers, w, b, shared=shared)
    np.testing.assert_allclose(share, of_constant / (of_input + of_constant), rtol=1e-12)


def test_lags_receive_the_mean_squares_of_their_coefficients():
    w, steps = 0.6, 4
    c, squares = 1 / np.sqrt(1 + 2 * w**2), []
    for gains in product(SIGNS, repeat=steps):
        later = np.cumprod([1.0, *(c * (1 + w * gain) for gain in gains[:0:-1])])
        squares.append((c * w * later) ** 2)
    np.testing.assert_allclose(lag_capacity(steps, w), np.mean(squares, axis=0), rtol=1e-12)


def test_one_matrix_in_all_layers_has_the_squares_of_binomial_coefficients():
    w = 0.3
    assert product_growth(2, w, shared=True) == pytest.approx(1 + 4 * w**2 + w**4)
    assert product_growth(3, w) == pytest.approx((1 + w**2) ** 3)
    assert product_growth(2000, 2 / 2000, shared=True) == pytest.approx(i0(4), rel=0.01)
    assert product_growth(2500, 1 / 50, shared=True) == pytest.approx(i0(100) / np.e, rel=0.05)


@pytest.mark.parametrize(
    ("activation", "shared", "alike"), [(None, True, True), (relu(), False, False), (pseudo_random(), True, False)]
)
def test_sampled_networks_grow_as_the_formula_says(activation, shared, alike):
    grown = sampled_product_growth(6, 0.4, activation=activation, shared=shared, width=60, networks=150, rng=3)
    expected = [product_growth(depth, 0.4, shared=alike) for depth in range(7)]
    assert np.all(np.abs(grown.mean - expected)[1:] < 4 * grown.standard_error[1:] + 0.02 * np.array(expected)[1:])
    assert np.all(grown.standard_error[1:] < 0.1 * grown.mean[1:])


@pytest.mark.parametrize(("networks", "shared"), [(2, False), (3, True), (7, False)])
def test_growth_of_sampled_networks_is_the_mean_over_so_many_of_them(networks, shared):
    rng, w = np.random.default_rng(1), 0.4
    weights = rng.standard_normal((1 if shared else 3, networks, 5, 5)) / np.sqrt(5 * 0.5)  # a ReLU passes one half
    states, tangents = rng.standard_normal((2, networks, 5))
    grown = np.ones((networks, 4))
    for net, (state, tangent) in enumerate(zip(states, tangents)):
        size = tangent @ tangent
        for layer in range(3):
            matrix = weights[0 if shared else layer, net]
            tangent = tangent + w * matrix @ ((state > 0) * tangent)
            state = state + w * matrix @ np.maximum(state, 0)
            grown[net, layer + 1] = tangent @ tangent / size
    found = sampled_product_growth(3, w, activation=relu(), shared=shared, width=5, networks=networks, rng=1)
    np.testing.assert_allclose(found.mean, grown.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.standard_error, stats.sem(grown), rtol=1e-12, atol=1e-16)


def test_one_random_layer_shares_by_its_squared_weights():
    weights = 1.5 * 4**-0.25 * np.random.default_rng(5).standard_normal((3, 4, 4)) / np.sqrt(3)
    squares = np.square(weights[:, 0]).sum(axis=1)  # of the first output, from all inputs
    kernel = channel_kernel(1, 4, exponent=0.25, scale=1.5, reach=2, rng=5)
    np.testing.assert_allclose(kernel, np.pad(squares + np.eye(3)[1], 1) / (1 + squares.sum()), rtol=1e-12)


def test_the_mean_over_networks_with_many_channels_is_the_random_walk():
    kernels = np.array([channel_kernel(8, 12, scale=1.5, reach=10, rng=seed) for seed in range(30)])
    np.testing.assert_allclose(kernels.sum(axis=1), 1, rtol=1e-12)
    walk = walk_kernel([1 / 3, -2 / 3, 1 / 3], branch_share(8, 0.5, scale=1.5), 8)
    np.testing.assert_allclose(kernels.mean(axis=0)[2:-2], walk, atol=0.01)
