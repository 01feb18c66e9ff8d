import numpy as np
import pytest

from capacity.activations import relu
from capacity.networks import DenseNetwork, forward_pass
from capacity_studies.geometry import fisher_information, natural_gradient, parameter_cotangents
from capacity_studies.training import cross_entropy

INPUTS, LABELS = np.random.default_rng(1).standard_normal((9, 4)), np.arange(9) % 3


def setting():
    net = DenseNetwork((4, 5, 3), relu(), bias=False)
    layers = net.with_parameters(net.initial(2))
    forward = forward_pass(layers, INPUTS)
    return layers, parameter_cotangents(forward, cross_entropy(forward.outputs, LABELS)[1])


@pytest.mark.parametrize("damping", [1e-3, 1.0])
def test_the_natural_gradient_solves_the_damped_equations(damping):
    layers, gradient = setting()
    more = np.random.default_rng(3).standard_normal((20, 4))  # more rows than parameters
    fisher = fisher_information(layers, more)
    expected = np.linalg.solve(fisher + damping * np.eye(len(fisher)), gradient)
    np.testing.assert_allclose(natural_gradient(layers, more, gradient, damping=damping), expected, atol=1e-10)
    fisher = fisher_information(layers, INPUTS)
    expected = np.linalg.solve(fisher + damping * np.eye(len(fisher)), gradient)
    np.testing.assert_allclose(natural_gradient(layers, INPUTS, gradient, damping=damping), expected, atol=1e-10)


@pytest.mark.parametrize("family", ["softmax", "gaussian"])
def test_without_damping_it_is_the_pseudo_inverse(family):
    layers, gradient = setting()
    for inputs in (INPUTS, 1e-6 * INPUTS, np.random.default_rng(3).standard_normal((20, 4))):
        fisher = fisher_information(layers, inputs, family=family)
        expected = np.linalg.pinv(fisher, rtol=1e-10, hermitian=True) @ gradient
        found = natural_gradient(layers, inputs, gradient, family=family)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)
