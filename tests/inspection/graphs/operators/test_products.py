"""Products, matrix products and softmax: held capacity by the map above the gains."""

import numpy as np
import pytest

from capacity_inspection.graphs import (
    capacity_flow,
    forward,
    from_layers,
    sampled_input_capacity,
    squared_gradient,
)

RNG = np.random.default_rng(0)
WIDTH, POSITIONS = 4, 5


def dense(name, source, out=WIDTH, width=WIDTH):
    kernel = RNG.standard_normal((out, width)) / np.sqrt(width)
    return "dense", {"kernel": kernel, "axis": 0, "name": name, "inputs": source}


def gated(gain):
    """Attention by matrix products, a gate of each entry, and one of each channel that all positions share."""
    layers = [
        dense("queries", "input"),
        dense("values", "input"),
        ("transpose", {"permutation": (1, 0), "name": "turned", "inputs": "queries"}),
        ("matmul", {"inputs": ["turned", "input"], "name": "scores"}),
        ("softmax", {"axis": 1, "name": "weights"}),
    ]
    if gain == 0:
        layers.append(("transpose", {"permutation": (1, 0), "name": "columns", "inputs": "values"}))
        layers.append(("matmul", {"gain": 0, "inputs": ["weights", "columns"], "name": "read"}))
        layers.append(("transpose", {"permutation": (1, 0), "name": "mixed"}))
    else:
        layers.append(("transpose", {"permutation": (1, 0), "name": "turned weights", "inputs": "weights"}))
        layers.append(("matmul", {"gain": 1, "inputs": ["values", "turned weights"], "name": "mixed"}))
    layers += [
        dense("gate", "input"),
        ("activation", {"function": "sigmoid", "name": "open"}),
        ("product", {"inputs": ["mixed", "open"], "name": "gated"}),
        ("average_pool", {"inputs": "input", "name": "mean"}),
        ("activation", {"function": "tanh", "name": "of channels"}),
        ("product", {"inputs": ["gated", "of channels"], "name": "squeezed"}),
        ("average_pool", {"inputs": "squeezed", "name": "means"}),
        ("expand", {"shape": (WIDTH, POSITIONS)}),
        ("add", {"inputs": ["expand 16" if gain == 0 else "expand 15", "squeezed", "input"], "name": "sum"}),
    ]
    return from_layers((WIDTH, POSITIONS), layers), RNG.standard_normal((2, WIDTH, POSITIONS))


@pytest.mark.parametrize("gain", [0, 1])
def test_held_capacity_is_that_of_the_part_above_the_gains_which_is_linear(gain):
    graph, inputs = gated(gain)
    known = {name: array[:1] for name, array in forward(graph, inputs).items()}
    part = graph.above("weights", "open", "of channels")
    assert set(part.inputs) == {"input", "weights", "open", "of channels"}
    fixed = {name: known[name] for name in part.inputs}
    jacobian = np.zeros((WIDTH, POSITIONS))
    for place in np.ndindex(*jacobian.shape):
        unit = np.zeros((1, *jacobian.shape))
        unit[(0, *place)] = 1.0
        jacobian[place] = forward(part, fixed | {"input": unit})["sum"][0, 2, 1]
    capacity = sampled_input_capacity(graph, inputs[:1], at=(2, 1))["input"]
    np.testing.assert_allclose(capacity, jacobian**2 / np.sum(jacobian**2), rtol=1e-10)


def test_a_softmax_that_is_the_signal_has_a_gradient_and_no_capacity():
    graph = from_layers((3, 2), [("softmax", {}), ("dense", {"kernel": np.ones((1, 6))})])
    inputs = RNG.standard_normal((1, 3, 2))
    found = forward(graph, inputs)
    np.testing.assert_allclose(found["softmax 1"], np.exp(inputs) / np.exp(inputs).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(found["softmax 1"].sum(axis=1), 1)
    np.testing.assert_allclose(squared_gradient(graph, inputs)["input"], 0, atol=1e-30)
    with pytest.raises(ValueError, match=r"'softmax 1': expected a softmax whose shares multiply a signal"):
        sampled_input_capacity(graph, inputs)


def test_without_data_there_is_no_law_for_a_gain():
    graph, _ = gated(0)
    with pytest.raises(ValueError, match=r"expected gains of a known law, got those of matmul"):
        capacity_flow(graph, at=(0, 2))
