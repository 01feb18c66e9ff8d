"""Axes that are moved, renamed and cut as NumPy does it, on nodes that move them as seldom as possible."""

import numpy as np
import pytest

from capacity_inspection.graphs import forward
from capacity_inspection.readers._aten_operators import translated
from capacity_inspection.readers._tracing import Trace, product


def evaluated(trace, value, given):
    """The array of the file that a value stands for, from the nodes of the graph."""
    graph = trace.graph([value])
    found = forward(graph, {name: given[name][None] for name in graph.inputs})[value.node.name][0]
    axes = [axis for axis in value.axes if axis is not None]
    spare = [k for k in range(found.ndim) if k not in axes]
    assert all(found.shape[k] == 1 for k in spare)
    moved = found.transpose([*axes, *spare]).reshape([found.shape[k] for k in axes])
    return moved.reshape(value.shape)


def image(trace, shape=(1, 3, 4, 5), *, channels_last=False):
    """An input with different numbers, as the file and as the graph has it."""
    value = trace.input("x", shape, channels=-1 if channels_last else 0)
    array = np.arange(1.0, np.prod(shape) + 1).reshape(shape)
    inner = array.reshape(shape[1:])
    return value, array, {"x": np.moveaxis(inner, -1, 0) if channels_last else inner}


def shape_of(rng, size):
    """A random shape with a batch of one, and some more axes of one entry."""
    factors = [p for p in (2, 2, 3, 5) if size % p == 0]
    rng.shuffle(factors)
    shape = [1]
    for factor in factors:
        if size % factor == 0:
            shape.append(factor)
            size //= factor
    shape.append(size)
    if rng.random() < 0.3:
        shape.insert(int(rng.integers(1, len(shape) + 1)), 1)
    return tuple(int(n) for n in shape)


def random_step(rng, trace, value, array):
    """One operation on a value, and the same by NumPy."""
    axes = array.ndim
    kind = rng.choice(
        ["transpose", "reshape", "slice", "pad", "concatenate", "sum", "scale", "reduce", "dense", "unit"]
    )
    name = str(kind)
    if kind == "transpose":
        order = [0, *(1 + rng.permutation(axes - 1))] if rng.random() < 0.7 else rng.permutation(axes)
        return value.transposed([int(k) for k in order]), array.transpose(order)
    if kind == "reshape":
        shape = shape_of(rng, array.size)
        return trace.reshape(name, value, shape), array.reshape(shape)
    if kind == "unit":
        shape = list(array.shape)
        shape.insert(int(rng.integers(1, axes + 1)), 1)
        return trace.reshape(name, value, tuple(shape)), array.reshape(shape)
    axis = int(rng.integers(axes))
    n = array.shape[axis]
    if kind == "slice":
        ranges = [range(size) for size in array.shape]
        ranges[axis] = range(int(rng.integers(n)), n, int(rng.integers(1, 3)))
        return trace.slice(name, value, ranges), array[tuple(slice(r.start, r.stop, r.step) for r in ranges)]
    if kind == "pad" and axis and array.size < 500:
        pads = [(0, 0)] * axes
        pads[axis] = (int(rng.integers(-1 if n > 2 else 0, 3)), int(rng.integers(0, 2)))
        cut = [slice(max(-pads[k][0], 0), None) for k in range(axes)]
        padded = np.pad(array[tuple(cut)], [(max(low, 0), high) for low, high in pads], constant_values=7)
        return trace.pad(name, value, pads, 7), padded
    if kind == "concatenate" and axis and array.size < 300:
        other = trace.follow(value, "abs", "activation", function="abs")
        return trace.concatenate(name, [other, value], axis), np.concatenate([abs(array), array], axis)
    if kind == "sum" and axes > 2 and array.shape[1] == array.shape[2]:
        turned = value.transposed([0, 2, 1, *range(3, axes)])
        return trace.sum(name, [value, turned]), array + array.swapaxes(1, 2)
    if kind == "reduce" and axis and array.size > 20:
        keep = bool(rng.integers(2))
        return trace.reduce(name, value, "average_pool", [axis], keep=keep), array.mean(axis, keepdims=keep)
    if kind == "dense" and axis and array.size < 300:
        kernel = rng.integers(-1, 2, (2, n)).astype(float)
        moved = np.moveaxis(np.moveaxis(array, axis, -1) @ kernel.T, -1, axis)
        return trace.dense(name, value, kernel, None, axis), moved
    factor = rng.integers(1, 3, [1] * axis + [n] + [1] * (axes - axis - 1)).astype(float)
    return trace.scale(name, value, factor, np.float64(2)), array * factor + 2


