from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from capacity.depth import (
    capacity_network,
    path_features,
    propagate,
    propagate_through_layers,
    stack_capacity,
    uppermost_capacity,
)
from capacity.layers import convolution_projection, transition_matrix
from capacity.linalg import orthonormal_basis


def random_transitions(sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [transition_matrix(rng.standard_normal(shape)) for shape in pairwise(sizes)]


def test_capacity_of_the_inputs_is_the_product_of_the_transitions():
    transitions = random_transitions([3, 5, 4, 6])
    capacity = np.random.default_rng(1).random(6)
    expected = transitions[0] @ transitions[1] @ transitions[2] @ capacity
    np.testing.assert_allclose(propagate(transitions, capacity), expected, rtol=1e-13)
    network = capacity_network(transitions)
    np.testing.assert_allclose(network @ capacity, expected, rtol=1e-13)
    np.testing.assert_allclose((network.T @ np.eye(3)).T @ capacity, expected, rtol=1e-13)


def test_each_layer_holds_the_same_total_capacity():
    layers = propagate_through_layers(random_transitions([3, 5, 4, 6]), [0, 1, 2, 3, 0, 1])
    assert [layer.size for layer in layers] == [3, 5, 4, 6]
    np.testing.assert_allclose([layer.sum() for layer in layers], 7)


@pytest.mark.parametrize("sizes", [[4, 3], [4, 3, 5], [2, 5, 4, 3]])
def test_capacity_of_a_stack_is_that_of_its_constraints_in_the_space_of_all_path_copies(sizes):
    """Coloured inputs, columns of any norm: the copies on each path have the covariance of the inputs."""
    rng = np.random.default_rng(0)
    layers = [rng.standard_normal(shape) * rng.uniform(0.1, 3, shape[1]) for shape in pairwise(sizes)]
    jacobian, root = rng.standard_normal((sizes[-1], 2)), rng.standard_normal((sizes[0], sizes[0]))
    covariance = root @ root.T
    columns = np.tensordot(covariance, path_features(layers, jacobian), axes=1)
    basis = orthonormal_basis(columns.reshape(-1, 2)).vectors
    expected = np.sum(basis**2, axis=1).reshape(sizes[0], -1).sum(axis=1)
    found = stack_capacity(layers, jacobian, covariance)
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)
    np.testing.assert_allclose([state.sum() for state in found], 2.0, rtol=1e-12)
    assert [len(state) for state in found] == sizes


@pytest.mark.parametrize("columns", [[1.0, 0.1], [10.0, 10.0], [0.1, 0.1], [1e-300, 1e-300]])
@pytest.mark.parametrize("layer", [np.diag, sparse.diags_array])
def test_a_deep_stack_hands_down_all_of_the_capacity_whatever_the_norms_of_its_columns(columns, layer):
    for state in stack_capacity([layer(np.array(columns))] * (300 if columns[0] != 1 else 20), [[1, 1], [1, -1]]):
        np.testing.assert_allclose(state, 1, rtol=1e-12)


def test_stacks_of_sparse_layers_are_those_of_dense_ones():
    layers = [convolution_projection([1, 2, 3], 9, padding=1), convolution_projection([1, -1], 9, stride=2)]
    covariance = np.eye(9) + 0.5
    for sigma in (None, covariance):
        expected = stack_capacity([layer.toarray() for layer in layers], np.eye(5), sigma)
        for state, dense in zip(stack_capacity(layers, np.eye(5), sigma), expected):
            np.testing.assert_allclose(state, dense, rtol=1e-12)


def test_sparse_and_dense_layers_can_be_mixed():
    dense = random_transitions([3, 5, 4])
    mixed = [dense[0], sparse.csr_array(dense[1])]
    np.testing.assert_allclose(propagate(mixed, [1, 0, 0, 0]), propagate(dense, [1, 0, 0, 0]), rtol=1e-14)


def test_the_centre_of_an_even_number_of_positions_is_the_upper_one():
    np.testing.assert_array_equal(np.flatnonzero(uppermost_capacity((4, 5), "centre")), [2 * 5 + 2])
