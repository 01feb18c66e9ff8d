"""Attention beside normalisation: held maps written out, what a mask and a head leave to read."""

import numpy as np
import pytest

from capacity_inspection.graphs import (
    capacity_flow,
    forward,
    from_layers,
    receptive_fields,
    sampled_input_capacity,
    squared_gradient,
)
from capacity_studies.attention import Transformer

RNG = np.random.default_rng(0)


def transformer_layer(width=6, positions=5, heads=2, *, causal=True):
    """Pre-norm attention with a shortcut, its weights, and random inputs."""
    kernels = RNG.standard_normal((4, width, width)) / np.sqrt(width)
    layers = [("normalize", {"epsilon": 0, "name": "norm"})]
    for name, kernel in zip(("queries", "keys", "values"), kernels):
        layers.append(("dense", {"kernel": kernel, "axis": 0, "name": name, "inputs": "norm"}))
    layers.append(("attention", {"heads": heads, "causal": causal, "inputs": ["queries", "keys", "values"]}))
    layers += [("dense", {"kernel": kernels[3], "axis": 0, "name": "output"})]
    layers += [("add", {"inputs": ["output", "input"], "name": "sum"})]
    return from_layers((width, positions), layers), kernels, RNG.standard_normal((2, width, positions))


def test_capacity_at_a_sample_is_that_of_the_map_with_attention_and_norm_held():
    graph, (*_, kernel, above), inputs = transformer_layer()
    x = inputs[:1]
    found = forward(graph, x)
    queries, keys = (found[name][0].reshape(2, 3, 5) for name in ("queries", "keys"))
    logits = np.where(np.tri(5, dtype=bool), queries.swapaxes(1, 2) @ keys / np.sqrt(3), -np.inf)
    weights = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    held = np.zeros((6, 5, 6, 5))  # channel and position of the output, then of the input
    for head, part in enumerate((slice(0, 3), slice(3, 6))):
        mixed = above[:, part] @ kernel[part] @ (np.eye(6) - 1 / 6)
        held += np.einsum("ts,s,oi->otis", weights[head], 1 / x[0].std(axis=0), mixed)
    held[np.arange(6)[:, None], np.arange(5), np.arange(6)[:, None], np.arange(5)] += 1
    np.testing.assert_allclose(np.tensordot(held, x[0], 2), found["sum"][0], rtol=1e-12)
    squares = held[2, 4] ** 2
    capacity = sampled_input_capacity(graph, x, at=(2, 4))["input"]
    np.testing.assert_allclose(capacity, squares / squares.sum(), rtol=1e-10)


def test_a_transformer_of_two_layers_is_that_of_the_studies():
    network = Transformer.draw(np.tri(5, dtype=bool), layers=2, width=6, scale=0.8, rng=1)
    layers, below = [], "input"
    for l in range(2):
        layers.append(("normalize", {"epsilon": 0, "name": f"norm {l}", "inputs": below}))
        for name, kernel in (("q", network.queries), ("k", network.keys), ("v", 0.8 * network.values)):
            layers.append(
                ("dense", {"kernel": kernel[l, 0].T, "axis": 0, "name": f"{name} {l}", "inputs": f"norm {l}"})
            )
        layers.append(("attention", {"causal": True, "inputs": [f"{name} {l}" for name in "qkv"], "name": f"a {l}"}))
        layers.append(("add", {"inputs": [f"a {l}", below], "name": f"sum {l}"}))
        below = f"sum {l}"
    graph, x = from_layers((6, 5), layers), RNG.standard_normal((5, 6))
    outputs, gains = network(x)
    np.testing.assert_allclose(forward(graph, x.T[None])["sum 1"][0], outputs.T, rtol=1e-10)
    entries = np.eye(30).reshape(30, 5, 6)
    held = network(entries, gains)[0][:, 4, 3].reshape(5, 6).T ** 2
    found = sampled_input_capacity(graph, x.T[None], at=(3, 4))["input"]
    np.testing.assert_allclose(found, held / held.sum(), rtol=1e-9)


def test_a_bias_is_added_to_the_scores_and_hides_keys():
    graph, _, inputs = transformer_layer(causal=False)
    near = np.abs(np.subtract.outer(range(5), range(5))) < 2
    bias = np.where(near, RNG.standard_normal((2, 5, 5)), -1e30)
    bias[1, :, 0] = 0.5
    arguments = {"heads": 2, "inputs": ["queries", "keys", "values"], "bias": bias, "name": "biased"}
    layers = [("normalize", {"centred": True, "epsilon": 0, "name": "norm"})]
    layers += [
        ("dense", {"kernel": graph[name].arrays["kernel"], "axis": 0, "name": name, "inputs": "norm"})
        for name in arguments["inputs"]
    ]
    graph = from_layers((6, 5), [*layers, ("attention", arguments)])
    found = forward(graph, inputs)
    queries, keys, values = (found[name][0].reshape(2, 3, 5) for name in arguments["inputs"])
    powers = np.exp(queries.swapaxes(1, 2) @ keys / np.sqrt(3) + bias) * (bias > -1e9)
    expected = values @ (powers / powers.sum(axis=-1, keepdims=True)).swapaxes(1, 2)
    np.testing.assert_allclose(found["biased"][0], expected.reshape(6, 5), rtol=1e-12)
    for at in np.ndindex(6, 5):  # of either head
        support = squared_gradient(graph, inputs, "biased", at)["input"] > 0
        field = receptive_fields(graph, "biased", at)["input"]
        assert list(np.flatnonzero(support.any(axis=0))[[0, -1]]) == [field.start[1], field.stop[1] - 1]


def test_a_channel_of_attention_reads_the_queries_and_keys_of_its_head_and_its_own_values():
    layers = [("attention", {"heads": 3, "inputs": ["a", "b", "c"], "name": "last"})]
    graph = from_layers(
        (6, 4), [("scale", {"factor": np.full(6, 2.0), "name": name, "inputs": "input"}) for name in "abc"] + layers
    )
    found = receptive_fields(graph.above(*"abc"), at=(3, 1))
    assert [(found[name].start, found[name].stop) for name in "abc"] == [
        ((2, 1), (4, 2)),
        ((2, 0), (4, 4)),
        ((3, 0), (4, 4)),
    ]


def test_without_data_there_is_no_law_for_their_gains():
    graph, _, _ = transformer_layer()
    with pytest.raises(ValueError, match=r"'norm': expected gains of a known law.*sampled_input_capacity"):
        capacity_flow(graph, at=(0, 2))
