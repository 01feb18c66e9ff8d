"""The linear part is the matrix of the operator, on any box; its transpose is the transpose, its square the squares."""

import numpy as np
import pytest
from small_graphs import residual_series, two_inputs, varied_image

from capacity.inspection.graphs import Box, linear_parts, make_node
from capacity.inspection.graphs.boxes import input_boxes, whole_box
from capacity.inspection.graphs.linear_parts import linear_part, transposed_part
from capacity.layers import convolution_projection


def cases():
    for graph in (varied_image(), residual_series(), two_inputs()):
        for node in graph.nodes:
            if node.operator != "input":
                yield pytest.param(node, [graph[name].shape for name in node.inputs], id=f"{node.operator}-{node.name}")


def matrices(node, shapes, power=1):
    """One matrix (units of the node, units of the input) for each input, column by column from the linear part."""
    for index, shape in enumerate(shapes):
        size = int(np.prod(shape))
        values = [np.zeros((size, *other)) for other in shapes]
        values[index] = np.eye(size).reshape(size, *shape)
        boxes = [whole_box(other) for other in shapes]
        yield linear_part(node, values, boxes, whole_box(node.shape), shapes, power=power).reshape(size, -1).T


def some_boxes(shape, seed=0, count=6):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        ends = [sorted(rng.choice(n + 1, 2, replace=False)) for n in shape]
        yield Box(tuple(int(a) for a, _ in ends), tuple(int(b) for _, b in ends))


def convolution_by_loops(x, kernel, strides, dilations, pads, groups):
    """The definition: one output at a time."""
    padded = np.pad(x, [(0, 0), *pads])
    taps = kernel.shape[2:]
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[1:], taps, strides, dilations)]
    out = np.zeros((kernel.shape[0], *counts))
    for o in range(kernel.shape[0]):
        first = o // (kernel.shape[0] // groups) * kernel.shape[1]
        for place in np.ndindex(*counts):
            for c in range(kernel.shape[1]):
                for tap in np.ndindex(*taps):
                    at = tuple(s * p + d * t for p, t, s, d in zip(place, tap, strides, dilations))
                    out[(o, *place)] += kernel[(o, c, *tap)] * padded[(first + c, *at)]
    return out


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_a_convolution_is_its_definition(groups):
    rng = np.random.default_rng(groups)
    x, kernel = rng.standard_normal((4, 8, 7)), rng.standard_normal((8, 4 // groups, 3, 2))
    options = {"strides": (2, 1), "dilations": (1, 3), "pads": ((1, 2), (0, 1)), "groups": groups}
    source = make_node("x", "input", shape=x.shape)
    node = make_node("y", "convolution", source, kernel=kernel, **options)
    found = linear_part(node, [x[None]], [whole_box(x.shape)], whole_box(node.shape), [x.shape])[0]
    np.testing.assert_allclose(found, convolution_by_loops(x, kernel, **options), atol=1e-12)


def test_a_convolution_is_the_sparse_matrix_of_the_room_of_layers():
    kernel = np.random.default_rng(0).standard_normal((3, 2, 3, 3))
    matrix = convolution_projection(kernel, (7, 6), stride=2, padding=2, dilation=2).toarray()
    node = make_node(
        "y", "convolution", make_node("x", "input", shape=(2, 7, 6)), kernel=kernel, strides=2, dilations=2, pads=2
    )
    np.testing.assert_allclose(next(matrices(node, [(2, 7, 6)])), matrix.T, atol=1e-14)


@pytest.mark.parametrize(("count_pads", "corner"), [(True, 0.25), (False, 1.0)])
def test_an_average_pool_counts_its_pads_or_does_not(count_pads, corner):
    source = make_node("x", "input", shape=(1, 4, 4))
    node = make_node("y", "average_pool", source, window=2, strides=2, pads=1, count_pads=count_pads)
    ones = np.ones((1, 1, 4, 4))
    found = linear_part(node, [ones], [whole_box((1, 4, 4))], whole_box(node.shape), [(1, 4, 4)])[0, 0]
    assert found[0, 0] == corner
    assert found[1, 1] == 1


@pytest.mark.parametrize(("node", "shapes"), list(cases()))
def test_the_part_on_a_box_is_the_box_of_the_whole(node, shapes):
    rng = np.random.default_rng(0)
    values = [rng.standard_normal((2, *shape)) for shape in shapes]
    wholes = [whole_box(shape) for shape in shapes]
    complete = linear_part(node, values, wholes, whole_box(node.shape), shapes)
    for box in some_boxes(node.shape):
        boxes = input_boxes(node, box, shapes)
        cut = [None if b is None else value[b.within(w)] for value, b, w in zip(values, boxes, wholes)]
        if any(part is not None for part in cut):
            found = linear_part(node, cut, boxes, box, shapes)
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
            handed = transposed_part(node, array, box, shapes, power=power)[index]
            found = np.zeros((1, *shapes[index]))
            if handed is not None:
                found[handed[0].within(whole_box(shapes[index]))] = handed[1]
            np.testing.assert_allclose(found[0], expected, atol=1e-12)


def test_large_dense_layers_go_in_blocks_of_rows(monkeypatch):
    kernel = np.random.default_rng(0).standard_normal((7, 5))
    node = make_node("y", "dense", make_node("x", "input", shape=(5,)), kernel=kernel)
    monkeypatch.setattr(linear_parts, "_BLOCK", 10)
    np.testing.assert_allclose(next(matrices(node, [(5,)])), kernel)
    array = np.random.default_rng(1).standard_normal((1, 7))
    np.testing.assert_allclose(transposed_part(node, array, whole_box((7,)), [(5,)])[0][1], array @ kernel)
