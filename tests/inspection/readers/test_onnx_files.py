"""Networks of others are read as their own library computes them; bad and hostile files are refused in one line."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import onnx
import pytest
from command_line import run
from onnx import TensorProto, helper, numpy_helper
from onnx_models import model, node, number_of, reference, values, write

from capacity_inspection.graphs import Box, forward, receptive_fields
from capacity_inspection.readers import installed_file, read_onnx
from capacity_inspection.reports import summary

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
PITCH = installed_file("basic-pitch", "icassp_2022/nmp.onnx")
SPECTRUM = "model_1/tf.expand_dims_1/ExpandDims"
PARAMETERS = {  # of the networks as they were published, with the running means and variances folded into the factors
    "resnet50": 25_557_032,
    "vgg19": 143_667_240,
    "densenet121": 7_978_856,
    "squeezenet": 1_235_496,
}


def line(error):
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 900
    return text


@pytest.fixture
def small(tmp_path):
    """The file of a small network of two layers."""
    rng = np.random.default_rng(0)
    arrays = {"w": rng.standard_normal((4, 3, 3)).astype(np.float32), "b": rng.standard_normal(4).astype(np.float32)}
    nodes = [node("Conv", ["x", "w", "b"], ["c"], name="first"), node("Relu", ["c"], ["y"], name="second")]
    return write(tmp_path / "small.onnx", model(nodes, [1, 3, 16], arrays))


@pytest.mark.parametrize("folded", [False, True])
def test_where_zeros_of_a_file_may_be_parameters_it_is_told_what_they_would_let_through(folded, tmp_path):
    kernel = np.float32([[[1, 2, 0]]])
    arrays = {"w": kernel if folded else np.float32([[[1, 2, 3]]]), "m": np.float32([1, 1, 0])}
    first = node("Identity" if folded else "Mul", ["w"] if folded else ["w", "m"], ["k"])
    conv = node("Conv", ["x", "k"], ["c"], name="first", pads=[1, 1])
    graph = read_onnx(write(tmp_path / "n.onnx", model([first, conv, node("Relu", ["c"], ["y"])], [1, 1, 16], arrays)))
    report = summary(graph, at=(0, 8))
    assert report["total", "field"].value == (2,)
    assert report["total", "future"].value == 0
    assert ("field, by structure" in report.totals) == folded == bool(graph.zeros)
    assert ("at these weights" in report.says[0]) == ("looks 1 step ahead" in report.says[0]) == folded
    if folded:
        assert report["total", "field, by structure"].value == (3,)


def test_a_layer_has_the_name_that_its_weights_share(tmp_path):
    names = ("a.conv.weight", "a.conv.bias", "head.weight", "other.bias")
    arrays = dict(zip(names, (np.ones((2, 1, 1)), np.ones(2), np.ones((1, 2, 1)), np.ones(1)), strict=True))
    nodes = [
        node("Conv", ["x", *names[:2]], ["first"], name="node_conv"),
        node("Relu", ["first"], ["on"], name="node_relu"),
        node("Conv", ["on", names[2]], ["second"], name="node_conv_1"),
        node("Relu", ["second"], ["off"], name="node_relu_1"),
        node("Conv", ["off", names[3].replace("other", "mixed"), names[3]], ["y"], name="node_conv_2"),
    ]
    arrays["mixed.bias"] = np.ones((1, 1, 1))
    arrays = {name: array.astype(np.float32) for name, array in arrays.items()}
    path = write(tmp_path / "named.onnx", model(nodes, [1, 1, 8], arrays))
    found = [made.name for made in read_onnx(path).nodes]
    assert found == ["x", "a.conv", "node_relu", "head", "node_relu_1", "node_conv_2"]
    nodes = [node("Add", ["x", "tf.math/y:0"], ["y"], name="sum")]
    other = write(tmp_path / "other.onnx", model(nodes, [1, 1, 8], {"tf.math/y:0": np.ones((1, 1, 8), np.float32)}))
    assert read_onnx(other).outputs == ("sum",)
    for name in ("head", "node_conv_1"):
        assert read_onnx(path, outputs=[name]).outputs == ("head",)


@pytest.mark.parametrize(
    ("sizes", "moves"),
    [
        ([1, 1, 12], []),
        ([1, 12, 1], [node("Transpose", ["x"], ["moved"], perm=[0, 2, 1])]),
        ([1, 12, 3], [node("Transpose", ["x"], ["moved"], perm=[0, 2, 1])]),
        ([12, 1, 3], [node("Transpose", ["x"], ["moved"], perm=[1, 2, 0])]),
        ([1, 12], [node("Reshape", ["x", "series"], ["moved"])]),
    ],
)
def test_the_positions_of_an_input_are_those_along_which_the_first_convolution_slides(sizes, moves, tmp_path):
    channels = 3 if 3 in sizes else 1
    arrays = {"w": np.ones((2, channels, 3), np.float32), "series": np.array([1, 1, 12])}
    nodes = [*moves, node("Conv", ["moved" if moves else "x", "w"], ["y"], dilations=[2])]
    graph = read_onnx(write(tmp_path / "moved.onnx", model(nodes, sizes, arrays)))
    assert [made.operator for made in graph.nodes] == ["input", "convolution"]
    assert graph["x"].shape == (channels, 12)
    assert receptive_fields(graph, at="last")["x"] == Box((0, 7), (channels, 12))


def test_the_pitch_tracker_computes_what_the_library_computes():
    network = onnx.load(PITCH)
    full = next(name for made in network.graph.node for name in made.output if name.startswith(SPECTRUM))
    begin = next(k for k, made in enumerate(network.graph.node) if full in made.output) + 1
    info = helper.make_tensor_value_info(full, TensorProto.FLOAT, [1, 172, 309, 1])
    part = helper.make_graph(
        network.graph.node[begin:], "part", [info], network.graph.output[-1:], network.graph.initializer
    )
    spectrum = np.random.default_rng(0).random((1, 172, 309, 1), dtype=np.float32)
    (contour,) = reference(helper.make_model(part, opset_imports=network.opset_import), {full: spectrum})
    graph = read_onnx(PITCH, inputs=[SPECTRUM], outputs=[network.graph.output[-1].name], input_sizes=(1, 172, 309, 1))
    assert graph[graph.inputs[0]].shape == (1, 172, 309)  # channels first, as its convolutions have them
    assert {made.operator for made in graph.nodes} >= {"pad", "slice", "concatenate", "convolution"}
    assert not any(made.operator in ("transpose", "reshape") for made in graph.nodes)
    (found,) = values(graph, spectrum)
    np.testing.assert_allclose(found, contour, atol=1e-6)


def test_the_pitch_tracker_has_three_outputs_with_all_that_they_are_computed_from():
    graph = read_onnx(PITCH, inputs=[SPECTRUM], input_sizes=(1, 172, 309, 1))
    assert [graph[name].shape for name in graph.outputs] == [(1, 172, 88), (1, 172, 88), (1, 172, 264)]
    kernels = [made.arrays["kernel"].shape for made in graph.layers]
    assert sorted(kernels) == sorted(
        [(32, 8, 5, 5), (8, 8, 3, 39), (1, 8, 5, 5), (32, 1, 7, 7), (1, 32, 7, 3), (1, 33, 3, 3)]
    )


@pytest.mark.parametrize(("name", "expected"), PARAMETERS.items())
def test_architectures_of_the_library_have_the_numbers_of_weights_that_were_published(name, expected):
    graph = read_onnx(LIGHT / f"light_{name}.onnx")
    assert graph[graph.inputs[0]].shape == (3, 224, 224)
    assert graph[graph.outputs[0]].shape[0] == 1000
    assert graph.n_parameters == expected


def shrunk(name, side):
    """A light model on smaller images, with random weights in place of constants."""
    rng = np.random.default_rng(0)
    network = onnx.load(LIGHT / f"light_{name}.onnx")
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in network.graph.initializer}
    made = {}
    for each in [each for each in network.graph.node if each.op_type == "ConstantOfShape"]:
        shape = arrays[each.input[0]]
        scale = np.sqrt(2 / max(np.prod(shape[1:]), 1))
        made[each.output[0]] = (scale * rng.standard_normal(shape)).astype(np.float32)
        network.graph.node.remove(each)
    tensors = [numpy_helper.from_array(array, key) for key, array in {**arrays, **made}.items()]
    (name_of_input,) = (each.name for each in network.graph.input if each.name not in arrays)
    info = helper.make_tensor_value_info(name_of_input, TensorProto.FLOAT, [1, 3, side, side])
    outputs = [helper.make_tensor_value_info(network.graph.output[0].name, TensorProto.FLOAT, None)]
    graph = helper.make_graph(network.graph.node, name, [info], outputs, initializer=tensors)
    return helper.make_model(graph, opset_imports=network.opset_import, ir_version=8)


def test_a_squeezenet_computes_what_the_library_computes_up_to_the_softmax(tmp_path):
    network = shrunk("squeezenet", 48)
    image = np.random.default_rng(1).standard_normal((1, 3, 48, 48)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", network))
    assert "Softmax" in graph.notes[0]
    softmax = network.graph.node.pop()
    network.graph.output[0].name = softmax.input[0]
    (expected,) = reference(network, {network.graph.input[0].name: image})
    (found,) = values(graph, image)
    assert expected.std() > 0.1
    np.testing.assert_allclose(found, expected[0], rtol=1e-5, atol=1e-5)


def test_an_operator_is_the_identity_only_if_asked_and_noted():
    path = LIGHT / "light_bvlc_alexnet.onnx"
    graph = read_onnx(path, as_identity=["LRN"])
    assert "LRN 'n2' is taken as the identity, which is an assumption." in graph.notes
    assert [made.operator for made in read_onnx(path).nodes].count("product") == 2


def test_operators_that_no_graph_has_are_listed_with_their_nodes(tmp_path):
    nodes = [
        node("Elu", ["x"], ["a"]),
        node("Det", ["x"], ["b"], name="branch"),
        node("Own", ["a"], ["c"], name="mine", domain="some.where"),
        *(node(f"Op{k}", ["c"], [f"d{k}"]) for k in range(4)),
        node("Sum", ["b", "d0", "d1", "d2", "d3"], ["y"]),
    ]
    with pytest.raises(
        ValueError, match=r"got Det \(node 'branch'\), some.where.Own \(node 'mine'\), .* and 2 more"
    ) as error:
        read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 3, 8])))
    line(error)


def test_a_part_between_two_arrays_is_read_without_what_lies_outside(small):
    network = onnx.load(small)
    network.graph.node.insert(0, node("NonZero", ["x"], ["before"]))
    network.graph.node.append(node("TopK", ["y"], ["after"], name="after"))
    network.graph.output[0].name = "after"
    write(small, network)
    graph = read_onnx(small, outputs=["second"])
    assert [made.name for made in graph.nodes] == ["x", "first", "second"]
    part = read_onnx(small, inputs=["c"], outputs=["y"], input_sizes={"c": (1, 4, 14)})
    assert [made.name for made in part.nodes] == ["c", "second"]
    with pytest.raises(ValueError, match="outputs: expected names of arrays or nodes in the file, got 'third'"):
        read_onnx(small, outputs=["third"])
    with pytest.raises(ValueError, match=r"inputs: expected all that .* are computed from, got no 'x'"):
        read_onnx(small, inputs=["after"], outputs=["y"])
    with pytest.raises(TypeError, match="outputs: expected a sequence of names, got the string 'y'"):
        read_onnx(small, outputs="y")


def test_sizes_that_a_file_leaves_open_are_asked_for(tmp_path):
    path = write(tmp_path / "x.onnx", model([node("Relu", ["x"], ["y"])], ["batch", 3, "time"]))
    with pytest.raises(ValueError, match=r"\(\?, 3, \?\); pass it, batch first, as in --input-size 1 3 128$"):
        read_onnx(path)
    assert read_onnx(path, input_sizes=(1, 3, 20))["x"].shape == (3, 20)
    assert read_onnx(path, input_sizes={"x": [1, 3, 20]})["x"].shape == (3, 20)
    with pytest.raises(ValueError, match=r"expected \(\?, 3, \?\), as the file says of 'x', got \(1, 4, 20\)"):
        read_onnx(path, input_sizes=(1, 4, 20))
    with pytest.raises(ValueError, match="input_sizes: expected names among"):
        read_onnx(path, input_sizes={"z": (1, 3, 20)})
    both = write(tmp_path / "y.onnx", model([node("Add", ["x", "z"], ["y"])], None, inputs={"x": [1, 3], "z": [1, 3]}))
    with pytest.raises(ValueError, match=r"expected sizes of the inputs .* by name, got one shape"):
        read_onnx(both, input_sizes=(1, 3))
    assert read_onnx(both).inputs == ("x", "z")


def test_shapes_and_weights_that_are_computed_from_constants_are_computed(tmp_path):
    rng = np.random.default_rng(0)
    kernel = rng.standard_normal((12, 5)).astype(np.float32)
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Unsqueeze", ["n", "at"], ["n1"]),
        node("Concat", ["n1", "rest"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["f"]),
        node("Sqrt", ["w2"], ["norm"]),
        node("Div", ["w", "norm"], ["unit"]),
        node("MatMul", ["f", "unit"], ["y"]),
    ]
    constants = {"zero": np.array(0), "at": np.array([0]), "rest": np.array([-1]), "w": kernel, "w2": np.float32(4)}
    path = write(tmp_path / "x.onnx", model(nodes, ["n", 3, 4], constants))
    graph = read_onnx(path)
    assert [made.operator for made in graph.nodes] == ["input", "dense"]
    np.testing.assert_allclose(graph[graph.outputs[0]].arrays["kernel"], kernel.T / 2)


def test_learned_queries_that_attend_to_each_other_first_are_computed_like_the_network(tmp_path):
    rng = np.random.default_rng(0)
    arrays = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in [("q", (1, 3, 4)), ("w", (4, 4))]}
    nodes = [
        node("LayerNormalization", ["q", "s"], ["n"]),
        node("MatMul", ["n", "w"], ["k"]),
        node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        node("MatMul", ["n", "kt"], ["scores"]),
        node("Softmax", ["scores"], ["shares"], axis=-1),
        node("MatMul", ["shares", "n"], ["mixed"]),
        node("Gelu", ["mixed"], ["queries"]),
        node("Transpose", ["x"], ["xt"], perm=[0, 2, 1]),
        node("MatMul", ["queries", "xt"], ["found"]),
        node("Softmax", ["found"], ["weights"], axis=-1),
        node("MatMul", ["weights", "x"], ["y"]),
    ]
    found = model(nodes, [1, 5, 4], arrays | {"s": np.ones(4, np.float32)}, opset=20)
    x = rng.standard_normal((1, 5, 4)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    np.testing.assert_allclose(values(graph, x)[0], reference(found, {"x": x})[0][0], rtol=1e-5, atol=1e-6)
    assert graph.n_parameters == 3 * 4 + 4 * 4 + 4


def test_weights_are_of_the_type_of_the_file_or_of_the_one_that_is_asked_for(small, tmp_path):
    assert read_onnx(small)["first"].arrays["kernel"].dtype == np.float32
    assert read_onnx(small, dtype=np.float64)["first"].arrays["bias"].dtype == np.float64
    half = model([node("Conv", ["x", "w"], ["y"])], [1, 3, 16], {"w": np.ones((4, 3, 3), np.float16)})
    assert read_onnx(write(tmp_path / "half.onnx", half)).nodes[-1].arrays["kernel"].dtype == np.float32
    with pytest.raises(ValueError, match="dtype: expected float32 or float64, got int64"):
        read_onnx(small, dtype=int)


def test_weights_in_a_file_beside_it_are_read_and_those_elsewhere_are_not(small):
    network = onnx.load(small)
    expected = read_onnx(small)["first"].arrays["kernel"]
    folder = small.parent / "deep"
    folder.mkdir()
    onnx.save(network, folder / "big.onnx", save_as_external_data=True, location="big.data", size_threshold=0)
    assert (folder / "big.data").is_file()
    np.testing.assert_array_equal(read_onnx(folder / "big.onnx")["first"].arrays["kernel"], expected)
    (folder / "big.data").rename(small.parent / "big.data")
    with pytest.raises(FileNotFoundError, match="which does not exist"):
        read_onnx(folder / "big.onnx")
    moved = onnx.load(folder / "big.onnx", load_external_data=False)
    for tensor in moved.graph.initializer:
        tensor.external_data[0].value = "../big.data"
    with pytest.raises(
        ValueError, match=r"expected data in the folder of the file, got the array 'w' in '\.\./big\.data'"
    ):
        read_onnx(write(folder / "big.onnx", moved))


def test_one_array_outside_that_many_constants_name_is_counted_each_time(tmp_path):
    np.zeros(1000, np.float32).tofile(tmp_path / "data")
    nodes = []
    for k in range(50):
        tensor = TensorProto(name=f"w{k}", data_type=1, dims=[1000], data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="data")
        nodes.append(node("Constant", [], [f"w{k}"], value=tensor))
    nodes.append(node("Sum", ["x", *(f"w{k}" for k in range(50))], ["y"]))
    path = write(tmp_path / "x.onnx", model(nodes, [1, 1000]))
    read_onnx(path, memory=10**6)
    with pytest.raises(ValueError, match="expected at most"):
        read_onnx(path, memory=10**5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b"not a network at all", "expected an ONNX file"),
        (b"\x80\4\x95" + b"pickle" * 20, "expected an ONNX file"),
        (b"\x08\x08", "which has no nodes"),
        (b"\x3a\x02\x0a\x00", "which has no nodes, or no versions"),
    ],
)
def test_what_is_no_network_is_refused(tmp_path, content, message):
    (tmp_path / "x.onnx").write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        read_onnx(tmp_path / "x.onnx")
    line(error)


def test_a_file_that_is_cut_short_anywhere_is_refused(small):
    content = small.read_bytes()
    part = small.parent / "part.onnx"
    for length in range(len(content)):
        part.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"^path: ") as error:
            read_onnx(part)
        line(error)


def test_a_file_of_which_a_byte_changed_is_read_or_refused_and_nothing_else(small):
    content = small.read_bytes()
    part = small.parent / "part.onnx"
    refused = 0
    for place in range(len(content)):
        for flip in (0xFF, 0x01):
            part.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
            try:
                read_onnx(part, memory=2**24)
            except ValueError as error:
                refused += 1
                assert str(error).startswith(("path: ", "inputs: ", "outputs: ", "input_sizes: ")), place  # noqa: PT017
                assert "\n" not in str(error)  # noqa: PT017
    assert refused > len(content) / 4


def test_a_cycle_is_refused(tmp_path):
    nodes = [node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"]), node("Relu", ["b"], ["y"])]
    with pytest.raises(ValueError, match="got 'b', a part of a cycle, or too late"):
        read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 3, 8])))
    with pytest.raises(ValueError, match="got 'none', which nothing computes"):
        read_onnx(write(tmp_path / "x.onnx", model([node("Add", ["x", "none"], ["y"])], [1, 3, 8])))
    with pytest.raises(ValueError, match="expected one source of each array, got several of 'y'"):
        read_onnx(write(tmp_path / "x.onnx", model([node("Relu", ["x"], ["y"])] * 2, [1, 3, 8])))


def test_a_softmax_that_something_follows_is_refused(small):
    network = onnx.load(small)
    network.graph.node.extend([node("Softmax", ["y"], ["s"]), node("Identity", ["s"], ["i"])])
    network.graph.output[0].name = "i"
    assert read_onnx(write(small, network)).outputs == ("second",)
    network.graph.node.append(node("Neg", ["i"], ["z"]))
    network.graph.output[0].name = "z"
    with pytest.raises(ValueError, match="got 's', whose shares are passed on as they are; read up to") as error:
        read_onnx(write(small, network))
    line(error)


@pytest.mark.parametrize(
    ("version", "remedy"), [(6, "convert it"), (0, "no versions"), (10**6, "update the package onnx")]
)
def test_a_version_of_the_operators_that_is_not_known_is_refused(small, version, remedy):
    network = onnx.load(small)
    network.opset_import[0].version = version
    with pytest.raises(ValueError, match=remedy):
        read_onnx(write(small, network))


def test_what_depends_on_no_input_is_refused(tmp_path):
    nodes = [node("Relu", ["x"], ["y"]), node("Neg", ["c"], ["z"])]
    path = write(tmp_path / "x.onnx", model(nodes, [1, 3], {"c": np.ones(3, np.float32)}, outputs=("z",)))
    with pytest.raises(ValueError, match=r"outputs: expected what depends on an input, got .*'z'"):
        read_onnx(path)


def test_declared_sizes_are_compared_with_the_memory_before_anything_is_made(small, tmp_path):
    network = onnx.load(small)
    network.graph.initializer[0].dims[0] = 2**40
    with pytest.raises(ValueError, match=r"the array 'w' of .* TiB"):
        read_onnx(write(tmp_path / "x.onnx", network))
    wide = model([node("Relu", ["x"], ["y"])], [1, 2**31, 2**31])
    with pytest.raises(ValueError, match=r"the value of node 'x' of 2\^65 bytes"):
        read_onnx(write(tmp_path / "x.onnx", wide))
    bomb = model(
        [node("ConstantOfShape", ["s"], ["c"]), node("Add", ["x", "c"], ["y"])], [1, 3], {"s": np.array([2**60])}
    )
    with pytest.raises(ValueError, match="expected at most 1 GiB, got an array that is computed"):
        read_onnx(write(tmp_path / "x.onnx", bomb))
    with pytest.raises(ValueError, match=r"expected at most 100 bytes, got the file"):
        read_onnx(small, memory=100)


def test_hostile_files_are_refused_within_the_memory_that_is_allowed(tmp_path):
    """In a process of its own, whose memory is measured: a file of empty nodes, and constants made of constants."""
    many = b"\x0a\x00" * 3_000_000
    (tmp_path / "nodes.onnx").write_bytes(b"\x08\x08\x3a" + number_of(len(many)) + many)
    steps = [node("ConstantOfShape", ["s"], ["c0"])]
    steps += [node("Add", [f"c{k}", f"c{k}"], [f"c{k + 1}"]) for k in range(60)]
    write(tmp_path / "chain.onnx", model([*steps, node("Add", ["x", "c60"], ["y"])], [1, 3], {"s": np.array([2**21])}))
    code = """
        import resource, sys
        import onnx
        from capacity_inspection.readers import read_onnx
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for path in sys.argv[1:]:
            try:
                read_onnx(path, memory=2**25)
                print("read")
            except ValueError as error:
                print("at most 32 MiB" in str(error))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    command = [sys.executable, "-c", dedent(code), tmp_path / "nodes.onnx", tmp_path / "chain.onnx"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *refused, grown = done.stdout.split()
    assert refused == ["True", "True"]
    assert int(grown) < 120_000  # kilobytes: what else is loaded, and the memory that is allowed


def test_names_with_control_characters_do_not_reach_the_message_as_they_are(tmp_path):
    nodes = [node("Strange\x1b[2J\nOp", ["x"], ["y"], name="a\nb")]
    with pytest.raises(ValueError, match="Strange") as error:
        read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 3])))
    assert line(error).isprintable()


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="which does not exist"):
        read_onnx(tmp_path / "none.onnx")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(ValueError, match="path: expected a file"):
            read_onnx(path)


