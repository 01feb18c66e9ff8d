"""Squared gradients are those of finite differences; with gains instead, weights times inputs are the output."""

import numpy as np
import pytest
from small_graphs import RELU, dense_chain, random_inputs, random_projections, two_inputs, varied_image

from capacity_inspection.graphs import capacity_flow, forward, from_layers, sampled_input_capacity, squared_gradient
from capacity_inspection.graphs.backward import input_weights
from capacity_inspection.graphs.evaluation import node_values
from capacity_inspection.graphs.sampled_slopes import sampled_flow


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


def test_a_linear_network_has_the_same_capacity_on_all_data():
    graph = dense_chain(random_projections(6, 5, 3), "identity")
    found = sampled_input_capacity(graph, random_inputs(graph, 2), at=(1,))["input"]
    np.testing.assert_allclose(found, capacity_flow(graph, at=(1,)).inputs["input"], atol=1e-14)


def gated():
    """Attention, a normalisation, a gate, a max pool and a product of matrices, one after the other and in branches."""
    layers = [
        ("normalize", {"name": "norm"}),
        ("attention", {"heads": 2, "causal": True, "inputs": ["norm"] * 3, "name": "attention"}),
        ("add", {"inputs": ["attention", "input"], "name": "sum"}),
        ("max_pool", {"window": 3, "pads": 1, "name": "pool"}),
        ("activation", {"function": "sigmoid", "inputs": "sum", "name": "gate"}),
        ("product", {"inputs": ["pool", "gate"], "name": "gated"}),
        ("activation", {"function": "gelu", "name": "gelu"}),
        ("reshape", {"shape": (2, 2, 6), "name": "parts"}),
        ("softmax", {"axis": 1, "name": "shares"}),
        ("transpose", {"permutation": (0, 2, 1), "inputs": "parts", "name": "turned"}),
        ("matmul", {"gain": 1, "inputs": ["turned", "shares"], "name": "mixed"}),
    ]
    return from_layers((4, 6), layers)


def test_a_flow_at_samples_gives_the_inputs_what_the_mean_square_does_and_all_to_a_chain():
    graph, rng = gated(), np.random.default_rng(1)
    data = rng.standard_normal((3, 4, 6))
    flow = sampled_flow(graph, data, at=(0, 3, 1), kept=["sum", "attention", "gate"], rng=0)
    values = [node_values(graph, {"input": sample[None]}) for sample in data]

    def passed(values):
        """The weights of the input where gains are held."""

        def through(node, array):
            return node.rule.held_vjp(node, node.rule.held(node, [values[key] for key in node.inputs]), array)

        return input_weights(graph, "mixed", (0, 3, 1), through)["input"][0]

    passes = list(map(passed, values))
    squares = np.mean(np.square(passes), axis=0)
    np.testing.assert_allclose(flow.inputs["input"], squares / squares.sum())
    assert flow.handed_down["sum"] == pytest.approx(1)
    assert flow.handed_down["input"] == pytest.approx(1)
    assert 0 < flow.handed_down["attention"] < 1
    assert flow.nodes["sum"].sum() == pytest.approx(1)
    assert "gate" not in flow.handed_down


def test_shares_of_branches_are_squared_weights_times_variances_of_the_held_map():
    first, second = np.random.default_rng(2).standard_normal((2, 5, 5))
    layers = [
        ("dense", {"kernel": first}),
        ("add", {"inputs": ["dense 1", "input"]}),
        ("dense", {"kernel": second}),
        ("add", {"inputs": ["dense 3", "add 2"]}),
    ]
    graph, kept = from_layers((5,), layers), ["dense 1", "add 2", "dense 3"]
    found = sampled_flow(graph, np.zeros((1, 5)), at=(2,), kept=kept, probes=20_000, rng=0)
    states, weights = first + np.eye(5), (second + np.eye(5))[2] ** 2
    above, skip = np.sum((second @ states)[2] ** 2), np.sum(states[2] ** 2)
    assert found.handed_down["dense 3"] == pytest.approx(above / (above + skip), rel=0.02)
    below = weights @ np.sum(first**2, axis=1)
    assert found.handed_down["dense 1"] == pytest.approx(below / (below + weights.sum()), rel=0.02)
    expected = weights * np.sum(states**2, axis=1)
    np.testing.assert_allclose(found.nodes["add 2"], expected / expected.sum(), rtol=0.05)


def test_dead_samples_are_an_error():
    graph = from_layers((2,), [("dense", {"kernel": [[1.0, 1.0]]}), RELU])
    with pytest.raises(ValueError, match="all paths pass units that are dead"):
        sampled_input_capacity(graph, [[-1.0, -1.0]])
    assert not squared_gradient(graph, [[-1.0, -1.0]])["input"].any()
