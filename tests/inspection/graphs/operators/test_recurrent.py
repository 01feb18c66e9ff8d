"""Recurrent layers: values by the equations of ONNX, gradients by differences, held maps and their dense Jacobian."""

from dataclasses import replace

import numpy as np
import pytest

from capacity_inspection.graphs import (
    Graph,
    forward,
    from_layers,
    make_node,
    sampled_input_capacity,
    squared_gradient,
    weight_jacobian,
)

GATES = {"simple": 1, "gru": 3, "lstm": 4}
KINDS = [
    ("simple", {}),
    ("simple", {"function": "relu"}),
    ("gru", {}),
    ("gru", {"reset_after": True}),
    ("lstm", {}),
    ("lstm", {"cells": True}),
]
DIRECTIONS = ("forward", "reverse", "bidirectional")


def layer(kind, features, hidden, direction="forward", *, seed=0, biased=True, **options):
    """Arguments of a layer with random weights."""
    rng, rows = np.random.default_rng(seed), GATES[kind] * hidden * (1 + (direction == "bidirectional"))
    arrays = {"kernel": rng.standard_normal((rows, features)), "recurrent_kernel": rng.standard_normal((rows, hidden))}
    if biased:
        arrays |= {"bias": rng.standard_normal(rows), "recurrent_bias": rng.standard_normal(rows)}
    return ("recurrent", {"kind": kind, "hidden": hidden, "direction": direction} | arrays | options)