@pytest.mark.parametrize("seed", range(60))
def test_random_operations_give_what_numpy_gives(seed):
    rng = np.random.default_rng(seed)
    trace = Trace(2**30)
    value, array, given = image(trace, (1, 3, 4, 4), channels_last=bool(seed % 2))
    for _ in range(12):
        value, array = random_step(rng, trace, value, array)
        assert value.shape == array.shape
        np.testing.assert_allclose(evaluated(trace, value, given), array, rtol=1e-12)


def test_moving_and_renaming_axes_costs_no_node():
    trace = Trace(2**30)
    value, array, given = image(trace)
    moved = trace.reshape("r", value.transposed([0, 2, 3, 1]), (4, 1, 5, 1, 3))
    back = trace.reshape("s", moved.transposed([1, 4, 0, 3, 2]), (1, 3, 4, 5))
    assert back.node is value.node
    assert list(trace.nodes) == ["x"]
    np.testing.assert_array_equal(evaluated(trace, moved, given), array.transpose(0, 2, 3, 1).reshape(4, 1, 5, 1, 3))


def test_channels_that_a_file_keeps_last_come_first_from_the_input_on():
    trace = Trace(2**30)
    value, array, given = image(trace, channels_last=True)
    result = trace.channels_first("c", value.transposed([0, 3, 1, 2]), "convolution", kernel=np.ones((2, 5, 1, 1)))
    assert [node.operator for node in trace.nodes.values()] == ["input", "convolution"]
    np.testing.assert_allclose(evaluated(trace, result, given)[0, 1], array.sum(-1)[0])


def test_axes_that_are_neighbours_in_the_node_are_joined_and_parted_where_they_are():
    trace = Trace(2**30)
    value, array, given = image(trace, (1, 4, 5, 6), channels_last=True)  # the node has the shape (6, 4, 5)
    parted = trace.reshape("r", value, (1, 20, 2, 3))
    assert parted.node.shape == (2, 3, 20)
    assert trace.rearrangements == 0
    np.testing.assert_array_equal(evaluated(trace, parted, given), array.reshape(1, 20, 2, 3))
    assert trace.reshape("s", parted, (4, 5, 6)).node is value.node
    joined = trace.reshape("t", value, (4, 30))  # the last two are none
    assert trace.rearrangements == 1
    np.testing.assert_array_equal(evaluated(trace, joined, given), array.reshape(4, 30))


def test_values_of_one_entry_that_are_put_together_become_channels():
    trace = Trace(2**30)
    value = trace.reshape("r", trace.input("x", (1, 4, 5)), (1, 4, 5, 1))
    both = trace.concatenate("both", [value, value], -1)
    assert both.node.shape == (2, 4, 5)
    assert both.axes == (None, 1, 2, 0)


def test_factors_and_shifts_in_a_row_become_one_node_of_the_same_type():
    trace = Trace(2**30)
    value, array, given = image(trace)
    channel = np.arange(1, 4, dtype=np.float32).reshape(3, 1, 1)
    first = trace.scale("a", value, channel, np.float32(1))
    second = trace.scale("b", first, np.float32(-2), channel)
    third = trace.scale("c", second, shift=np.float32(4))
    graph = trace.graph([third])
    assert [node.name for node in graph.nodes] == ["x", "c"]
    assert graph["c"].arrays["factor"].dtype == np.float32
    np.testing.assert_allclose(evaluated(trace, third, given), -2 * (array * channel + 1) + channel + 4)


def test_an_array_is_moved_once_for_all_who_need_it():
    trace = Trace(2**30)
    value, _, _ = image(trace)
    last = value.transposed([0, 3, 1, 2])
    one, two = (trace.channels_first(name, last, "convolution", kernel=np.ones((1, 5, 1, 1))) for name in "ab")
    assert trace.rearrangements == 1
    assert one.node.inputs == two.node.inputs


