"""Squared gradients are those of finite differences; with gains instead, weights times inputs are the output."""

import numpy as np
import pytest
from small_graphs import RELU, dense_chain, random_inputs, random_projections, residual_series, two_inputs, varied_image

from capacity.inspection.graphs import capacity_flow, forward, from_layers, sampled_input_capacity, squared_gradient


@pytest.mark.parametrize(
    ("graph", "at"),
    [(dense_chain(random_projections(5, 4, 3), "tanh"), (1,)), (varied_image(), (2,)), (two_inputs(), (0, 0))],
    ids=["chain", "varied", "two inputs"],
)
def test_it_is_the_mean_square_of_finite_differences(graph, at):
    inputs, step = random_inputs(graph, 2), 1e-6
    found = squared_gradient(graph, inputs, at=at)
    for key, array in inputs.items():
        expected = np.zeros(array.shape[1:])
        for place in np.ndindex(*expected.shape):
            values = []
            for sign in (1, -1):
                moved = array.copy()
                moved[(slice(None), *place)] += sign * step
                values.append(forward(graph, inputs | {key: moved})[graph.outputs[0]][(slice(None), *at)])
            expected[place] = np.mean(((values[0] - values[1]) / (2 * step)) ** 2)
        np.testing.assert_allclose(found[key], expected, rtol=1e-5, atol=1e-7)


def test_gains_of_piecewise_linear_activations_are_slopes():
    graph = dense_chain(random_projections(6, 5, 3))
    inputs = random_inputs(graph, 10)
    gradient = squared_gradient(graph, inputs, at=(1,))["input"]
    np.testing.assert_allclose(sampled_input_capacity(graph, inputs, at=(1,))["input"], gradient / gradient.sum())


def test_with_gains_the_weights_of_the_inputs_sum_up_to_the_output():
    """Two inputs, of which one is zero in turn: the squared weight is the squared ratio of output and input."""
    layers = [("dense", {"kernel": [[0.7, -1.2]]}), ("activation", {"function": "tanh"})]
    graph = from_layers((2,), [*layers, ("dense", {"kernel": [[2.0]]}), ("activation", {"function": "softsign"})])
    x = np.array([[1.3, 0.4]])
    ratio = forward(graph, x)["activation 4"][0, 0] / (0.7 * 1.3 - 1.2 * 0.4)
    weights = ratio * np.array([0.7, -1.2])
    assert weights @ x[0] == pytest.approx(forward(graph, x)["activation 4"][0, 0])
    np.testing.assert_allclose(sampled_input_capacity(graph, x)["input"], weights**2 / (weights**2).sum())
    gradient = squared_gradient(graph, x)["input"]
    assert gradient.sum() < (weights**2).sum()  # slopes of saturated units are smaller than their gains


def test_a_linear_network_has_the_same_capacity_on_all_data():
    graph = dense_chain(random_projections(6, 5, 3), "identity")
    found = sampled_input_capacity(graph, random_inputs(graph, 2), at=(1,))["input"]
    np.testing.assert_allclose(found, capacity_flow(graph, at=(1,)).inputs["input"], atol=1e-14)


def test_a_max_pool_hands_to_the_winner_only():
    layers = [("max_pool", {"window": 2, "strides": 2}), ("dense", {"kernel": [[1.0, 3.0]]})]
    found = sampled_input_capacity(from_layers((1, 4), layers), [[[5.0, 1.0, 2.0, 3.0]]], at=(0,))["input"]
    np.testing.assert_allclose(found, [[0.1, 0, 0, 0.9]])


def test_inputs_that_an_output_does_not_see_have_none():
    found = squared_gradient(residual_series(), random_inputs(residual_series(), 1), "first", (0, 5))["input"]
    assert not found[:, 6:].any()
    assert found[:, 3:6].any()


def test_dead_samples_are_an_error():
    graph = from_layers((2,), [("dense", {"kernel": [[1.0, 1.0]]}), RELU])
    with pytest.raises(ValueError, match="all paths pass units that are dead"):
        sampled_input_capacity(graph, [[-1.0, -1.0]])
    assert not squared_gradient(graph, [[-1.0, -1.0]])["input"].any()
