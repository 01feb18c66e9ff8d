"""Redrawn weights have the variance of the usual initialisation, and everything else stays."""

import numpy as np
import pytest
from small_graphs import RELU, varied_image

from capacity_inspection.graphs import forward, from_layers, redrawn_weights
from capacity_inspection.readers import read_torch


def test_the_architecture_stays_and_the_weights_do_not():
    graph = varied_image()
    drawn = redrawn_weights(graph, rng=0)
    assert [(n.name, n.operator, n.inputs, n.shape, n.options) for n in drawn.nodes] == [
        (n.name, n.operator, n.inputs, n.shape, n.options) for n in graph.nodes
    ]
    assert not np.allclose(drawn["logits"].arrays["kernel"], graph["logits"].arrays["kernel"])
    assert not drawn["logits"].arrays["bias"].any()
    np.testing.assert_array_equal(drawn["prelu"].arrays["slopes"], np.full((4, 1, 1), 0.25))
    np.testing.assert_array_equal(drawn["scale 2"].arrays["factor"], 1)
    again = redrawn_weights(graph, rng=0)
    np.testing.assert_array_equal(again["logits"].arrays["kernel"], drawn["logits"].arrays["kernel"])


@pytest.mark.parametrize(
    ("above", "variance"),
    [
        ([RELU], 2),
        ([("scale", {"factor": [3.0]}), RELU], 2),
        ([("activation", {"function": "tanh"})], 1),
        ([("add", {"inputs": ["layer", "layer"]}), RELU], 2),
        ([], 1),
    ],
    ids=["rectifier", "normalisation", "tanh", "sum", "output"],
)
def test_variances_are_one_or_two_over_the_number_of_weights(above, variance):
    kernel = ("convolution", {"kernel": np.zeros((64, 8, 3, 3), np.float32), "name": "layer"})
    drawn = redrawn_weights(from_layers((8, 5, 5), [kernel, *above]), rng=1)["layer"].arrays["kernel"]
    assert drawn.dtype == np.float32
    assert drawn.var() * 72 == pytest.approx(variance, rel=0.05)  # 4608 weights: 0.02


@pytest.mark.parametrize(
    ("operator", "arguments", "count"),
    [("convolution", {}, 24), ("recurrent", {"recurrent_kernel": np.zeros((64, 64)), "hidden": 64}, 64)],
)
def test_at_the_scale_of_pytorch_weights_and_biases_are_within_one_over_the_root_of_a_number(
    operator, arguments, count
):
    kernel = np.zeros((64, 8, 3) if operator == "convolution" else (64, 8))
    layer = operator, {"kernel": kernel, "bias": np.zeros(64), "name": "layer"} | arguments
    graph = redrawn_weights(from_layers((8, 5), [layer, RELU]), scale="pytorch", rng=0)
    again = redrawn_weights(graph, rng=1)["layer"].arrays  # as the graph was drawn
    for key, drawn in graph["layer"].arrays.items():
        assert 0.95 < np.abs(drawn).max() * count**0.5 <= 1
        assert drawn.var() * 3 * count == pytest.approx(1, rel=0.3)  # 64 biases: 0.11
        assert np.abs(again[key]).max() * count**0.5 <= 1


@pytest.mark.parametrize("kind", ["Linear", "Conv1d", "LSTM"])
def test_the_scale_of_pytorch_is_that_of_its_layers(kind):
    torch = pytest.importorskip("torch")
    sizes, shape = {"Linear": ((256, 64), (1, 256)), "Conv1d": ((64, 64, 3), (1, 64, 8)), "LSTM": ((64, 64), (8, 64))}[
        kind
    ]
    layer = getattr(torch.nn, kind)(*sizes)
    graph = redrawn_weights(read_torch(layer, shape, linear=False), scale="pytorch", rng=0)
    arrays = [array for node in graph.nodes for array in node.arrays.values()]
    drawn = np.concatenate([array.ravel() for array in arrays])
    given = torch.cat([p.detach().ravel() for p in layer.parameters()])
    assert np.abs(drawn).max() == pytest.approx(float(given.abs().max()), rel=0.01)
    assert drawn.var() == pytest.approx(float(given.var()), rel=0.05)


def test_a_redrawn_chain_of_rectifiers_keeps_the_size_of_its_signals():
    layers = [("dense", {"kernel": np.zeros((400, 400))}), RELU] * 6
    graph = redrawn_weights(from_layers((400,), layers), rng=0)
    values = forward(graph, np.random.default_rng(1).standard_normal((20, 400)))
    assert 1 < (values["dense 11"] ** 2).mean() < 4  # 2 but for the fluctuations of six layers of 400 units
