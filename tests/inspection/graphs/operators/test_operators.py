"""Each operator, at shapes and options drawn together: what it computes, reads and hands back, and how that moves."""

import math
from dataclasses import replace

import numpy as np
import pytest
from brute_fields import box_of, moves_along
from drawn_operators import DRAWN, defined
from hypothesis import given, settings
from hypothesis import strategies as st

from capacity_inspection.graphs import OPERATORS, Box, Graph, moving_fields, receptive_fields
from capacity_inspection.graphs.operators.boxes import whole_box

LINEAR = [name for name in DRAWN if OPERATORS[name].gains != "sample"]
WEIGHTED = ["convolution", "transposed_convolution", "dense", "scale"]


def drawn(operators):
    """A test of each operator with nodes that are drawn."""
    return lambda test: pytest.mark.parametrize("operator", operators)(
        settings(max_examples=15)(given(data=st.data())(test))
    )


def node_of(data, operator):
    """A node, the shapes of its inputs, and two samples of these."""
    node, inputs = DRAWN[operator](data.draw)
    shapes = [each.shape for each in inputs]
    return node, shapes, [np.random.default_rng(0).uniform(-1, 1, (2, *shape)) for shape in shapes]


def linear(node, values, box, shapes, power=1):
    return node.rule.linear_part(node, values, list(map(whole_box, shapes)), box, shapes, power=power)


def inner(first, second):
    return (first * second).reshape(len(first), -1).sum(axis=1)


def some_box(data, shape):
    starts = [data.draw(st.integers(0, n - 1)) for n in shape]
    return Box(tuple(starts), tuple(data.draw(st.integers(a + 1, n)) for a, n in zip(starts, shape)))


def test_every_operator_is_drawn_here_or_has_tests_of_its_own():
    assert {*DRAWN, "input", "activation", "recurrent"} == set(OPERATORS)


@drawn(DRAWN)
def test_it_computes_its_definition(operator, data):
    node, _, values = node_of(data, operator)
    expected = defined(node, values)
    assert node.shape == expected.shape[1:]
    np.testing.assert_allclose(node.rule.value(node, values), expected, atol=1e-12)


@drawn([name for name in DRAWN if name != "attention"])  # of whose queries the first may have no choice
def test_it_reads_what_changes_it_and_that_moves_as_it_is_told(operator, data):
    node, inputs = DRAWN[operator](data.draw)
    graph = Graph((*inputs, node))
    base = [np.random.default_rng(0).uniform(0.5, 1, each.shape) for each in inputs]
    for index, source in enumerate(inputs):
        size = math.prod(source.shape)
        changed = [np.broadcast_to(each, (size, *each.shape)) for each in base]
        changed[index] = changed[index] + 9.0 * np.eye(size).reshape(size, *source.shape)
        seen = np.abs(defined(node, changed) - defined(node, [each[None] for each in base])) > 1e-12
        fields = {at: box_of(seen[(..., *at)].reshape(source.shape)) for at in np.ndindex(*node.shape)}
        assert {at: receptive_fields(graph, at=at).get(source.name) for at in fields} == fields
        for axis, field in enumerate(moving_fields(graph, source.name).get("y", ())):
            if not field.note:
                ways = {"exact": not field.bound, "n": source.shape[axis]}
                assert any(moves_along(own, axis, field, fields, **ways) for own in range(len(node.shape)))


@drawn(LINEAR)
@pytest.mark.parametrize("power", [1, 2])
def test_the_part_on_a_box_is_that_of_the_whole_from_what_the_box_reads(power, operator, data):
    node, shapes, values = node_of(data, operator)
    box, wholes = some_box(data, node.shape), list(map(whole_box, shapes))
    boxes = node.rule.reads(node, box, shapes)
    cut = [own and value[own.within(whole)] for value, own, whole in zip(values, boxes, wholes)]
    complete = linear(node, values, whole_box(node.shape), shapes, power)[box.within(whole_box(node.shape))]
    if any(boxes):
        found = node.rule.linear_part(node, cut, boxes, box, shapes, power=power)
        np.testing.assert_allclose(found, complete, atol=1e-12)
    else:
        assert not complete.any()


@drawn(LINEAR)
@pytest.mark.parametrize("power", [1, 2])
def test_what_it_hands_back_is_the_transpose(power, operator, data):
    node, shapes, values = node_of(data, operator)
    box = some_box(data, node.shape)
    array = np.random.default_rng(1).standard_normal((2, *box.shape))
    handed = node.rule.transposed_part(node, array, box, shapes, power=power)
    ahead, back = linear(node, values, box, shapes, power), np.zeros(2)
    for value, shape, each in zip(values, shapes, handed):
        if each is not None:
            back += inner(value[each[0].within(whole_box(shape))], each[1])
    np.testing.assert_allclose(back, inner(ahead, array), atol=1e-10)


