"""The dense recursion is the mean over independent random gains: enumerated, and as in the room of depth."""

from itertools import product

import numpy as np
import pytest
from drawn_gains import drawn_input_capacity
from small_graphs import residual_series, two_inputs

from capacity_inspection.graphs import Gain, Graph, dense_input_capacity, from_layers, make_node
from capacity_inspection.graphs.operators.boxes import whole_box


def mean_squared_weights(graph, output, at, gain):
    """Squared weights of the inputs in an output, the mean over all signs of gains a + b or a - b of each unit."""
    mean, spread = np.sqrt(gain.coupling * gain.power), np.sqrt((1 - gain.coupling) * gain.power)
    units = {node.name: int(np.prod(node.shape)) for node in graph.nodes if node.operator == "activation"}
    size = {key: int(np.prod(graph[key].shape)) for key in graph.inputs}
    total = dict.fromkeys(graph.inputs, 0.0)
    signs = list(product([-1.0, 1.0], repeat=sum(units.values())))
    for choice in signs:
        left, values = list(choice), {}
        for node in graph.nodes:
            sources = [values[name] for name in node.inputs]
            if node.operator == "input":  # one sample for each entry of each input
                values[node.name] = np.concatenate(
                    [
                        np.eye(n).reshape(n, *node.shape) * (key == node.name)
                        if n == np.prod(node.shape)
                        else np.zeros((n, *node.shape))
                        for key, n in size.items()
                    ]
                )
            elif node.operator == "activation":
                drawn, left = left[: units[node.name]], left[units[node.name] :]
                values[node.name] = sources[0] * (mean + spread * np.reshape(drawn, node.shape))
            else:
                shapes = [value.shape[1:] for value in sources]
                wholes = [whole_box(shape) for shape in shapes]
                values[node.name] = node.rule.linear_part(node, sources, wholes, whole_box(node.shape), shapes)
        weights, start = values[output][(slice(None), *at)], 0
        for key, n in size.items():
            total[key] = total[key] + weights[start : start + n].reshape(graph[key].shape) ** 2 / len(signs)
            start += n
    return total


def small_residual():
    """Two rectified blocks, one of them inside a residual branch; ten gains."""
    normal = np.random.default_rng(3).standard_normal
    return from_layers(
        (4,),
        [
            ("dense", {"kernel": normal((3, 4))}),
            ("activation", {"function": "relu", "name": "a"}),
            ("dense", {"kernel": normal((4, 3))}),
            ("activation", {"function": "relu"}),
            ("dense", {"kernel": normal((3, 4))}),
            ("add", {"inputs": ["dense 5", "a"]}),
            ("activation", {"function": "relu"}),
            ("dense", {"kernel": normal((2, 3))}),
        ],
    )


@pytest.mark.parametrize("graph", [small_residual(), two_inputs()], ids=["residual", "two inputs"])
@pytest.mark.parametrize("gain", [Gain(0.5, 0.5), Gain(0.2, 1.7), Gain(0.0, 0.5), Gain(1.0, 0.5)])
def test_it_is_the_mean_over_independent_gains(graph, gain):
    couplings = {node.name: gain for node in graph.nodes if node.operator == "activation"}
    at = (1,) if graph.outputs == ("dense 8",) else (1, 0)
    expected = mean_squared_weights(graph, graph.outputs[0], at, gain)
    found = dense_input_capacity(graph, at=at, coupling=couplings)
    total = sum(values.sum() for values in expected.values())
    for key in graph.inputs:
        np.testing.assert_allclose(found[key], expected[key] / total, atol=1e-13)


def test_an_output_without_inputs_is_an_error():
    graph = from_layers((2,), [("dense", {"kernel": np.zeros((2, 2))})])
    with pytest.raises(ValueError, match="weights on the way are zero"):
        dense_input_capacity(graph)


def test_residual_series_of_dilated_convolutions_conserve_capacity():
    found = dense_input_capacity(residual_series(), at="last", coupling=0.3)
    assert found["input"].sum() == pytest.approx(1)


def test_a_branch_that_reads_pads_only_hands_nothing_down():
    x = make_node("x", "input", shape=(1, 1))
    blind = make_node("blind", "convolution", x, kernel=[[[1.0, 2.0]]], pads=1, dilations=2)
    graph = Graph((x, blind, make_node("sum", "add", [x, blind])))
    assert dense_input_capacity(graph)["x"].tolist() == [[1.0]]
    assert drawn_input_capacity(graph, draws=2, rng=0)[0]["x"].tolist() == [[1.0]]
