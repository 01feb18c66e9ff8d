from dataclasses import replace

import numpy as np
import pytest

from capacity.activations import leaky, relu, tanh
from capacity.networks import DenseNetwork, forward_pass, parameter_vector
from capacity_studies.geometry import (
    empirical_fisher,
    fisher_information,
    fisher_rao_from_outputs,
    fisher_rao_norm,
    parameter_tangents,
    weighted_parameters,
)

INPUTS = np.random.default_rng(1).standard_normal((7, 3))
LABELS = [0, 1, 2, 0, 1, 2, 2]


def network(activation, bias=False):
    net = DenseNetwork((3, 6, 5, 3), activation, bias=bias)
    layers = net.with_parameters(net.initial(3))
    return [*layers[:-1], replace(layers[-1], bias=np.array([0.5, -1.0, 2.0]))] if bias else layers


@pytest.mark.parametrize("family", ["softmax", "gaussian"])
def test_the_norm_is_the_quadratic_form_of_the_parameters_in_the_fisher_information(family):
    layers = network(tanh(), bias=True)
    theta = parameter_vector(layers)
    expected = theta @ fisher_information(layers, INPUTS, family=family) @ theta
    assert fisher_rao_norm(layers, INPUTS, family=family) == pytest.approx(expected, rel=1e-12)
    labels = LABELS if family == "softmax" else np.ones((7, 3))
    expected = theta @ empirical_fisher(layers, INPUTS, labels, family=family) @ theta
    assert fisher_rao_norm(layers, INPUTS, labels, family=family) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("labels", [None, LABELS])
def test_liangs_identity_holds_without_biases_for_homogeneous_activations_only(labels):
    def ratio(layers, **other):
        return fisher_rao_norm(layers, INPUTS, labels, **other) / fisher_rao_from_outputs(layers, INPUTS, labels)

    for activation in (relu(), leaky(0.3)):
        assert ratio(network(activation)) == pytest.approx(1, rel=1e-12)
        assert abs(ratio(network(activation, bias=True)) - 1) > 0.05
        assert ratio(network(activation, bias=True), weighted=True) == pytest.approx(1, rel=1e-12)
    assert abs(ratio(network(tanh())) - 1) > 0.05


def test_the_derivative_along_the_weighted_parameters_is_the_number_of_layers_times_the_outputs():
    layers = network(relu(), bias=True)
    forward = forward_pass(layers, INPUTS)
    found = parameter_tangents(forward, weighted_parameters(layers))
    np.testing.assert_allclose(found, 3 * forward.outputs, rtol=1e-12, atol=1e-12)