def test_a_matrix_takes_the_entries_of_a_node_as_they_are():
    trace = Trace(2**30)
    value, array, given = image(trace)
    kernel = np.random.default_rng(0).standard_normal((2, 60))
    result = trace.dense("d", trace.reshape("flat", value, (1, 60)), kernel)
    assert [node.name for node in trace.graph([result]).nodes] == ["x", "d"]
    np.testing.assert_allclose(evaluated(trace, result, given), array.reshape(1, 60) @ kernel.T)


def test_nodes_that_nothing_needs_are_left_out_and_names_are_not_given_twice():
    trace = Trace(2**30)
    value = trace.input("x", (1, 3, 4))
    trace.follow(value, "relu", "activation", function="relu")
    names = [trace.follow(value, "a;b", "activation", function="relu").node.name for _ in range(4)]
    assert names[:2] == ["a", "a;b"]
    assert len(set(names)) == 4
    trace.note("Said.")
    trace.note("Said.")
    graph = trace.graph([value])
    assert (graph.outputs, graph.notes) == (("x",), ("Said.",))


def test_weights_become_the_type_that_is_asked_for():
    kernel = np.broadcast_to(np.float32(0.5), (2, 3, 1))
    for dtype, expected in [(None, np.float32), (np.dtype("float64"), np.float64)]:
        trace = Trace(2**30, dtype)
        node = trace.channels_first("c", trace.input("x", (1, 3, 4)), "convolution", kernel=kernel).node
        assert node.arrays["kernel"].dtype == expected
        assert node.arrays["kernel"].strides == (0, 0, 0)


def test_a_value_larger_than_is_allowed_is_refused():
    with pytest.raises(ValueError, match=r"got the value of node 'x' of 8 MiB"):
        Trace(2**20).input("x", (1, 1024, 1024))


def refused(message):
    return pytest.raises(ValueError, match=message)


def test_what_a_graph_does_not_have_is_refused():
    trace = Trace(2**30)
    value, _, _ = image(trace)
    with refused("expected a batch of one, channels and positions"):
        trace.channels_first("c", value.transposed([1, 0, 2, 3]), "convolution", kernel=np.ones((1, 1, 1, 1)))
    with refused("broadcast"):
        trace.sum("s", [value, trace.slice("t", value, [range(1), range(2), range(4), range(5)])])
    with refused("broadcast"):
        trace.scale("s", value, np.ones((2, 1, 1)))
    with refused("at least one entry"):
        trace.slice("s", value, [range(1), range(0), range(4), range(5)])
    with refused("leave the batch"):
        trace.pad("p", value, [(1, 0), (0, 0), (0, 0), (0, 0)])
    with refused("got both or neither, 'x' and 's'"):
        trace.graph([product(trace, "p", value, trace.scale("s", value, np.float32(2)))])
    with refused(r"expected \(steps, 1, features\)"):
        trace.recurrent("r", value, [], kernel=np.ones((4, 3)), hidden=1)


@pytest.mark.parametrize(
    ("operator", "factors", "expected"),
    [
        ("elu", {"alpha": 0.7, "scale": 1.5, "input_scale": 2.0}, lambda z: 1.5 * 0.7 * np.expm1(2 * z)),
        ("celu", {"alpha": 2.0}, lambda z: 2 * np.expm1(z / 2)),
    ],
)
def test_factors_of_an_exponential_unit_leave_the_positive_branch_a_line(operator, factors, expected):
    trace = Trace(2**30)
    value = trace.input("x", (1, 1, 4), channels=0)
    array = np.array([[[-1.5, -0.5, 0.5, 2.0]]])
    (found,) = translated(trace, operator, "unit", {"self": value} | factors, (1, 1, 4))
    positive = factors.get("scale", 1.0) * array
    wanted = np.where(array > 0, positive, expected(array))
    np.testing.assert_allclose(evaluated(trace, found, {"x": array[0]}), wanted, rtol=1e-6)
    with pytest.raises(ValueError, match="above 0, got -1"):
        translated(trace, operator, "other", {"self": value} | factors | {[*factors][-1]: -1.0}, (1, 1, 4))
