"""Each operator of ONNX becomes nodes that compute what the library's reference computes."""

from itertools import permutations, product

import numpy as np
import pytest
from onnx import ModelProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx_models import as_in_graph, model, node, reference, values, write

from capacity_inspection.graphs import forward
from capacity_inspection.readers import read_onnx
from capacity_inspection.readers._onnx_operators import SUPPORTED

RNG = np.random.default_rng(0)
TEST_SHAPE = [1, 3, 8, 9]


def real(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def ints(*numbers):
    return np.array(numbers, dtype=np.int64)


def number(value):
    return np.float32(value)


def chain(*steps):
    """Nodes, each of which takes what the one before gives, unless it names its inputs."""
    nodes = []
    for k, (operator, inputs, attributes) in enumerate(steps):
        output = "y" if k == len(steps) - 1 else f"t{k}"
        first = [f"t{k - 1}" if k else "x"]
        nodes.append(
            node(operator, first + inputs if isinstance(inputs, list) else list(inputs), [output], **attributes)
        )
    return nodes


def last(*steps):
    """The same between two transposes, with channels last in between."""
    return [("Transpose", [], {"perm": [0, 2, 3, 1]}), *steps]


STATISTICS = {"s": real(3), "b": real(3), "m": real(3), "v": abs(real(3))}
GELU = {"r": number(2**0.5), "one": number(1), "half": number(0.5)}
KERNEL = {"w": real(4, 3, 3, 3)}
SCALES = {"s": np.float32([1, 1, 0.5, 2])}
CASES = {
    "Add, turned": (
        chain(("Transpose", [], {"perm": [0, 2, 1]}), ("Relu", [], {}), ("Add", ["x"], {}), ("Conv", ["w"], {})),
        [1, 4, 4],
        {"w": real(2, 4, 1)},
    ),
    "Attention": (
        chain(("Attention", ("x", "x", "x"), {"is_causal": 1}), ("Transpose", [], {"perm": [0, 1, 3, 2]})),
        [1, 3, 5, 4],
        {},
    ),
    "Attention, mask of heads among channels": (
        [node("Attention", ["x", "x", "x", "c"], ["y"], q_num_heads=3, kv_num_heads=3, scale=0.7)],
        [1, 5, 6],
        {"c": real(3, 5, 5)},
    ),
    "Attention, keys for two heads each": (
        [
            node("Slice", ["x", "begin", "end", "axis"], ["k"]),
            node("Attention", ["x", "k", "k", "c"], ["a"]),
            node("Transpose", ["a"], ["y"], perm=[0, 1, 3, 2]),
        ],
        [1, 4, 5, 3],
        {"begin": ints(0), "end": ints(2), "axis": ints(1), "c": np.tri(5, dtype=bool)},
    ),
    "Cast": (chain(("Cast", [], {"to": 11}), ("Cast", [], {"to": 1})), TEST_SHAPE, {}),
    "Split, of which a part is used": (
        [node("Split", ["x"], ["y", "rest"], axis=1)],
        [1, 4, 6],
        {},
    ),
    "Split, of a constant": (
        [node("Split", ["c"], ["a", "b"], axis=1), node("Mul", ["x", "a"], ["t"]), node("Add", ["t", "b"], ["y"])],
        TEST_SHAPE,
        {"c": real(1, 6, 1, 1)},
    ),
    "Greater, as PyTorch writes a softplus": (
        [
            node("Mul", ["x", "two"], ["t"]),
            node("Softplus", ["t"], ["s"]),
            node("Div", ["s", "two"], ["low"]),
            node("Greater", ["t", "bound"], ["above"]),
            node("Where", ["above", "x", "low"], ["y"]),
        ],
        TEST_SHAPE,
        {"two": number(2), "bound": number(20)},
    ),
    "Concat, constants at both ends": (
        [node("Relu", ["x"], ["a"]), node("Concat", ["c", "a", "d"], ["y"], axis=1)],
        [1, 3, 4],
        {"c": real(1, 2, 4), "d": real(1, 1, 4)},
    ),
    "Einsum": (
        chain(("Sigmoid", [], {}), ("Einsum", ["x"], {"equation": "bcij,bckj->bcik"})),
        TEST_SHAPE,
        {},
    ),
    "Einsum, of a constant alone": (
        chain(("Einsum", ["c"], {"equation": "bchw,cd->bhw"})),
        TEST_SHAPE,
        {"c": real(3, 4)},
    ),
    "Einsum, outer": (
        chain(("Sigmoid", [], {}), ("Einsum", ["x"], {"equation": "bcij, bkuv -> bcijkuv"})),
        [1, 3, 4, 2],
        {},
    ),
    "Einsum, of a constant": (
        [node("Einsum", ["w", "x"], ["y"], equation="hdc,btc->bthd")],
        [1, 5, 4],
        {"w": real(2, 3, 4)},
    ),
    "MatMul, a matrix for each head": (chain(("MatMul", ["w"], {})), [1, 3, 5, 4], {"w": real(3, 4, 2)}),
    "MatMul, matrices for each head from the left": (
        [node("MatMul", ["w", "x"], ["y"])],
        [1, 3, 5, 4],
        {"w": real(3, 2, 5)},
    ),
    "Einsum, by entry": (chain(("Einsum", ["w"], {"equation": "bcij,ci->bcij"})), TEST_SHAPE, {"w": real(3, 8)}),
    "Concat, channels last": (
        chain(*last(("Relu", [], {}), ("Concat", ["t0"], {"axis": -1}), ("Transpose", [], {"perm": [0, 3, 1, 2]}))),
        TEST_SHAPE,
        {},
    ),
    "Conv, three axes": (chain(("Conv", ["w"], {})), [1, 2, 5, 6, 7], {"w": real(3, 2, 2, 3, 2)}),
    "Div, from a constant": (chain(("Exp", [], {}), ("Div", ("c", "t0"), {})), TEST_SHAPE, {"c": number(2)}),
    "Pad, reflected": (
        chain(("Pad", ["p"], {"mode": "reflect"}), ("Pad", ["q"], {"mode": "edge"}), ("Pad", ["p"], {"mode": "wrap"})),
        TEST_SHAPE,
        {"p": ints(0, 0, 2, 1, 0, 0, 3, 0), "q": ints(0, 0, 0, 2, 0, 0, 1, 2)},
    ),
    "Slice, turned": (
        chain(("Slice", ["s", "e", "a", "k"], {})),
        TEST_SHAPE,
        {"s": ints(7, 1), "e": ints(-9, 9), "a": ints(2, 3), "k": ints(-3, 2)},
    ),
    "Gelu, written out": (
        chain(("Div", ["r"], {}), ("Erf", [], {}), ("Add", ["one"], {}), ("Mul", ["x"], {}), ("Mul", ["half"], {})),
        TEST_SHAPE,
        GELU,
    ),
    "Gelu, of a sum": (
        [
            node("Add", ["x", "c"], ["z"]),
            node("Div", ["z", "r"], ["a"]),
            node("Erf", ["a"], ["e"]),
            node("Add", ["e", "one"], ["g"]),
            node("Mul", ["z", "half"], ["h"]),
            node("Mul", ["h", "g"], ["y"]),
        ],
        TEST_SHAPE,
        GELU | {"c": real(3, 1, 1)},
    ),
    "GroupNormalization": (
        chain(("GroupNormalization", ["s", "b"], {"num_groups": 2, "epsilon": 0.01})),
        [1, 6, 8, 9],
        {"s": real(6), "b": real(6)},
    ),
    "Mish, written out": (chain(("Softplus", [], {}), ("Tanh", [], {}), ("Mul", ["x"], {})), TEST_SHAPE, {}),
    "Softsign, written out": (
        chain(("Abs", [], {}), ("Add", ["one"], {}), ("Div", ("x", "t1"), {})),
        TEST_SHAPE,
        {"one": number(1)},
    ),
    "HardSwish, written out": (chain(("HardSigmoid", [], {"alpha": 1 / 6}), ("Mul", ["x"], {})), TEST_SHAPE, {}),
    "LayerNormalization": (chain(("LayerNormalization", ["s", "b"], {})), [1, 5, 4], {"s": real(4), "b": real(4)}),
    "LayerNormalization, of two axes": (
        chain(("LayerNormalization", ["s"], {"axis": 2, "epsilon": 0.1})),
        TEST_SHAPE,
        {"s": real(8, 9)},
    ),
    "Normalization, written out, of the mean of squares times a factor": (
        [
            node("Mul", ["x", "x"], ["s"]),
            node("ReduceMean", ["s"], ["m"], axes=[2, 3]),
            node("Mul", ["m", "f"], ["t"]),
            node("Add", ["t", "e"], ["v"]),
            node("Sqrt", ["v"], ["r"]),
            node("Div", ["x", "r"], ["y"]),
        ],
        TEST_SHAPE,
        {"f": number(3), "e": number(0.5)},
    ),
    "MatMul, along a last axis": (chain(("MatMul", ["w"], {})), TEST_SHAPE, {"w": real(1, 1, 9, 2)}),
    "Max": (chain(("Max", ["zero"], {})), TEST_SHAPE, {"zero": number(0)}),
    "MaxPool, a last window in the pads": (
        chain(("MaxPool", [], {"kernel_shape": [2, 2], "strides": [3, 3], "pads": [1] * 4, "ceil_mode": 1})),
        TEST_SHAPE,
        {},
    ),
    "Mul, by a gate of each channel": (
        chain(("GlobalAveragePool", [], {}), ("Sigmoid", [], {}), ("Mul", ["x"], {})),
        TEST_SHAPE,
        {},
    ),
    "PRelu, channels last": (
        chain(*last(("PRelu", ["s"], {}), ("Transpose", [], {"perm": [0, 3, 1, 2]}))),
        TEST_SHAPE,
        {"s": abs(real(1, 1, 3))},
    ),
    "Pow, others": (
        chain(("Pow", ["a"], {}), ("Exp", [], {}), ("Pow", ["b"], {}), ("Pow", ["c"], {}), ("Pow", ["d"], {})),
        TEST_SHAPE,
        {"a": number(3), "b": number(-0.5), "c": number(-1), "d": number(0.3)},
    ),
    "ReduceMean, channels last": (chain(*last(("ReduceMean", [], {"axes": [1, 2], "keepdims": 0}))), TEST_SHAPE, {}),
    "Reshape, shuffle": (
        chain(
            ("Reshape", ["a"], {}),
            ("Transpose", [], {"perm": [0, 2, 1, 3, 4]}),
            ("Reshape", ["b"], {}),
            ("Conv", ["w"], {}),
        ),
        [1, 6, 4, 5],
        {"a": ints(1, 2, 3, 4, 5), "b": ints(0, 6, 4, -1), "w": real(2, 6, 2, 2)},
    ),
    "Resize, unchanged": (
        chain(("Resize", ["", "s"], {"mode": "linear"}), ("Conv", ["w"], {})),
        TEST_SHAPE,
        KERNEL | {"s": np.ones(4, np.float32)},
    ),
    "Resize, channels last": (
        chain(
            *last(
                ("Resize", ["", "s"], {"mode": "linear"}),
                ("Transpose", [], {"perm": [0, 3, 1, 2]}),
                ("Conv", ["w"], {}),
            )
        ),
        TEST_SHAPE,
        KERNEL | {"s": np.float32([1, 2, 2, 1])},
    ),
    "LogSoftmax": (chain(("LogSoftmax", [], {"axis": -1}), ("Mul", ["x"], {})), TEST_SHAPE, {}),
    "Softmax": (chain(("Softmax", [], {"axis": 1}), ("Mul", ["x"], {})), TEST_SHAPE, {}),
    "Sub, from a constant": ([node("Sub", ["c", "x"], ["y"])], TEST_SHAPE, {"c": real(3, 1, 1)}),
    "Sub, the mean": (chain(("ReduceMean", [], {"axes": [2]}), ("Sub", ("x", "t0"), {})), TEST_SHAPE, {}),
    "ScatterND, of a block": (
        [node("Relu", ["x"], ["a"]), node("ScatterND", ["a", "i", "b"], ["y"])],
        TEST_SHAPE,
        {"i": np.stack(np.meshgrid([0], [2, 0], indexing="ij"), -1), "b": real(1, 2, *TEST_SHAPE[2:])},
    ),
    "ScatterElements, along an axis": (
        [node("Relu", ["x"], ["a"]), node("ScatterElements", ["c", "i", "a"], ["y"], axis=1)],
        TEST_SHAPE,
        {
            "i": np.tile(np.array([4, 1, 2]).reshape(1, 3, 1, 1), (1, 1, *TEST_SHAPE[2:])),
            "c": real(1, 5, *TEST_SHAPE[2:]),
        },
    ),
    "Where, all of one": (
        chain(("Where", ("c", "x", "z"), {}), ("Conv", ["w"], {})),
        TEST_SHAPE,
        KERNEL | {"c": np.ones(1, bool), "z": real(1)},
    ),
}
NEWEST = {
    **{"Attention": 23, "Gelu": 20, "GroupNormalization": 21, "Mish": 18, "RMSNormalization": 23, "Swish": 24},
    "Upsample": 9,
}


def agrees(value, expected, tolerance=2e-5):
    """Whether values of a graph are those of a file, whose axes it may have in another order."""
    if value.size != expected.size:
        return False
    orders = [value, *(value.transpose(order) for order in permutations(range(value.ndim)))]
    fits = [each.reshape(expected.shape) for each in orders if each.squeeze().shape == expected.squeeze().shape]
    fits = fits or [value.reshape(expected.shape)]
    return any(np.allclose(each, expected, rtol=tolerance, atol=tolerance) for each in fits)


@pytest.mark.parametrize("case", CASES)
def test_an_operator_computes_what_the_library_computes(tmp_path, case):
    nodes, shape, arrays = CASES[case]
    found = model(nodes, shape, arrays, opset=NEWEST.get(case.split(",")[0] if "out" not in case else case, 17))
    inputs = real(*shape)
    (value,) = values(read_onnx(write(tmp_path / "x.onnx", found)), inputs)
    assert agrees(value, reference(found, {"x": inputs})[0])


QUANTISED = {"DequantizeLinear", "QuantizeLinear"}


def from_the_library():
    """The library's own cases: a model whose inputs are all of its arrays of numbers, or the first; what goes in, out.

    All but those in half precision, a softmax, which is left out at the end, what the reference resizes as below, and
    quantised numbers, which are taken for what they stand for (test_onnx_files).
    """
    for case in collect_testcases(None):
        operators = {node.op_type for node in case.model.graph.node}
        supported = operators <= set(SUPPORTED) - {"LogSoftmax", "Softmax"} - QUANTISED
        if supported and case.data_sets and "downsample_scales" not in case.name:
            arrays, (expected, *_) = case.data_sets[0]
            named = {info.name: np.asarray(array) for info, array in zip(case.model.graph.input, arrays)}
            given = [name for name, array in named.items() if array.dtype.kind == "f" and array.dtype.itemsize > 2]
            for inputs in {tuple(given), tuple(given[:1])} - {()}:
                constants = {name: array for name, array in named.items() if name not in inputs}
                yield case, {name: named[name] for name in inputs}, constants, np.asarray(expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning:onnx")
def test_the_library_s_own_cases_are_computed_or_refused(tmp_path):
    compared = set()
    for case, inputs, constants, expected in from_the_library():
        found = ModelProto()
        found.CopyFrom(case.model)
        del found.graph.input[:]
        found.graph.input.extend(info for info in case.model.graph.input if info.name in inputs)
        found.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
        try:
            graph = read_onnx(write(tmp_path / "x.onnx", found))
        except ValueError:
            continue
        computed = forward(graph, {name: as_in_graph(graph, array) for name, array in inputs.items()})
        assert agrees(computed[graph.outputs[0]][0], expected, 1e-4), case.name
        compared |= {(node.op_type, len(inputs) > 1) for node in case.model.graph.node}
    assert len(compared) > 70
    assert {operator for operator, _ in compared} | {case.split(",")[0] for case in CASES} >= set(SUPPORTED) - QUANTISED


@pytest.mark.parametrize("automatic", ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"])
def test_attributes_of_windows_in_combination(tmp_path, automatic):
    pads = {"pads": [1, 0, 1, 1]} if automatic == "NOTSET" else {"auto_pad": automatic}
    inputs = real(1, 2, 9, 10)
    for size, strides, dilations in product([(3, 2), (2, 3)], [(1, 1), (2, 3)], [(1, 1), (2, 3), (3, 1)]):
        attributes = {"strides": strides, "dilations": dilations} | pads
        found = model(chain(("Conv", ["w"], attributes)), inputs.shape, {"w": real(3, 2, *size)})
        graph = read_onnx(write(tmp_path / "x.onnx", found))
        expected = reference(found, {"x": inputs})[0][0]
        np.testing.assert_allclose(values(graph, inputs)[0], expected, rtol=2e-5, atol=2e-5)
        pool = model(chain(("MaxPool", [], attributes | {"kernel_shape": size})), inputs.shape)
        windows = [g[g.outputs[0]].options for g in (graph, read_onnx(write(tmp_path / "x.onnx", pool)))]
        assert {key: windows[0][key] for key in ("strides", "dilations", "pads")}.items() <= windows[1].items()


def test_before_version_13_a_softmax_is_of_all_axes_from_one_on(tmp_path):
    """By the definition: the library's reference has one axis for all versions."""
    found = model(chain(("Softmax", [], {"axis": 2}), ("Mul", ["x"], {})), TEST_SHAPE, opset=11)
    x = real(*TEST_SHAPE)
    shares = np.exp(x) / np.exp(x).sum(axis=(2, 3), keepdims=True)
    (value,) = values(read_onnx(write(tmp_path / "x.onnx", found)), x)
    np.testing.assert_allclose(value, (shares * x)[0], rtol=1e-5)


@pytest.mark.parametrize("operator", ["LogSoftmax", "Softmax"])
def test_shares_at_the_end_are_left_out_and_refused_before_anything_else(tmp_path, operator):
    steps = [("Conv", ["w"], {}), (operator, [], {"axis": 1})]
    graph = read_onnx(write(tmp_path / "x.onnx", model(chain(*steps), TEST_SHAPE, KERNEL)))
    assert [node.operator for node in graph.nodes] == ["input", "convolution"]
    assert graph.notes == ("Softmax 'y' at the end is left out: the output is what goes into it.",)
    with pytest.raises(ValueError, match="shares are passed on as they are"):
        read_onnx(write(tmp_path / "x.onnx", model(chain(*steps, ("Relu", [], {})), TEST_SHAPE, KERNEL)))


def test_local_responses_are_divided_by_those_of_neighbouring_channels(tmp_path):
    """By the definition: the library's reference has it for as many channels as there are samples."""
    found = model([node("LRN", ["x"], ["y"], size=4, alpha=0.9, beta=0.6, bias=1.5)], [1, 7, 4, 5])
    x = real(1, 7, 4, 5)
    sums = np.stack([np.square(x[0, max(c - 1, 0) : c + 3]).sum(axis=0) for c in range(7)])
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    assert graph[graph.inputs[0]].shape == (7, 4, 5)  # the neighbours are channels, not positions
    (value,) = values(graph, x)
    np.testing.assert_allclose(value, x[0] / (1.5 + 0.9 / 4 * sums) ** 0.6, rtol=1e-5)


def test_an_activation_that_is_written_out_is_one_node(tmp_path):
    for name in ("Gelu", "Mish", "Softsign"):
        nodes, shape, arrays = CASES[f"{name}, written out"]
        graph = read_onnx(write(tmp_path / "x.onnx", model(nodes, shape, arrays)))
        assert [node.options.get("function") for node in graph.nodes] == [None, name.lower()]


WAYS = ["asymmetric", "align_corners", "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel"]
RESIZED = [*product(WAYS, [(2, 1.5), (0.5, 3), (0.75, 1)])]
RESIZED.remove(("align_corners", (0.75, 1)))  # where the reference takes 7.5 for the 7 positions that it gives


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize(("way", "scale"), RESIZED)
def test_ways_of_resizing_in_combination(tmp_path, mode, way, scale):
    sizes = np.float32([1, 1, *scale])
    roundings = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil") if mode == "nearest" else ("floor",)
    for rounding in roundings:
        attributes = {"mode": mode, "coordinate_transformation_mode": way, "nearest_mode": rounding}
        found = model(chain(("Resize", ["", "s"], attributes)), [1, 2, 10, 8], {"s": sizes})
        inputs = real(1, 2, 10, 8)
        expected = reference(found, {"x": inputs})[0][0]
        (value,) = values(read_onnx(write(tmp_path / "x.onnx", found)), inputs)
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)


def recurrent(operator, direction, hidden=5, features=3, inputs=(), **attributes):
    """Arrays and a node of a recurrent layer, from states whose names are given."""
    ways, gates = 1 + (direction == "bidirectional"), {"RNN": 1, "GRU": 3, "LSTM": 4}[operator]
    rows = gates * hidden
    arrays = {"w": real(ways, rows, features), "r": real(ways, rows, hidden), "b": real(ways, 2 * rows)}
    outputs = ["y", "h", "c"][: 2 + (operator == "LSTM")]
    made = node(operator, ["x", "w", "r", "b", "", *inputs], outputs, name="layer", direction=direction, **attributes)
    return made, arrays, outputs


@pytest.mark.parametrize(
    ("operator", "attributes"), [("RNN", {}), ("GRU", {}), ("GRU", {"linear_before_reset": 1}), ("LSTM", {})]
)
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_a_recurrent_layer_computes_what_the_library_computes(tmp_path, operator, direction, attributes):
    made, arrays, outputs = recurrent(operator, direction, hidden_size=5, **attributes)
    found = model([made], [7, 1, 3], arrays, outputs=outputs)
    graph, inputs = read_onnx(write(tmp_path / "x.onnx", found)), real(7, 1, 3)
    assert graph[graph.inputs[0]].shape == (3, 7)  # channels first
    assert graph.n_parameters == sum(array.size for array in arrays.values())
    every, *ends = values(graph, inputs)
    expected, *last = reference(found, {"x": inputs})
    np.testing.assert_allclose(every.reshape(-1, 7), expected.reshape(7, -1).T, atol=1e-5)
    assert len(ends) == len(last)
    for end, each in zip(ends, last):
        np.testing.assert_allclose(end, each[:, 0].T, atol=1e-5)


@pytest.mark.parametrize("operator", ["GRU", "LSTM"])
def test_first_states_of_a_recurrent_layer_may_be_inputs(tmp_path, operator):
    names = ["s", "t"][: 1 + (operator == "LSTM")]
    made, arrays, outputs = recurrent(operator, "bidirectional", inputs=names, hidden_size=5)
    inputs = {"x": [7, 1, 3]} | {name: [2, 1, 5] for name in names}
    found = model([made], None, arrays, outputs=outputs[:1], inputs=inputs)
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    given = {name: real(*shape) for name, shape in inputs.items()}
    inner = {name: given[name][:, 0].T for name in names} | {"x": given["x"][:, 0].T}
    value = forward(graph, {name: array[None] for name, array in inner.items()})[graph.outputs[0]]
    expected = reference(found, given)[0]
    np.testing.assert_allclose(value.reshape(-1, 7), expected.reshape(7, -1).T, atol=1e-5)


def test_a_sequence_of_one_feature_keeps_its_steps_on_the_axis_of_positions(tmp_path):
    made, arrays, outputs = recurrent("LSTM", "forward", features=1, hidden_size=5)
    graph = read_onnx(write(tmp_path / "x.onnx", model([made], [7, 1, 1], arrays, outputs=outputs[:1])))
    assert graph[graph.inputs[0]].shape == (1, 7)


def test_cells_are_computed_where_they_are_asked_for_only(tmp_path):
    made, arrays, outputs = recurrent("LSTM", "forward", hidden_size=5)
    for asked, channels in ((outputs[:2], 5), (outputs, 10)):
        graph = read_onnx(write(tmp_path / "x.onnx", model([made], [7, 1, 3], arrays, outputs=asked)))
        assert graph["layer"].shape == (channels, 7)


@pytest.mark.parametrize(
    ("attributes", "states", "message"),
    [
        ({"activations": ["HardSigmoid", "Tanh", "Tanh"]}, (), "expected the functions"),
        ({"clip": 1.0}, (), "not clipped or coupled"),
        ({"input_forget": 1}, (), "not clipped or coupled"),
        ({"layout": 1}, (), "expected layout 0"),
        ({}, ("one", "one"), "first states that are zero"),
        ({}, ("zero", "zero", "peep"), "no peepholes"),
    ],
)
def test_what_a_recurrent_layer_does_otherwise_is_refused(tmp_path, attributes, states, message):
    made, arrays, _ = recurrent("LSTM", "forward", inputs=states, hidden_size=5, **attributes)
    arrays |= {"one": np.ones((1, 1, 5), np.float32), "zero": np.zeros((1, 1, 5), np.float32), "peep": real(1, 15)}
    with pytest.raises(ValueError, match=rf"LSTM \(node 'layer'\): .*{message}"):
        read_onnx(write(tmp_path / "x.onnx", model([made], [7, 1, 3], arrays)))


def test_an_embedding_of_tokens_is_the_input(tmp_path):
    arrays = {"table": real(11, 4), "w": real(6, 4, 3), "n": ints(-2, -1)}
    nodes = [
        node("Cast", ["x"], ["i"], to=7),
        node("Gather", ["table", "i"], ["e"], name="embedding"),
        node("Transpose", ["e"], ["t"], perm=[0, 2, 1]),
        node("Conv", ["t", "w"], ["y"]),
    ]
    found = model(nodes, [1, 9], arrays)
    found.graph.input[0].type.tensor_type.elem_type = 6
    graph, tokens = read_onnx(write(tmp_path / "x.onnx", found)), RNG.integers(0, 11, (1, 9)).astype(np.int32)
    assert graph[graph.inputs[0]].shape == (4, 9)
    value = forward(graph, arrays["table"][tokens].swapaxes(1, 2))[graph.outputs[0]]
    np.testing.assert_allclose(value, reference(found, {"x": tokens})[0], atol=1e-5)
    assert "The embedding 'embedding' is the input" in graph.notes[0]
    assert "44 weights are not counted" in graph.notes[0]
    assert graph.n_parameters == 72


def test_computed_tokens_are_refused(tmp_path):
    nodes = [node("Relu", ["x"], ["i"]), node("Gather", ["table", "i"], ["y"], name="embedding")]
    with pytest.raises(ValueError, match=r"Gather \(node 'embedding'\): expected rows of a matrix, chosen by an input"):
        read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 9], {"table": real(11, 4)})))