def test_without_the_package_its_name_is_said(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install capacity-allocation\[onnx\]"):
        read_onnx(small)


def test_a_file_that_contradicts_itself_is_refused(small, tmp_path):
    network = onnx.load(small)
    network.graph.initializer.append(network.graph.initializer[0])
    with pytest.raises(ValueError, match="arrays of different names, got 'w' twice"):
        read_onnx(write(tmp_path / "twice.onnx", network))
    network = onnx.load(small)
    network.graph.node[0].attribute.append(helper.make_attribute("kernel_shape", [5]))
    with pytest.raises(ValueError, match=r"kernel_shape of its weights, \(3,\), got"):
        read_onnx(write(tmp_path / "other.onnx", network))


def test_a_batch_of_several_is_refused_with_what_to_pass(tmp_path):
    network = model([node("Conv", ["x", "w"], ["y"])], [8, 3, 16], {"w": np.ones((4, 3, 3), np.float32)})
    with pytest.raises(ValueError, match="expected a batch of one"):
        read_onnx(write(tmp_path / "x.onnx", network))
    found = read_onnx(tmp_path / "x.onnx", input_sizes=(1, 3, 16))
    assert forward(found, np.ones((1, 3, 16)))["y"].shape == (1, 4, 14)


def test_single_numbers_without_an_axis_are_no_parameters(tmp_path):
    arrays = {"w": np.ones((2, 1, 3)), "scale": np.array(255.0), "mean": np.array(0.5), "slope": np.array([0.25])}
    arrays["layer.gate"] = np.array(2.0)  # of a layer, by its name
    nodes = [
        node("Div", ["x", "scale"], ["a"]),
        node("Sub", ["a", "mean"], ["b"]),
        node("Conv", ["b", "w"], ["c"]),
        node("PRelu", ["c", "slope"], ["d"]),
        node("Mul", ["d", "layer.gate"], ["y"]),
    ]
    path = write(tmp_path / "scaled.onnx", model(nodes, [1, 1, 16], arrays))
    assert read_onnx(path).n_parameters == 6 + 1 + 1


def branching(condition):
    """A network in which an exporter left open whether an axis is dropped or an activation follows."""
    inner = [
        helper.make_graph(
            [node("Constant", [], ["c"], value_float=factor), node("Mul", ["t", "c"], [f"out {factor:g}"])],
            name,
            [],
            [helper.make_tensor_value_info(f"out {factor:g}", 1, None)],
        )
        for name, factor in (("one", 2.0), ("other", 3.0))
    ]
    nodes = [
        node("Relu", ["x"], ["t"]),
        *condition,
        node("If", ["yes"], ["b"], name="branch", then_branch=inner[0], else_branch=inner[1]),
        node("Tanh", ["b"], ["y"]),
    ]
    return model(nodes, [1, 3, 8], {"three": np.array([1, 3, 8]), "k": np.array(0)})


@pytest.mark.parametrize(("wanted", "factor"), [("three", 2.0), ("k", 3.0)])
def test_the_branch_of_a_constant_condition_is_followed(tmp_path, wanted, factor):
    condition = [
        node("Shape", ["x"], ["s"]),
        node("Equal", ["s", wanted], ["e"]),
        node("Cast", ["e"], ["f"], to=TensorProto.INT64),
        node("ReduceMin", ["f"], ["low"], keepdims=0),
        node("Cast", ["low"], ["yes"], to=TensorProto.BOOL),
    ]
    graph = read_onnx(write(tmp_path / "x.onnx", branching(condition)))
    x = np.random.default_rng(0).standard_normal((1, 3, 8))
    np.testing.assert_allclose(forward(graph, x)[graph.outputs[0]], np.tanh(factor * x.clip(0)), rtol=1e-6)


def test_a_condition_that_depends_on_the_input_is_refused(tmp_path):
    condition = [node("ReduceMax", ["t"], ["high"], keepdims=0), node("Cast", ["high"], ["yes"], to=TensorProto.FLOAT)]
    with pytest.raises(ValueError, match=r"If \(node 'branch'\): its condition depends on an input") as error:
        read_onnx(write(tmp_path / "x.onnx", branching(condition)))
    line(error)


def test_what_is_added_to_a_product_of_matrices_is_its_bias_and_tokens_have_their_features_last(tmp_path):
    arrays = {"w": np.ones((4, 2), np.float32), "b": np.arange(2, dtype=np.float32), "v": np.ones((2, 1), np.float32)}
    nodes = [
        node("MatMul", ["x", "w"], ["p"], name="first"),
        node("Add", ["b", "p"], ["q"], name="added"),
        node("Relu", ["q"], ["r"]),
        node("MatMul", ["r", "v"], ["y"], name="last"),
    ]
    graph = read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 7, 4], arrays)))
    assert [(made.name, made.shape, made.n_parameters) for made in graph.layers] == [
        ("first", (2, 7), 10),
        ("last", (1, 7), 2),
    ]
    assert graph["first"].arrays["bias"].tolist() == [0, 1]
    assert receptive_fields(graph, at=(0, 3))["x"] == Box((0, 3), (4, 4))


