from itertools import pairwise, product

import numpy as np
import pytest

from capacity.activations import leaky, linear
from capacity.depth import (
    expected_squared_gradient,
    gradient_field,
    masked_gradients,
    propagate,
)
from capacity.layers import transition_matrix
from capacity.networks.random_convolutions import central_gradient, random_weights


def random_projections(sizes=(4, 5, 6, 3), seed=0):
    rng = np.random.default_rng(seed)
    projections = [rng.standard_normal(shape) for shape in pairwise(sizes)]
    return [p / np.linalg.norm(p, axis=0) for p in projections]


def test_squared_gradient_of_a_linear_network_is_that_of_the_product():
    projections = random_projections()
    gradient = projections[0] @ projections[1] @ projections[2][:, 2]
    np.testing.assert_allclose(expected_squared_gradient(projections, 1.0, 2), gradient**2, rtol=1e-12)
    np.testing.assert_allclose(masked_gradients(projections, linear(), 2, 3, rng=0), [gradient] * 3, rtol=1e-12)


@pytest.mark.parametrize("slope", [1.0, 0.3, 0.0, -1.0])
def test_squared_gradient_is_the_mean_over_all_signs_of_the_gains(slope):
    sizes, activation = (3, 2, 4, 2), leaky(slope)
    projections = random_projections(sizes, seed=1)
    gains = np.array([1.0, slope]) / np.sqrt((1 + slope**2) / 2)
    squares = np.zeros((2, 3))
    for chosen in product(gains, repeat=8):
        by_layer = np.split(np.array(chosen), [2, 6])
        gradient = np.eye(2)
        for projection, gain in zip(projections[::-1], by_layer[::-1]):
            gradient = gradient * gain @ projection.T
        squares += gradient**2 / 2**8
    nu = activation.mean_and_half_jump[0] ** 2
    found = [expected_squared_gradient(projections, nu, output) for output in (0, 1)]
    np.testing.assert_allclose(found, squares, rtol=1e-12)
    if slope == -1:
        transitions = [transition_matrix(projection) for projection in projections]
        np.testing.assert_allclose(found, [propagate(transitions, unit) for unit in np.eye(2)], rtol=1e-12)


@pytest.mark.parametrize(("batch", "taps", "d"), [(2, 3, 1), (7, 5, 1), (2, 3, 2)])
def test_profiles_are_means_over_all_networks_whatever_the_batch(batch, taps, d):
    rng, gradients = np.random.default_rng(0), []
    for count in (2, 2, 1) if batch == 2 else (5,):
        weights = random_weights(2, 4, taps, realisations=count, coherent=d == 2, dimensions=d, rng=rng)
        gradients.append(central_gradient(weights, rng.standard_normal((count, 4, *[2 * taps - 1] * d)), leaky(0.5)))
    gradients = np.concatenate(gradients)
    found = gradient_field(
        2, leaky(0.5), channels=4, taps=taps, coherent=d == 2, dimensions=d, realisations=5, batch=batch, rng=0
    )
    np.testing.assert_allclose(found.square, np.mean(gradients**2, axis=(0, 1)), rtol=1e-13)
    np.testing.assert_allclose(found.absolute, np.mean(np.abs(gradients), axis=(0, 1)), rtol=1e-13)