@pytest.mark.parametrize(
    ("nodes", "arrays", "message"),
    [
        (chain(("Conv", ["x"], {})), {}, "its kernel depends on an input of the network"),
        (
            chain(("Transpose", [], {"perm": [0, 1, 3, 2]}), ("MatMul", ["x"], {})),
            {},
            "got both or neither, 'x' and 'x'",
        ),
        (
            chain(("Sigmoid", [], {}), ("Softmax", ["x"], {}), ("Mul", ["t0"], {})),
            {},
            "name the one that is to be held",
        ),
        (chain(("ReduceMean", [], {"axes": [2], "keepdims": 0}), ("Sub", ["x"], {})), {}, "cannot be broadcast"),
        (chain(("Pad", ["p"], {"mode": "mirror"})), {"p": ints(0, 0, 1, 0, 0, 0, 0, 0)}, "got 'mirror'"),
        (
            chain(("Reshape", ["r"], {}), ("Col2Im", ["s", "k"], {"strides": [0, 1]})),
            {"r": ints(1, 6, 36), "s": ints(8, 9), "k": ints(1, 2)},
            "expected sizes of at least 1",
        ),
        (
            chain(("Reshape", ["r"], {}), ("Col2Im", ["s", "k"], {})),
            {"r": ints(1, 6, 36), "s": ints(8, 9), "k": ints(1, 2)},
            r"columns of 2 entries a channel at 64 places, got \(6, 36\)",
        ),
        (chain(("Clip", ["l", "h"], {})), {"l": number(0.5), "h": number(0.5)}, "a lower bound below the upper one"),
        (chain(("HardSigmoid", [], {})), {}, r"expected alpha=0\.166667, got 0\.2"),
        (chain(("Selu", [], {"alpha": 2.0})), {}, "expected alpha"),
        (chain(("Pow", ["c"], {})), {"c": real(9)}, "expected one exponent"),
        (chain(("Max", ["c"], {})), {"c": number(1)}, "expected the maximum of one input and zero"),
        (chain(("Div", ["c"], {})), {"c": number(0)}, "a divisor without zeros"),
        (chain(("Cast", [], {"to": 7})), {}, "rounding is not followed"),
        (chain(("Gather", ["c"], {"axis": 2})), {"c": ints(80)}, "expected indices below 8"),
        (chain(("Einsum", [], {"equation": "bcii->bc"})), {}, "without dots or diagonals, got 'bcii->bc'"),
        (chain(("Tile", ["c"], {})), {"c": ints(1, 0, 1, 1)}, "expected repeats of at least 1, got 0"),
        (chain(("BatchNormalization", ["s", "b", "m", "v"], {"training_mode": 1})), STATISTICS, "training mode"),
        (
            chain(
                (
                    "AveragePool",
                    [],
                    {
                        "kernel_shape": [3, 3],
                        "strides": [2, 2],
                        "pads": [1, 1, 1, 1],
                        "ceil_mode": 1,
                        "count_include_pad": 1,
                    },
                )
            ),
            {},
            "pads are counted and sizes rounded up",
        ),
        (chain(("Conv", ["w"], {"auto_pad": "LEFT"})), KERNEL, "expected auto_pad among"),
        (chain(("Conv", ["w"], {"strides": [2**62, 0]})), KERNEL, "expected sizes of at least 1"),
        (chain(("Conv", ["w"], {"pads": [2**61, 0, 0, 0]})), KERNEL, "no such thing can be read"),
        (chain(("Conv", ["w"], {"pads": [-1, 0, 0, 0]})), KERNEL, "got -1"),
        (chain(("Conv", ["w"], {"group": 2})), KERNEL, "in 2 groups"),
        (chain(("MaxPool", [], {"kernel_shape": [90, 3]})), {}, "expected at most the extent"),
        (chain(("Reshape", ["c"], {})), {"c": ints(7, -1)}, "incompatible shapes"),
        (chain(("Reshape", [], {})), {}, "do not fit"),
        (chain(("MatMul", [""], {})), {}, "do not fit"),
        (chain(("Sub", [""], {})), {}, "do not fit"),
        (chain(("Unsqueeze", ["a"], {})), {"a": ints(0, 0)}, "more than once"),
        (
            chain(("BatchNormalization", ["s", "b", "m", "v"], {})),
            STATISTICS | {"v": -STATISTICS["v"]},
            "expected finite numbers",
        ),
        (chain(("Transpose", [], {"perm": [0, 1, 1, 2]})), {}, "is no order of 4 axes"),
        (chain(("Resize", ["", "s"], {"mode": "lanczos"})), SCALES, "mode 'lanczos' is not followed"),
        (chain(("Resize", ["", "s"], {"mode": "cubic", "exclude_outside": 1})), SCALES, "without what is outside"),
        (chain(("Resize", ["", "s"], {"mode": "cubic", "cubic_coeff_a": -0.5})), SCALES, "another coefficient"),
        (chain(("Resize", ["", "s"], {"mode": "linear", "antialias": 1})), SCALES, "against aliasing"),
        (
            chain(("Resize", ["", "s"], {"coordinate_transformation_mode": "tf_crop_and_resize"})),
            SCALES,
            "got 'tf_crop_and_resize'",
        ),
        (chain(("ConvTranspose", ["w"], {"auto_pad": "LEFT"})), {"w": real(3, 2, 2, 2)}, "expected auto_pad among"),
        (chain(("ConvTranspose", ["w"], {"strides": [2]})), {"w": real(3, 2, 2, 2)}, "one entry for each of 2 axes"),
        (chain(("Resize", ["", "s"], {})), {"s": np.float32([1, 1, 0.01, 1])}, "sizes of at least 1, got 0"),
        (chain(("Gemm", ["g"], {})), {"g": real(9, 4)}, "expected a matrix, got shape"),
        (chain(("GroupNormalization", ["g", "g"], {"num_groups": 2})), {"g": real(3)}, "divide 3 channels, got 2"),
        (chain(("SpaceToDepth", [], {"blocksize": 2})), {}, "multiples of 2"),
        (chain(("GatherND", ["i"], {"batch_dims": 1})), {"i": np.zeros((1, 1), int)}, "the same entries"),
        (chain(("GatherND", ["i"], {})), {"i": np.array([[0, 3]])}, r"indices below \(1, 3\)"),
        (chain(("ScatterND", ["i", "b"], {})), {"i": np.array([[0, 0], [0, 0]]), "b": real(2, 5, 4)}, "form a block"),
        (
            chain(("ScatterND", ["i", "b"], {"reduction": "add"})),
            {"i": np.array([[0, 0]]), "b": real(1, 5, 4)},
            "to be added",
        ),
        (chain(("Pad", ["p"], {})), {"p": ints(0, 1, 1, 0)}, "a pair of pads for each of 4 axes"),
        (chain(("Where", ("c", "x", "z"), {})), {"c": np.zeros(1, bool), "z": real(1)}, "all entries are constants"),
    ],
)
def test_what_cannot_be_followed_is_refused_by_operator_and_node(tmp_path, nodes, arrays, message):
    nodes[-1].name = "the node"
    path = write(tmp_path / "x.onnx", model(nodes, TEST_SHAPE, arrays))
    with pytest.raises(ValueError, match=message) as error:
        read_onnx(path)
    assert f"{nodes[-1].op_type} (node 'the node')" in str(error.value) or "'the node'" in str(error.value)
    assert "\n" not in str(error.value)


def test_where_the_maxima_are_is_not_followed(tmp_path):
    nodes = [node("MaxPool", ["x"], ["y", "at"], kernel_shape=[2, 2])]
    with pytest.raises(ValueError, match="where the maxima are is asked for"):
        read_onnx(write(tmp_path / "x.onnx", model(nodes, TEST_SHAPE, outputs=("y", "at"))))
    assert read_onnx(write(tmp_path / "x.onnx", model(nodes, TEST_SHAPE))).outputs