def test_factors_of_an_instance_normalization_that_others_follow_in_another_shape_are_not_parameters(tmp_path):
    arrays = {"one": np.ones(2, np.float32), "zero": np.zeros(2, np.float32), "g": np.ones((4, 1), np.float32)}
    nodes = [
        node("Reshape", ["x", "parts"], ["p"]),
        node("InstanceNormalization", ["p", "one", "zero"], ["n"]),
        node("Reshape", ["n", "whole"], ["w"]),
        node("Mul", ["w", "g"], ["y"]),
    ]
    arrays |= {"parts": np.array([1, 2, -1]), "whole": np.array([1, 4, 5])}
    assert read_onnx(write(tmp_path / "x.onnx", model(nodes, [1, 4, 5], arrays))).n_parameters == 4


def last_channels():
    """Steps of three features, each passed through dense layers by itself."""
    nodes = [node("MatMul", ["x", "a"], ["h"]), node("Relu", ["h"], ["r"]), node("MatMul", ["r", "b"], ["y"])]
    arrays = {"a": np.eye(3, 4, dtype=np.float32) + 1, "b": np.eye(4, 2, dtype=np.float32) + 1}
    return model(nodes, [1, 24, 3], arrays)


@pytest.mark.parametrize(
    ("made", "time_axis", "shape", "axes"),
    [
        (last_channels, None, (3, 24), ("batch", "time", "channels")),
        (last_channels, 1, (3, 24), ("batch", "time", "channels")),
        (last_channels, -2, (3, 24), ("batch", "time", "channels")),
        (last_channels, 2, (24, 3), ("batch", "channels", "time")),
    ],
)
def test_what_axes_are_taken_for_is_told_and_can_be_given(tmp_path, made, time_axis, shape, axes):
    graph = read_onnx(write(tmp_path / "network.onnx", made()), time_axis=time_axis)
    assert graph[graph.inputs[0]].shape == shape
    assert graph.axes == {"x": axes}
    title = summary(graph).title
    assert re.search(rf"{shape[0]} channels of {shape[1]} (steps|positions), as \({', '.join(axes)}\)", title)


