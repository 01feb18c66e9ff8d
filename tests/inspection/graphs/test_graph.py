"""A graph is what its nodes say, and nothing that is not a graph becomes one."""

import numpy as np
import pytest

from capacity_inspection.graphs import Graph, Node, make_node

RELU = ("activation", {"function": "relu"})


def block():
    image = make_node("image", "input", shape=(2, 6, 6))
    left = make_node("left", "convolution", image, kernel=np.ones((2, 2, 3, 3)), bias=np.ones(2), pads=1)
    right = make_node("right", "convolution", image, kernel=np.ones((2, 2, 1, 1)))
    total = make_node("sum", "add", [left, right])
    return image, left, right, total


def test_a_graph_knows_its_nodes_its_inputs_its_layers_and_its_weights():
    graph = Graph(block())
    assert graph.inputs == ("image",)
    assert graph.outputs == ("sum",)
    assert [node.name for node in graph.layers] == ["left", "right"]
    assert graph["sum"].inputs == ("left", "right")
    assert graph.n_parameters == 36 + 2 + 4


def test_the_part_up_to_a_node_has_what_the_node_is_computed_from_and_no_more():
    part = Graph(block()).up_to("right")
    assert [node.name for node in part.nodes] == ["image", "right"]
    assert part.outputs == ("right",)


def test_nodes_that_are_written_out_get_the_defaults_of_their_operator():
    image = Node("image", "input", (), (1, 4))
    node = Node("layer", "convolution", ("image",), (1, 4), {"kernel": np.ones((1, 1, 1))})
    assert Graph((image, node))["layer"].options["strides"] == (1,)


@pytest.mark.parametrize(
    ("nodes", "outputs", "message"),
    [
        ((), (), "nodes: expected at least one entry"),
        ((*block(), block()[0]), (), r"names that differ, got \['image'\]"),
        (block()[1:], (), r"node 'left': expected inputs that are nodes of the graph, got \['image'\]"),
        (block()[::-1], (), r"node 'sum': expected inputs that come before it, got \['left', 'right'\]"),
        (block(), ("total",), "name: expected a node of the graph, got 'total'"),
        (
            (block()[0], Node("a", "add", ("image", "b"), (2, 6, 6)), Node("b", "add", ("a",), (2, 6, 6))),
            (),
            "no cycle",
        ),
        ((block()[0], Node("a", "add", ("image", "image"), (2, 5, 6))), (), r"node 'a': expected shape \(2, 6, 6\)"),
        ((block()[0], Node("a", "swirl", ("image",), (2, 6, 6))), (), "node 'a': operator: expected one of"),
        (("a", "b"), (), "nodes: expected .*Node"),
        ((Node(None, "input", (), (1,)),), (), "name of a node: expected .*str"),
    ],
)
def test_what_is_no_graph_is_refused_by_the_name_of_the_node(nodes, outputs, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Graph(nodes, outputs)


def test_a_long_cycle_is_named_in_a_line():
    ring = [Node(f"n{i}", "add", (f"n{(i + 1) % 5000}",), (1,)) for i in range(5000)]
    with pytest.raises(ValueError, match="expected no cycle, got n") as found:
        Graph(tuple(ring))
    assert len(str(found.value)) < 120
