import numpy as np
import pytest

from capacity.activations import tanh
from capacity.networks import Layer, forward_pass, parameter_vector, with_parameter_vector
from capacity_studies.training import train_regression


@pytest.fixture
def layers():
    rng = np.random.default_rng(0)
    return [Layer(rng.standard_normal((3, 4, 2)), rng.standard_normal((3, 4))), Layer(np.ones((3, 2, 4)), None, tanh())]


@pytest.fixture
def samples():
    rng = np.random.default_rng(1)
    return rng.standard_normal((10, 2)), rng.standard_normal((3, 10, 2))


def loss(layers, inputs, targets):
    return np.square(forward_pass(layers, inputs).outputs - targets).sum(axis=-1).mean(axis=-1)


def test_the_first_step_of_each_network_has_the_signs_of_its_gradient(layers, samples):
    x, y = samples
    run = train_regression(layers, x, y, steps=1, learning_rate=0.01)
    start, end = (parameter_vector(now) for now in run.snapshots)
    for index, delta in enumerate(np.eye(start.shape[-1])):
        slope = (
            loss(with_parameter_vector(one(layers), start + 1e-6 * delta), x, y)
            - loss(with_parameter_vector(one(layers), start - 1e-6 * delta), x, y)
        ) / 2e-6
        np.testing.assert_allclose(end[:, index] - start[:, index], -0.01 * np.sign(slope), atol=1e-6)
    np.testing.assert_allclose(run.losses[:, 0], loss(layers, x, y), rtol=1e-12)


def test_many_networks_learn_as_each_alone(layers, samples):
    x, y = samples
    run = train_regression(layers, x, y, steps=20, learning_rate=0.1, snapshots=[5, 20])
    assert run.steps.tolist() == [5, 20]
    alone = train_regression(one(layers, 1), x, y[1], steps=20, learning_rate=0.1)
    np.testing.assert_allclose(parameter_vector(run.layers)[1], parameter_vector(alone.layers), rtol=1e-10)
    assert (run.losses[:, -1] < run.losses[:, 0]).all()


def one(layers, index=0):
    return [
        Layer(layer.weights[index], None if layer.bias is None else layer.bias[index], layer.activation)
        for layer in layers
    ]