WEIGHTS = {key: np.random.default_rng(0).standard_normal(n).astype(np.float32) for key, n in [("t", 24), ("c", 3)]}
WEIGHTS = {key: np.outer(each, each) + np.eye(each.size, dtype=np.float32) for key, each in WEIGHTS.items()}
TURNED = [
    node("Transpose", ["x"], ["q"], perm=[0, 2, 1]),
    node("MatMul", ["q", "t"], ["h"]),
    node("Relu", ["h"], ["r"]),
]


def mixed():
    """Steps of three features, passed through a dense layer along time and one along the features, as in TSMixer."""
    nodes = [*TURNED, node("Transpose", ["r"], ["b"], perm=[0, 2, 1]), node("MatMul", ["b", "c"], ["y"])]
    return model(nodes, [1, 24, 3], WEIGHTS)


def along_time():
    return model([node("MatMul", ["x", "t"], ["y"])], [1, 3, 24], {"t": WEIGHTS["t"]})


def flat():
    return model([node("MatMul", ["x", "t"], ["h"]), node("Relu", ["h"], ["y"])], [1, 24], {"t": WEIGHTS["t"]})


@pytest.mark.parametrize(
    ("made", "taken", "other"),
    [
        (last_channels, ("(batch, time, channels)", (3, 24)), (2, "(batch, channels, time)", (24, 3))),
        (mixed, ("(batch, channels, time)", (24, 3)), (1, "(batch, time, channels)", (3, 24))),
        (along_time, ("(batch, time, channels)", (24, 3)), (2, "(batch, channels, time)", (3, 24))),
        (flat, ("(batch, channels)", (24,)), (1, "(batch, time)", (1, 24))),
    ],
)
def test_where_no_layer_decides_which_axis_is_time_the_first_lines_tell_the_other_choice(tmp_path, made, taken, other):
    path = write(tmp_path / "network.onnx", made())
    (axes, shape), (axis, *turned) = taken, other

    def told(axes, shape):
        channels, *steps = shape
        return f"{axes}, {channels} channel{'s' * (channels > 1)}" + "".join(f" of {n} steps" for n in steps)

    graph = read_onnx(path)
    (note,) = graph.notes
    assert note.endswith(
        f" It is read as {told(axes, shape)}; with time_axis={axis} (--time-axis {axis}) as {told(*turned)}."
    )
    assert summary(graph).says[1] == note
    assert "left out" not in summary(graph).totals
    assert note in " ".join(run("summary", str(path)).stdout.split())
    given = read_onnx(path, time_axis=axis)
    assert (given[given.inputs[0]].shape, given.notes) == (turned[1], ())
    assert "No layer slides" not in run("summary", str(path), "--time-axis", str(axis)).stdout


