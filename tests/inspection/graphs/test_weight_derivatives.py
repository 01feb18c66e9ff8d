"""Derivatives by parameters are those of central differences, and have the ranks that theory says."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from small_graphs import dense_chain, random_projections, residual_series, varied_image

from capacity_inspection.graphs import forward, from_layers, make_node, weight_jacobian
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.readers import cnn
from capacity_studies.bridge import rectifier_rank


def by_differences(graph, data, directions, at, step=1e-6):
    """Derivatives of the channels of the output at a position, summed along the direction of each sample."""

    def value(i, arrays):
        nodes = [replace(node, arrays=arrays) if node is graph.nodes[i] else node for node in graph.nodes]
        found = forward(replace(graph, nodes=tuple(nodes)), data)[graph.outputs[0]]
        return (found[(slice(None), slice(None), *at)] * directions).sum(axis=1)

    found = {}
    for i, node in enumerate(graph.nodes):
        columns = []
        for key, array in node.arrays.items():
            for place in np.ndindex(array.shape):
                step_there = np.zeros(array.shape)
                step_there[place] = step
                ends = [value(i, dict(node.arrays) | {key: array + sign * step_there}) for sign in (1, -1)]
                columns.append((ends[0] - ends[1]) / (2 * step))
        if columns:
            found[node.name] = np.transpose(columns)
    return found


@pytest.mark.parametrize(
    ("graph", "at"),
    [
        (residual_series(), (11,)),
        (residual_series(function="tanh"), (5,)),
        (varied_image(), ()),
        (cnn((6, 6), channels=[2, 3], strides=[1, 2], components=2, residual=True, classes=2, activation="elu"), ()),
        (dense_chain(random_projections(4, 3, 2)), ()),
    ],
)
def test_derivatives_are_those_of_central_differences(graph, at):
    data = np.random.default_rng(1).standard_normal((3, *graph[graph.inputs[0]].shape))
    found = weight_jacobian(graph, data, at=(0, *at), rows=3, rng=2)
    directions = np.random.default_rng(2).standard_normal((3, graph[graph.outputs[0]].shape[0]))
    wanted = by_differences(graph, data, directions, at)
    assert set(found) == set(wanted)
    for name in wanted:
        scale = np.abs(wanted[name]).max()
        np.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=1e-7 * scale)


def split_rectifiers(widths, bias):
    """Random dense layers of which each hidden unit is on for some samples and off for others, and these samples."""
    for seed in range(100):
        rng, layers = np.random.default_rng(seed), []
        for below, above in pairwise(widths):
            shift = {"bias": rng.standard_normal(above)} if bias else {}
            kernel = rng.standard_normal((above, below))
            layers += [("dense", {"kernel": kernel} | shift), ("activation", {"function": "relu"})]
        graph, data = from_layers((widths[0],), layers[:-1]), rng.standard_normal((400, widths[0]))
        on = [(v > 0).mean(axis=0) for name, v in forward(graph, data).items() if name.startswith("activation")]
        if all(((share > 0.1) & (share < 0.9)).all() for share in on):
            return graph, data
    raise AssertionError("no such draw among 100")


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("widths", [(4, 3, 1), (3, 4, 3, 2), (5, 4, 3, 1)])
def test_random_directions_give_the_ranks_of_rectifiers_by_sets_of_layers(widths, bias):
    graph, data = split_rectifiers(widths, bias)
    found = list(weight_jacobian(graph, data, rows=len(data), rng=1).values())
    for size in range(1, len(widths)):
        for chosen in combinations(range(1, len(widths)), size):
            rank = np.linalg.matrix_rank(np.hstack([found[l - 1] for l in chosen]), tol=1e-9)
            assert rank == rectifier_rank(widths, layers=chosen, bias=bias)


def test_weights_that_are_shared_or_computed_are_refused():
    source = make_node("x", "input", shape=(1, 4))
    kernel = np.ones((1, 1, 2))
    first = replace(make_node("a", "convolution", source, kernel=kernel), sources={"w": 2})
    second = replace(make_node("b", "convolution", first, kernel=kernel), sources={"w": 2})
    with pytest.raises(ValueError, match="weights of their own"):
        weight_jacobian(Graph((source, first, second)), np.ones((2, 1, 4)))
    with pytest.raises(ValueError, match="computed from fewer"):
        weight_jacobian(Graph((source, replace(first, sources={"w": 1}))), np.ones((2, 1, 4)))


def test_an_array_that_is_no_parameter_has_no_derivatives():
    source = make_node("x", "input", shape=(1, 4))
    window = replace(make_node("a", "convolution", source, kernel=np.ones((1, 1, 2))), sources={})
    graph = Graph((source, window, make_node("b", "convolution", window, kernel=np.ones((1, 1, 3)))))
    assert list(weight_jacobian(graph, np.ones((2, 1, 4)))) == ["b"]