@drawn([name for name in LINEAR if name != "max_pool"])
def test_of_variances_the_weights_are_squares(operator, data):
    node, shapes, _ = node_of(data, operator)
    box = whole_box(node.shape)
    for index, shape in enumerate(shapes):
        units = [np.zeros((math.prod(shape), *each)) for each in shapes]
        units[index] = np.eye(math.prod(shape)).reshape(-1, *shape)
        found = linear(node, units, box, shapes, power=2)
        np.testing.assert_allclose(found, linear(node, units, box, shapes) ** 2, atol=1e-12)


@drawn(WEIGHTED)
def test_what_its_weights_are_handed_is_the_transpose_and_each_counts_once(operator, data):
    node, (source,) = DRAWN[operator](data.draw)
    graph, value = Graph((source, node)), np.random.default_rng(0).uniform(-1, 1, (1, *source.shape))
    assert graph.n_parameters == sum(array.size for array in node.arrays.values())
    array, before = np.random.default_rng(1).standard_normal((1, *node.shape)), defined(node, [value])
    handed = node.rule.weight_gradients(node, array, value)
    assert handed.keys() == node.arrays.keys()
    for name, weights in node.arrays.items():
        change = np.random.default_rng(2).standard_normal(weights.shape)
        other = replace(node, arrays=dict(node.arrays) | {name: weights + change})
        ahead = np.vdot(defined(other, [value]) - before, array)
        np.testing.assert_allclose(np.vdot(handed[name], change), ahead, rtol=1e-9, atol=1e-10)
    if operator != "scale":  # a product for each weight that an entry of the whole node, or of its input, meets
        kernel, many = node.arrays["kernel"], source if operator == "transposed_convolution" else node
        assert node.rule.multiply_adds(node, [source.shape]) == math.prod(many.shape) * kernel[0].size


@drawn(["attention", "matmul"])
def test_products_of_matrices_are_counted(operator, data):
    node, shapes, _ = node_of(data, operator)
    if operator == "attention":  # of queries and keys, of shares and values; in all heads
        (width, queries), (_, keys), (out, _) = shapes
        products = [(queries, width, keys), (out, keys, queries)]
    else:
        products = [(*shapes[0], shapes[1][-1])]
    assert node.rule.multiply_adds(node, shapes) == sum(map(math.prod, products))


@drawn(["convolution"])
@pytest.mark.parametrize("newest", [False, True])
def test_of_a_convolution_one_tap_is_kept(newest, operator, data):
    node, _ = DRAWN[operator](data.draw)
    kernel, kept = node.arrays["kernel"], node.rule.with_one_tap(node, newest)
    places = tuple(k - 1 if newest else k // 2 for k in kernel.shape[2:])
    if max(kernel.shape[2:]) == 1:
        assert kept is None
    else:
        expected = np.zeros_like(kernel)
        expected[(..., *places)] = kernel[(..., *places)]
        np.testing.assert_array_equal(kept.arrays["kernel"], expected)


@drawn([name for name in DRAWN if OPERATORS[name].gains == "sample"])
def test_gradients_are_those_of_differences_and_what_is_held_is_linear(operator, data):
    node, shapes, values = node_of(data, operator)
    rng, step = np.random.default_rng(1), 1e-6
    array, directions = rng.standard_normal((2, *node.shape)), [rng.standard_normal((2, *shape)) for shape in shapes]
    handed = node.rule.vjp(node, array, values)
    for index, direction in enumerate(directions):
        ends = [[*values[:index], values[index] + h * direction, *values[index + 1 :]] for h in (step, -step)]
        ahead, behind = (defined(node, each) for each in ends)
        np.testing.assert_allclose(
            inner(handed[index], direction), inner((ahead - behind) / (2 * step), array), rtol=1e-6, atol=1e-8
        )
    if operator != "softmax":  # which is a gain, and no signal
        value, held = defined(node, values), node.rule.held(node, values)
        known = node.rule.held(node, values, value)
        for each in (held, known):
            np.testing.assert_allclose(node.rule.held_jvp(node, each, values), value, atol=1e-12)
        handed = node.rule.held_vjp(node, held, array)
        assert [k for k, each in enumerate(handed) if each is not None] == list(node.rule.signals(node))
        back = sum(inner(each, direction) for each, direction in zip(handed, directions) if each is not None)
        np.testing.assert_allclose(back, inner(node.rule.held_jvp(node, held, directions), array), atol=1e-10)