@pytest.mark.parametrize(
    "first",
    [
        [node("Conv", ["x", "k"], ["h"])],
        [node("AveragePool", ["x"], ["h"], kernel_shape=[2])],
        [node("CumSum", ["x", "last"], ["h"])],
        [node("Transpose", ["x"], ["q"], perm=[2, 0, 1]), node("LSTM", ["q", "w", "r"], ["", "h"], hidden_size=1)],
        [
            node("Transpose", ["x"], ["q"], perm=[0, 2, 1]),
            node("MatMul", ["q", "x"], ["s"]),
            node("Add", ["s", "mask"], ["m"]),
            node("Softmax", ["m"], ["p"], axis=-1),
            node("MatMul", ["p", "q"], ["h"]),
        ],
    ],
    ids=lambda first: first[-1].op_type,
)
def test_where_a_layer_slides_or_recurs_or_a_mask_orders_what_attends_nothing_more_is_told_of_axes(tmp_path, first):
    arrays = {"k": np.ones((3, 3, 2)), "w": np.ones((1, 4, 3)), "r": np.ones((1, 4, 1)), "last": np.array(-1)}
    arrays["mask"] = np.triu(np.full((24, 24), -1e9), 1)
    arrays = {key: each.astype(np.float32) if each.ndim else each for key, each in arrays.items()}
    arrays = {key: each for key, each in arrays.items() if any(key in step.input for step in first)}
    graph = read_onnx(write(tmp_path / "network.onnx", model([*first, node("Tanh", ["h"], ["y"])], [1, 3, 24], arrays)))
    assert not [note for note in graph.notes if "time_axis" in note]


