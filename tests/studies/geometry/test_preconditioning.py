from dataclasses import replace

import numpy as np
import pytest

from capacity.activations import relu
from capacity.networks import DenseNetwork, forward_pass
from capacity_studies.geometry import fisher_information, natural_gradient, parameter_cotangents, parameter_tangents
from capacity_studies.training import cross_entropy

INPUTS, LABELS = np.random.default_rng(1).standard_normal((9, 4)), np.arange(9) % 3


def setting(factor=1.0):
    net = DenseNetwork((4, 5, 3), relu(), bias=False)
    layers = net.with_parameters(net.initial(2))
    layers = [
        replace(layers[0], weights=factor * layers[0].weights),
        replace(layers[1], weights=layers[1].weights / factor),
    ]
    forward = forward_pass(layers, INPUTS)
    return layers, forward, parameter_cotangents(forward, cross_entropy(forward.outputs, LABELS)[1])


@pytest.mark.parametrize("damping", [1e-3, 1.0])
def test_the_natural_gradient_solves_the_damped_equations(damping):
    layers, _, gradient = setting()
    more = np.random.default_rng(3).standard_normal((20, 4))  # more rows than parameters
    fisher = fisher_information(layers, more)
    expected = np.linalg.solve(fisher + damping * np.eye(len(fisher)), gradient)
    np.testing.assert_allclose(natural_gradient(layers, more, gradient, damping=damping), expected, atol=1e-10)
    fisher = fisher_information(layers, INPUTS)
    expected = np.linalg.solve(fisher + damping * np.eye(len(fisher)), gradient)
    np.testing.assert_allclose(natural_gradient(layers, INPUTS, gradient, damping=damping), expected, atol=1e-10)


@pytest.mark.parametrize("family", ["softmax", "gaussian"])
def test_without_damping_it_is_the_pseudo_inverse(family):
    layers, _, gradient = setting()
    for inputs in (INPUTS, np.random.default_rng(3).standard_normal((20, 4))):
        fisher = fisher_information(layers, inputs, family=family)
        expected = np.linalg.pinv(fisher, rtol=1e-10, hermitian=True) @ gradient
        found = natural_gradient(layers, inputs, gradient, family=family)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)


def test_it_moves_the_function_alike_under_unit_rescaling_and_the_gradient_does_not():
    moves = {}
    for factor in (1.0, 7.0):
        layers, forward, gradient = setting(factor)
        for name, step in (("natural", natural_gradient(layers, INPUTS, gradient)), ("plain", gradient)):
            moved = parameter_tangents(forward, step)
            moves[name, factor] = moved - moved.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(moves["natural", 7.0], moves["natural", 1.0], atol=1e-8)
    assert np.linalg.norm(moves["plain", 7.0] - moves["plain", 1.0]) > np.linalg.norm(moves["plain", 1.0])
