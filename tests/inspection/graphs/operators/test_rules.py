"""A box of a node is computed from the boxes that it says; the transpose is that of the linear part."""

import numpy as np
import pytest
from small_graphs import EACH_OPERATOR, residual_series, two_inputs, upsampled_image, varied_image

from capacity_inspection.graphs import OPERATORS, Box, Graph, Node, make_node
from capacity_inspection.graphs.evaluation import node_values
from capacity_inspection.graphs.operators.boxes import whole_box
from capacity_inspection.graphs.operators.rules import sums


def cases():
    for graph in (varied_image(), residual_series(), two_inputs(), upsampled_image()):
        for node in graph.nodes:
            if node.operator != "input":
                yield pytest.param(node, [graph[name].shape for name in node.inputs], id=f"{node.operator}-{node.name}")
    for number, (operator, shapes, arrays, options, _) in enumerate(EACH_OPERATOR):
        if shapes and OPERATORS[operator].gains != "sample":  # else it is linear in one of its inputs only
            inputs = [make_node(f"x{k}", "input", shape=shape) for k, shape in enumerate(shapes)]
            rng = np.random.default_rng(0)
            drawn = {name: rng.standard_normal(array.shape) for name, array in arrays.items()}
            yield pytest.param(make_node("y", operator, inputs, **drawn, **options), shapes, id=f"{operator}-{number}")


def matrices(node, shapes, power=1):
    """One matrix (units of the node, units of the input) for each input, column by column from the linear part."""
    for index, shape in enumerate(shapes):
        size = int(np.prod(shape))
        values = [np.zeros((size, *other)) for other in shapes]
        values[index] = np.eye(size).reshape(size, *shape)
        boxes = [whole_box(other) for other in shapes]
        yield node.rule.linear_part(node, values, boxes, whole_box(node.shape), shapes, power=power).reshape(size, -1).T


def some_boxes(shape, seed=0, count=6):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        ends = [sorted(rng.choice(n + 1, 2, replace=False)) for n in shape]
        yield Box(tuple(int(a) for a, _ in ends), tuple(int(b) for _, b in ends))


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
            assert node.rule.reads(node, box, shapes)[index] == box_of(sees[(slice(None), *at)].reshape(shape))


@pytest.mark.parametrize(("node", "shapes"), list(cases()))
def test_the_part_on_a_box_is_the_box_of_the_whole(node, shapes):
    rng = np.random.default_rng(0)
    values = [rng.standard_normal((2, *shape)) for shape in shapes]
    wholes = [whole_box(shape) for shape in shapes]
    complete = node.rule.linear_part(node, values, wholes, whole_box(node.shape), shapes)
    for box in some_boxes(node.shape):
        boxes = node.rule.reads(node, box, shapes)
        cut = [None if b is None else value[b.within(w)] for value, b, w in zip(values, boxes, wholes)]
        if any(part is not None for part in cut):
            found = node.rule.linear_part(node, cut, boxes, box, shapes)
            np.testing.assert_allclose(found, complete[box.within(whole_box(node.shape))], atol=1e-12)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize(("node", "shapes"), list(cases()))
def test_the_transpose_is_the_transpose_and_the_square_has_squares(node, shapes, power):
    for index, matrix in enumerate(matrices(node, shapes)):
        wanted = matrix if node.operator == "max_pool" else matrix**power
        np.testing.assert_allclose(list(matrices(node, shapes, power))[index], wanted, atol=1e-12)
        for box in some_boxes(node.shape, seed=1):
            array = np.random.default_rng(2).standard_normal((1, *box.shape))
            units = np.zeros((1, *node.shape))
            units[box.within(whole_box(node.shape))] = array
            expected = (units.ravel() @ wanted).reshape(shapes[index])
            handed = node.rule.transposed_part(node, array, box, shapes, power=power)[index]
            found = np.zeros((1, *shapes[index]))
            if handed is not None:
                found[handed[0].within(whole_box(shapes[index]))] = handed[1]
            np.testing.assert_allclose(found[0], expected, atol=1e-12)


def test_what_windows_read_is_the_set_of_all_sums():
    rng = np.random.default_rng(0)
    for _ in range(300):
        first, count, stride = rng.integers(0, 5), rng.integers(1, 6), rng.integers(0, 4)
        units = np.arange(first, first + count) * rng.integers(1, 3)
        begin, taps, dilation = rng.integers(-3, 3), rng.integers(1, 5), rng.integers(1, 4)
        offsets = range(begin, begin + taps * dilation, dilation)
        expected = sorted({stride * unit + offset for unit in units.tolist() for offset in offsets})
        assert sums(units, stride, offsets).tolist() == expected