@pytest.mark.parametrize("time_axis", [0, 3])
def test_an_axis_that_cannot_be_time_is_refused(tmp_path, time_axis):
    path = write(tmp_path / "network.onnx", last_channels())
    with pytest.raises(ValueError, match=rf"time_axis: expected .* beside the batch, got {time_axis} "):
        read_onnx(path, time_axis=time_axis)
    done = run("summary", str(path), "--time-axis", str(time_axis))
    assert (done.exit_code, "beside the batch" in done.stderr) == (2, True)


@pytest.mark.parametrize("channels", [1, 4], ids=["one scale", "a scale for each channel"])
def test_quantised_networks_are_read_as_the_numbers_that_they_stand_for(tmp_path, channels):
    rng = np.random.default_rng(0)
    arrays = {
        "w": rng.integers(-127, 127, (4, 1, 3)).astype(np.int8),
        "s": rng.uniform(0.01, 0.02, channels).astype(np.float32).reshape(() if channels == 1 else -1),
        "z": np.zeros(() if channels == 1 else channels, np.int8),
        "t": np.float32(1e-4),
        "o": np.array(128, np.uint16),
    }
    nodes = [
        node("DequantizeLinear", ["w", "s", "z"], ["k"], axis=0),
        node("QuantizeLinear", ["x", "t", "o"], ["q"]),
        node("DequantizeLinear", ["q", "t", "o"], ["f"]),
        node("Conv", ["f", "k"], ["h"], pads=[2, 0]),
        node("Relu", ["h"], ["y"]),
    ]
    found = model(nodes, [1, 1, 12], arrays, opset=21)
    x = rng.uniform(0, 1, (1, 1, 12)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "network.onnx", found))
    assert graph.n_parameters == 12
    assert any("Quantised" in note and "assumption" in note for note in graph.notes)
    np.testing.assert_allclose(values(graph, x), reference(found, {"x": x})[0], atol=1e-2)
    assert summary(graph).says[0].startswith("It sees the last 3 steps, and is causal")


