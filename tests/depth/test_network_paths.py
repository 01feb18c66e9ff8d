from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import pseudo_random, tanh
from capacity.depth import (
    path_capacity,
    path_features,
    path_inputs,
    path_weights,
    propagate,
    straight_path_weights,
)
from capacity.layers import transition_matrix


def network(sizes, parameters, seed=0):
    rng = np.random.default_rng(seed)
    projections = [rng.standard_normal(shape) for shape in pairwise(sizes)]
    features = np.linalg.qr(rng.standard_normal((sizes[-1], parameters)))[0]
    return [p / np.linalg.norm(p, axis=0) for p in projections], features


def test_output_of_a_network_is_linear_in_its_paths():
    projections, _ = network([3, 4, 5, 2], 1)
    inputs, coefficients = np.random.default_rng(1).standard_normal((6, 3)), np.array([[0.7], [-0.2]])
    activations = [tanh(), pseudo_random(), tanh()]
    state = inputs
    for projection, activation in zip(projections, activations):
        state = activation(state @ projection)
    copies = path_inputs(inputs, projections, activations).reshape(6, -1)
    theta = path_features(projections, coefficients).reshape(-1, 1)
    np.testing.assert_allclose(copies @ theta, state @ coefficients, rtol=1e-12)


def test_sum_over_paths_is_the_product_of_the_transitions():
    projections, features = network([3, 4, 5, 6], 2)
    transitions = [transition_matrix(projection) for projection in projections]
    expected = propagate(transitions, np.sum(features**2, axis=1))
    np.testing.assert_allclose(path_capacity(projections, features), expected, rtol=1e-12)


def test_weights_of_all_paths_add_up_to_the_transition():
    projections, _ = network([3, 4, 5, 6], 1, seed=3)
    transitions = [transition_matrix(projection) for projection in projections]
    weights = path_weights(transitions)
    np.testing.assert_allclose(weights.sum(axis=(1, 2)), transitions[0] @ transitions[1] @ transitions[2], rtol=1e-12)
    first, second, third = transitions
    assert weights[2, 1, 4, 0] == pytest.approx(first[2, 1] * second[1, 4] * third[4, 0])


def test_straight_path_of_a_residual_network_is_the_heaviest():
    transition = 0.9 * np.eye(4) + 0.1 * transition_matrix(np.random.default_rng(4).random((4, 4)))
    weights = path_weights([transition] * 3)
    straight = straight_path_weights([transition] * 3)
    np.testing.assert_allclose(straight, [weights[i, i, i, i] for i in range(4)])
    assert (weights.max(axis=(0, 1, 2)) == straight).all()
