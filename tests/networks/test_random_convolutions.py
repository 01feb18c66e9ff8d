import numpy as np
import pytest

from capacity.activations import leaky, linear, tanh
from capacity.layers import convolution_projection
from capacity.networks import Layer, forward_pass, random_weights
from capacity.networks.random_convolutions import central_gradient


def states(weights, inputs, activation):
    """Arguments of the activations of every layer, one sample for each realisation."""
    activations = [None, *[activation] * (len(weights) - 1)]
    layers = [Layer(w, activation=f, dimensions=weights.ndim - 4) for w, f in zip(weights, activations)]
    return [state[:, 0] for state in forward_pass(layers, inputs[:, None]).states[1:]]


@pytest.mark.parametrize("dimensions", [1, 2])
def test_layers_agree_with_the_sparse_convolution(dimensions):
    size = (7,) * dimensions
    weights = random_weights(2, 3, 3, realisations=2, dimensions=dimensions, rng=0)
    inputs = np.random.default_rng(1).standard_normal((2, 3, *size))
    found = states(weights, inputs, tanh())
    for realisation in range(2):
        state = inputs[realisation].ravel()
        for layer in range(2):
            arguments = convolution_projection(weights[layer, realisation], size).T @ state
            np.testing.assert_allclose(found[layer][realisation].ravel(), arguments, atol=1e-12)
            state = np.tanh(arguments)


@pytest.mark.parametrize("dimensions", [1, 2])
@pytest.mark.parametrize("activation", [tanh(), leaky(0.1)], ids=lambda a: a.name)
def test_gradient_is_the_limit_of_finite_differences(activation, dimensions):
    size = (5,) * dimensions
    centre = (0, *[2] * dimensions)
    weights = random_weights(2, 2, 3, realisations=1, dimensions=dimensions, rng=2)
    inputs = np.random.default_rng(3).standard_normal((1, 2, *size))
    gradient = central_gradient(weights, inputs, activation)
    for index in np.ndindex(*inputs.shape):
        step = np.zeros_like(inputs)
        step[index] = 1e-6
        high, low = (activation(states(weights, inputs + s * step, activation)[-1])[0][centre] for s in (1, -1))
        assert (high - low) / 2e-6 == pytest.approx(gradient[index], abs=1e-7)


@pytest.mark.parametrize("positions", [14, 15])  # of both, 7 is the centre
def test_gradient_stays_within_the_receptive_field(positions):
    gradient = central_gradient(random_weights(3, 4, rng=4), np.ones((1, 4, positions)), linear())
    assert (np.abs(gradient).sum(axis=(0, 1)) > 0).nonzero()[0].tolist() == list(range(4, 11))


@pytest.mark.parametrize(("taps", "d"), [(1, 1), (5, 1), (3, 2)])
def test_weights_have_twice_the_inverse_of_what_a_unit_reads_as_variance(taps, d):
    shape = (2, 4, 3, 3, *[taps] * d)
    weights = np.sqrt(2 / (3 * taps**d)) * np.random.default_rng(5).standard_normal(shape)
    for coherent, expected in ((False, weights), (True, np.abs(weights))):
        found = random_weights(2, 3, taps, realisations=4, coherent=coherent, dimensions=d, rng=5)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
