"""A chain from layers is the graph that one would write out."""

import re

import numpy as np
import pytest

from capacity_inspection.graphs import OPERATORS, Graph, from_layers, make_node

CONVOLUTION = ("convolution", {"kernel": np.ones((2, 1, 3)), "strides": 2})
RELU = ("activation", {"function": "relu"})


def test_a_chain_is_the_graph_that_one_would_write_out():
    source = make_node("input", "input", shape=(1, 9))
    layer = make_node("convolution 1", "convolution", source, kernel=np.ones((2, 1, 3)), strides=2)
    written = Graph((source, layer, make_node("activation 2", "activation", layer, function="relu")))
    chain = from_layers((1, 9), [CONVOLUTION, RELU])
    assert [(n.name, n.operator, n.inputs, n.shape, n.options) for n in chain.nodes] == [
        (n.name, n.operator, n.inputs, n.shape, n.options) for n in written.nodes
    ]


def test_a_layer_can_take_values_from_any_above_it():
    graph = from_layers(
        (1, 9), [("activation", {"function": "tanh", "name": "t"}), ("add", {"inputs": ("t", "input")})]
    )
    assert graph["add 2"].inputs == ("t", "input")


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "layers: expected at least one entry"),
        ([RELU[0]], r"layers\[0\]: expected \(operator, arguments\)"),
        (
            [("add", {"inputs": ["later"]})],
            r"layers\[0\]: expected a new name and inputs above it, got inputs \['later'\]",
        ),
        ([("activation", {"function": "relu", "name": "input"})], "'input' again"),
        ([CONVOLUTION, CONVOLUTION], "node 'convolution 2': convolution: expected a kernel for 2 channels"),
    ],
)
def test_layers_that_do_not_fit_are_refused(layers, message):
    with pytest.raises(ValueError, match=message):
        from_layers((1, 9), layers)


def test_a_node_takes_nodes_and_not_names():
    with pytest.raises(TypeError, match="pass the nodes themselves"):
        make_node("a", "add", ["b"])


def test_the_documentation_lists_every_operator_and_its_arguments():
    named = set(re.findall(r"``(\w+)``", make_node.__doc__))
    arguments = {name for rule in OPERATORS.values() for name in (*rule.arrays, *rule.options)}
    assert named >= {*OPERATORS, *arguments}