def test_a_loop_is_named_as_what_it_is_with_a_way_on(tmp_path):
    state, more = (helper.make_tensor_value_info(name, *kind) for name, kind in (("a", (1, [1, 4])), ("c", (9, []))))
    count = helper.make_tensor_value_info("i", 7, [])
    ended = helper.make_tensor_value_info("d", 9, [])
    new = helper.make_tensor_value_info("b", 1, [1, 4])
    steps = [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Relu", ["a"], ["b"])]
    body = helper.make_graph(steps, "body", [count, more, state], [ended, new])
    arrays = {"n": np.array(3), "go": np.array(True)}
    found = model([node("Loop", ["n", "go", "x"], ["y"], body=body, name="repeat")], [1, 4], arrays)
    with pytest.raises(ValueError, match=r"path: Loop \(node 'repeat'\) repeats a part .*\(--outputs NAME\)"):
        read_onnx(write(tmp_path / "network.onnx", found))


def test_copies_are_bounded_before_they_are_made(tmp_path):
    nodes = [node("Tile", ["x", "r"], ["y"])]
    found = model(nodes, [1, 1, 1], {"r": np.array([1, 10**6, 10**6])})
    with pytest.raises(ValueError, match="expected at most 1 GiB, got the value of"):
        read_onnx(write(tmp_path / "network.onnx", found))