def random_samples(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def by_the_equations(kind, options, arrays, x, states):
    """Hidden states, and cells, of one direction, step by step for one sample, as ONNX writes them."""
    W, R, b, d = (arrays[key] for key in ("kernel", "recurrent_kernel", "bias", "recurrent_bias"))
    H, h, c, found = R.shape[1], *states, []
    part = [slice(k * H, (k + 1) * H) for k in range(4)]
    for xt in x.T:
        Z = [W[p] @ xt + R[p] @ h + b[p] + d[p] for p in part[: GATES[kind]]]
        if kind == "simple":
            h = np.tanh(Z[0]) if options.get("function", "tanh") == "tanh" else np.maximum(Z[0], 0)
        elif kind == "lstm":
            i, o, f = map(sigmoid, Z[:3])
            c = f * c + i * np.tanh(Z[3])
            h = o * np.tanh(c)
        else:
            z, r = map(sigmoid, Z[:2])
            inner = (
                r * (R[part[2]] @ h + d[part[2]]) if options.get("reset_after") else R[part[2]] @ (r * h) + d[part[2]]
            )
            h = (1 - z) * np.tanh(W[part[2]] @ xt + b[part[2]] + inner) + z * h
        found.append(np.concatenate([h, c]) if options.get("cells") else h)
    return np.array(found).T


@pytest.mark.parametrize(("kind", "options"), KINDS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_states_are_those_of_the_equations(kind, options, direction):
    arguments, x = layer(kind, 3, 2, direction, **options), random_samples(2, 3, 5)
    found = forward(from_layers((3, 5), [arguments]), x)["recurrent 1"]
    arrays = {key: array for key, array in arguments[1].items() if isinstance(array, np.ndarray)}
    ways, zeros = (2 if direction == "bidirectional" else 1), (np.zeros(2), np.zeros(2))
    parts = [{key: np.split(array, ways)[way] for key, array in arrays.items()} for way in range(ways)]
    for value, sample in zip(found, x):
        expected = []
        for way, each in enumerate(parts):
            sense = -1 if way or direction == "reverse" else 1
            expected.append(by_the_equations(kind, options, each, sample[:, ::sense], zeros)[:, ::sense])
        states = [np.split(each, len(each) // 2) for each in expected]  # hidden states of all ways, then cells
        np.testing.assert_allclose(value, np.concatenate([way[k] for k in range(len(states[0])) for way in states]))


@pytest.mark.parametrize(("kind", "options"), KINDS[3:])
def test_first_states_are_inputs(kind, options):
    arguments, x = layer(kind, 3, 2, **options), random_samples(1, 3, 4)
    count = 1 + (kind == "lstm")
    first = random_samples(count, 1, 2, 1)
    sources = [
        make_node("x", "input", shape=(3, 4)),
        *(make_node(f"s{k}", "input", shape=(2, 1)) for k in range(count)),
    ]
    node = make_node("y", "recurrent", sources, **arguments[1])
    found = forward(Graph((*sources, node)), {"x": x} | {f"s{k}": first[k] for k in range(count)})["y"][0]
    states = (first[0, 0, :, 0], first[-1, 0, :, 0])
    np.testing.assert_allclose(found, by_the_equations(kind, options, arguments[1], x[0], states))


def stacked(kind, options, direction):
    """Two layers, the second of which may start from a state that depends on the input."""
    source = make_node("x", "input", shape=(2, 4))
    ways, states = 1 + (direction == "bidirectional"), 1 + (kind == "lstm")
    shape = {"shape": (3, ways)}
    wide = {"kernel": np.random.default_rng(3).standard_normal((3 * ways, 8))}
    dense = [make_node(f"d{k}", "dense", source, **wide) for k in range(states)]
    first = [make_node(f"f{k}", "reshape", dense[k], **shape) for k in range(states)]
    below = make_node("below", "recurrent", source, **layer(kind, 2, 3, direction, **options)[1])
    wider = below.shape[0]
    above = make_node("above", "recurrent", [below, *first], **layer(kind, wider, 3, direction, seed=2, **options)[1])
    return Graph((source, *dense, *first, below, above))


@pytest.mark.parametrize(("kind", "options"), KINDS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_gradients_through_gates_are_those_of_finite_differences(kind, options, direction):
    graph, x, step = stacked(kind, options, direction), random_samples(2, 2, 4), 1e-6
    at = (graph["above"].shape[0] - 1, 2)
    expected = np.zeros((2, 4))
    for place in np.ndindex(2, 4):
        moved = np.zeros((1, 2, 4))
        moved[(0, *place)] = step
        change = forward(graph, x + moved)["above"] - forward(graph, x - moved)["above"]
        expected[place] = np.mean((change[(slice(None), *at)] / (2 * step)) ** 2)
    np.testing.assert_allclose(squared_gradient(graph, x, at=at)["x"], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_derivatives_by_weights_are_those_of_finite_differences(kind, options):
    arguments, x, step = layer(kind, 2, 3, "bidirectional", **options), random_samples(1, 2, 4), 1e-6
    graph = from_layers((2, 4), [arguments])
    node, at = graph["recurrent 1"], (0, 2)
    channels = np.random.default_rng(5).standard_normal((1, node.shape[0]))
    found = weight_jacobian(graph, x, at=at, rows=1, rng=5)["recurrent 1"][0]
    expected = []
    for key, array in node.arrays.items():
        for place in np.ndindex(*array.shape):
            moved = np.zeros(array.shape)
            moved[place] = step
            ends = []
            for sign in (1, -1):
                arrays = dict(node.arrays) | {key: array + sign * moved}
                nodes = (graph.nodes[0], replace(node, arrays=arrays))
                ends.append(channels[0] @ forward(Graph(nodes), x)["recurrent 1"][0, :, 2])
            expected.append((ends[0] - ends[1]) / (2 * step))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_capacity_at_a_sample_is_that_of_the_map_with_gates_and_gains_held(kind, options):
    """The held map, step by step as a matrix: its Jacobian is dense, its value without biases that of the layer."""
    arguments = layer(kind, 3, 2, biased=False, seed=3, **options)
    W, R = (arguments[1][key] for key in ("kernel", "recurrent_kernel"))
    x, graph = random_samples(1, 3, 5), from_layers((3, 5), [arguments])
    H, steps = 2, 5
    part = [slice(k * H, (k + 1) * H) for k in range(4)]
    h = c = np.zeros(H)
    hx, cx = np.zeros((H, 3, steps)), np.zeros((H, 3, steps))  # what states weigh each input with
    for t in range(steps):
        entry = np.zeros((3, 3, steps))
        entry[np.arange(3), np.arange(3), t] = 1
        Z = [W[p] @ x[0, :, t] + R[p] @ h for p in part[: GATES[kind]]]
        held = [np.tensordot(W[p], entry, 1) + np.tensordot(R[p], hx, 1) for p in part[: GATES[kind]]]
        if kind == "simple":
            relu = options.get("function") == "relu"
            gain = 1.0 * (Z[0] > 0) if relu else np.tanh(Z[0]) / Z[0]
            h, hx = gain * Z[0], gain[:, None, None] * held[0]
        elif kind == "lstm":
            i, o, f = map(sigmoid, Z[:3])
            gain = np.tanh(Z[3]) / Z[3]
            c, cx = f * c + i * np.tanh(Z[3]), f[:, None, None] * cx + (i * gain)[:, None, None] * held[3]
            h, hx = o * np.tanh(c), (o * np.tanh(c) / c)[:, None, None] * cx
        else:
            z, r = map(sigmoid, Z[:2])
            mixed = r[:, None] * R[part[2]] if options.get("reset_after") else R[part[2]] * r
            n = W[part[2]] @ x[0, :, t] + mixed @ h
            gain = np.tanh(n) / n
            change = np.tensordot(W[part[2]], entry, 1) + np.tensordot(mixed, hx, 1)
            h, hx = (1 - z) * np.tanh(n) + z * h, ((1 - z) * gain)[:, None, None] * change + z[:, None, None] * hx
    value = forward(graph, x)["recurrent 1"][0, :, -1]
    states, maps = (np.concatenate([h, c]), np.concatenate([hx, cx])) if options.get("cells") else (h, hx)
    np.testing.assert_allclose(np.tensordot(maps, x[0], 2), value, rtol=1e-10)
    np.testing.assert_allclose(states, value, rtol=1e-12)
    squares = maps[-1] ** 2
    found = sampled_input_capacity(graph, x, at=(len(states) - 1, steps - 1))["input"]
    np.testing.assert_allclose(found, squares / squares.sum(), rtol=1e-9)


@pytest.mark.parametrize(("kind", "options"), KINDS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_held_value_is_the_adjoint_of_what_is_handed_back(kind, options, direction):
    ways, states = 1 + (direction == "bidirectional"), 1 + (kind == "lstm")
    first = [make_node(f"first {k}", "input", shape=(4, ways)) for k in range(states)]
    operator, arguments = layer(kind, 3, 4, direction, **options)
    source = make_node("x", "input", shape=(3, 5))
    node = make_node("layer", operator, [source, *first], **arguments)
    shapes = [each.shape for each in (source, *first)]
    given, signal = ([random_samples(1, *shape, seed=k) for shape in shapes] for k in (1, 2))
    weights = random_samples(1, *node.shape, seed=3)
    held = node.rule.held(node, given)
    handed = node.rule.held_vjp(node, held, weights)
    expected = sum(map(np.vdot, handed, signal))
    assert np.vdot(weights, node.rule.held_jvp(node, held, signal)) == pytest.approx(expected)
