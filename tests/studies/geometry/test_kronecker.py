from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import linear, relu
from capacity.networks import DenseNetwork, Layer
from capacity_studies.geometry import (
    empirical_fisher,
    fisher_block,
    fisher_information,
    kronecker_factors,
    kronecker_step,
    nearest_kronecker,
)

INPUTS, LABELS = np.random.default_rng(1).standard_normal((9, 4)), np.arange(9) % 3


def network(activation, bias=False):
    net = DenseNetwork((4, 5, 6, 3), activation, bias=bias)
    return net.with_parameters(net.initial(2))


@pytest.mark.parametrize("family", ["softmax", "gaussian"])
def test_blocks_are_those_of_the_fisher_information_in_the_order_of_the_parameters(family):
    layers, ends = network(relu()), np.cumsum([0, 20, 30, 18])
    whole = fisher_information(layers, INPUTS, family=family)
    for level, (a, b) in enumerate(pairwise(ends)):
        found = fisher_block(layers, INPUTS, layer=level + 1, family=family)
        np.testing.assert_allclose(found, whole[a:b, a:b], atol=1e-12)
    if family == "softmax":
        whole = empirical_fisher(layers, INPUTS, LABELS)
        np.testing.assert_allclose(
            fisher_block(layers, INPUTS, labels=LABELS, layer=2), whole[20:50, 20:50], atol=1e-12
        )


def test_a_bias_is_the_weight_of_a_further_input_that_is_one():
    biased = Layer(np.ones((3, 4)), [1.0, 2.0, 3.0])
    wide = Layer(np.hstack([biased.weights, biased.bias[:, None]]))
    more = np.hstack([INPUTS, np.ones((9, 1))])
    np.testing.assert_allclose(fisher_block([biased], INPUTS, layer=1), fisher_block([wide], more, layer=1), atol=1e-14)
    for found, expected in zip(kronecker_factors([biased], INPUTS, layer=1), kronecker_factors([wide], more, layer=1)):
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_the_factors_are_exact_for_one_sample_and_for_a_deep_linear_network_with_squared_loss():
    cases = [(network(relu()), INPUTS[:1], "softmax"), (network(linear()), INPUTS, "gaussian")]
    for layers, inputs, family in cases:
        for level in range(3):
            g, a = kronecker_factors(layers, inputs, layer=level + 1, family=family)
            block = fisher_block(layers, inputs, layer=level + 1, family=family)
            np.testing.assert_allclose(np.kron(g, a), block, atol=1e-12)
            assert np.linalg.norm(np.kron(a, g) - block) > 0.1 * np.linalg.norm(block)  # the other order of vec
    layers = network(relu())
    g, a = kronecker_factors(layers, INPUTS, layer=2)
    block = fisher_block(layers, INPUTS, layer=2)
    assert np.linalg.norm(np.kron(g, a) - block) > 0.1 * np.linalg.norm(block)


def test_the_nearest_kronecker_product_cannot_be_improved():
    block, rng = fisher_block(network(relu()), INPUTS, layer=2), np.random.default_rng(0)
    first, second = nearest_kronecker(block, 6)

    def error(b, c):
        return np.linalg.norm(block - np.kron(b, c))

    least = error(first, second)
    assert least < error(*kronecker_factors(network(relu()), INPUTS, layer=2))
    for _ in range(5):
        d, e = rng.standard_normal((6, 6)), rng.standard_normal((5, 5))
        assert min(error(first + 1e-3 * s * d, second + 1e-3 * t * e) for s in (-1, 1) for t in (-1, 1)) > least
    for factor in (first, second):
        assert np.linalg.eigvalsh((factor + factor.T) / 2).min() > -1e-10


def test_a_step_solves_the_damped_kronecker_equations():
    (g, a), gradient = kronecker_factors(network(relu()), INPUTS, layer=2), np.arange(30.0).reshape(6, 5)
    ratio = np.sqrt(np.trace(g) / 6 / (np.trace(a) / 5))
    matrix = np.kron(g + ratio * 0.1 * np.eye(6), a + 0.1 / ratio * np.eye(5))
    expected = np.linalg.solve(matrix, gradient.ravel()).reshape(6, 5)
    np.testing.assert_allclose(kronecker_step(g, a, gradient, damping=0.01), expected, rtol=1e-9)


def test_a_layer_is_known_by_its_former_number_too():
    layers = network(relu())
    with pytest.warns(DeprecationWarning, match="use layer=, counted from 1"):
        former = kronecker_factors(layers, INPUTS, 1)
    for found, expected in zip(former, kronecker_factors(layers, INPUTS, layer=2)):
        np.testing.assert_array_equal(found, expected)
