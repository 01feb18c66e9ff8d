"""A box of a node is computed from the boxes that it says, no larger and no smaller."""

import numpy as np
import pytest
from small_graphs import residual_series, two_inputs, varied_image

from capacity.inspection.graphs import Box, Graph, Node, make_node
from capacity.inspection.graphs.boxes import box_hull, input_boxes, whole_box
from capacity.inspection.graphs.evaluation import node_values


def cases():
    for graph in (varied_image(), residual_series(), two_inputs()):
        for node in graph.nodes:
            if node.operator not in ("input", "reshape"):
                yield pytest.param(node, [graph[name].shape for name in node.inputs], id=f"{node.operator}-{node.name}")


def box_of(mask):
    if not mask.any():
        return None
    found = np.argwhere(mask)
    return Box(tuple(map(int, found.min(axis=0))), tuple(map(int, found.max(axis=0) + 1)))


@pytest.mark.parametrize(("node", "shapes"), list(cases()))
def test_a_unit_reads_the_smallest_box_around_the_entries_that_make_it_nan(node, shapes):
    sources = [make_node(f"x{i}", "input", shape=shape) for i, shape in enumerate(shapes)]
    inputs = tuple(source.name for source in sources)
    graph = Graph((*sources, Node("y", node.operator, inputs, node.shape, node.arrays, node.options)))
    for index, shape in enumerate(shapes):
        size = int(np.prod(shape))
        values = {f"x{i}": np.zeros((size, *other)) for i, other in enumerate(shapes)}
        values[f"x{index}"][np.arange(size), *np.unravel_index(np.arange(size), shape)] = np.nan
        sees = np.isnan(node_values(graph, values)["y"])
        for at in list(np.ndindex(*node.shape))[::3]:
            box = Box(at, tuple(i + 1 for i in at))
            assert input_boxes(node, box, shapes)[index] == box_of(sees[(slice(None), *at)].reshape(shape))


def test_a_reshape_matches_axes_that_hold_the_same_entries():
    node = make_node("y", "reshape", make_node("x", "input", shape=(3, 4, 5)), shape=(3, 1, 20))
    assert input_boxes(node, Box((1, 0, 7), (2, 1, 9)), [(3, 4, 5)]) == [Box((1, 1, 2), (2, 2, 4))]
    assert input_boxes(node, Box((1, 0, 3), (2, 1, 9)), [(3, 4, 5)]) == [Box((1, 0, 0), (2, 2, 5))]
    back = make_node("z", "reshape", node, shape=(3, 4, 5))
    assert input_boxes(back, Box((0, 1, 1), (2, 3, 3)), [(3, 1, 20)]) == [Box((0, 0, 6), (2, 1, 13))]


def test_a_recurrent_layer_sees_the_past_the_future_or_both():
    source = make_node("x", "input", shape=(2, 9))
    seen = {}
    for direction in ("forward", "reverse", "bidirectional"):
        node = make_node("y", "recurrent", source, kernel=np.ones((4, 2)), hidden=4, direction=direction)
        seen[direction] = input_boxes(node, Box((0, 3), (1, 5)), [(2, 9)])[0]
    assert seen == {
        "forward": Box((0, 0), (2, 5)),
        "reverse": Box((0, 3), (2, 9)),
        "bidirectional": Box((0, 0), (2, 9)),
    }


def test_the_hull_of_two_boxes_contains_both():
    first, second = Box((0, 3), (2, 5)), Box((1, 0), (4, 4))
    assert box_hull(first, second) == Box((0, 0), (4, 5))
    assert box_hull(None, first) == box_hull(first, None) == first


def test_a_box_cuts_arrays_on_a_larger_one_and_those_that_broadcast():
    array = np.arange(24).reshape(4, 6)
    box = Box((1, 2), (3, 5))
    np.testing.assert_array_equal(array[None][box.within(whole_box((4, 6)))][0], array[1:3, 2:5])
    np.testing.assert_array_equal(box.cut(array[:, :1]), array[1:3, :1])
    assert box.cut(np.array(2.0)) == 2
