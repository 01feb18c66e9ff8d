"""Values of single units are those among the values of all, whatever the operators are."""

import math

import numpy as np
import pytest
from random_sequences import random_sequences

from capacity_inspection.graphs import from_layers
from capacity_inspection.graphs.evaluation import node_values
from capacity_inspection.graphs.unit_values import UnitValues


def check(graph, rng):
    inputs = {key: rng.standard_normal((3, *graph[key].shape)) for key in graph.inputs}
    whole = node_values(graph, inputs)
    for name in [*graph.outputs, graph.nodes[len(graph.nodes) // 2].name]:
        place = int(rng.integers(graph[name].shape[1])) if len(graph[name].shape) == 2 else 0
        units = UnitValues(graph.up_to(name), {name: [place]})
        found = units({key: inputs[key] for key in graph.up_to(name).inputs})
        for key, positions in units.positions.items():
            expected = whole[key][:, :, positions] if len(graph[key].shape) == 2 else whole[key]
            np.testing.assert_allclose(found[key], expected, rtol=1e-12, atol=1e-12)
        assert units.size == sum(math.prod(each.shape[1:]) for each in found.values())


@pytest.mark.parametrize("seed", range(60))
def test_the_values_of_units_are_those_among_all(seed):
    rng = np.random.default_rng(seed)
    check(random_sequences(seed, size=24), rng)


def test_factors_and_shifts_of_each_position_are_those_of_the_units():
    rng = np.random.default_rng(0)
    arrays = {key: rng.standard_normal((2, 12)) for key in ("factor", "shift")}
    check(from_layers((2, 12), [("scale", arrays), ("convolution", {"kernel": np.ones((1, 2, 3))})]), rng)


def test_a_dilated_stack_takes_as_many_values_as_its_field_is_long():
    layers = [("convolution", {"kernel": np.ones((1, 1, 2)), "dilations": 2**k, "pads": [(2**k, 0)]}) for k in range(8)]
    graph = from_layers((1, 512), layers)
    units = UnitValues(graph, {graph.outputs[0]: [511]})
    assert [units.positions[node.name].size for node in graph.nodes] == [2**k for k in range(8, -1, -1)]
