"""Whole networks with recurrent layers or upsampling are summarised from their files."""

import numpy as np
import pytest
from onnx_models import as_in_graph, model, node, reference, write
from probed_fields import probed_fields

from capacity_inspection.graphs import forward, sampled_input_capacity
from capacity_inspection.graphs.fields import output_position
from capacity_inspection.readers import read_onnx
from capacity_inspection.reports import summary

STEPS = 256


def weights(*shape, seed=0):
    scale = np.sqrt(np.prod(shape[1:]))
    return (np.random.default_rng([seed, *shape]).standard_normal(shape) / scale).astype(np.float32)


def u_net(up):
    """An image halved and doubled again, with a connection past both; upsampled in one of two ways."""
    arrays = {"a": weights(4, 1, 3, 3), "b": weights(8, 4, 3, 3), "t": weights(8, 4, 2, 2), "c": weights(4, 8, 3, 3)}
    arrays |= {"d": weights(1, 8, 3, 3), "s": np.float32([1, 1, 2, 2])}
    wide = {"pads": [1, 1, 1, 1]}
    ways = {
        "ConvTranspose": [node("ConvTranspose", ["r2", "t"], ["u"], name="up", strides=[2, 2])],
        "Resize": [
            node("Resize", ["r2", "", "s"], ["large"], name="up", mode="linear"),
            node("Conv", ["large", "c"], ["u"], name="below", **wide),
        ],
    }
    return model(
        [
            node("Conv", ["x", "a"], ["c1"], name="first", **wide),
            node("Relu", ["c1"], ["r1"]),
            node("Conv", ["r1", "b"], ["c2"], name="down", strides=[2, 2], **wide),
            node("Relu", ["c2"], ["r2"]),
            *ways[up],
            node("Concat", ["u", "r1"], ["both"], axis=1),
            node("Conv", ["both", "d"], ["y"], name="last", **wide),
        ],
        [1, 1, 16, 16],
        arrays,
    )


def voice_detector():
    """Magnitudes of a short-time Fourier transform, strided convolutions, an LSTM from a state, and a head."""
    n = np.arange(64)
    waves = np.exp(-2j * np.pi * np.outer(np.arange(17), n) / 64) * np.hanning(64)
    gates = 4 * 8
    arrays = {
        "p": np.array([0, 0, 32, 0, 0, 32]),
        "waves": np.concatenate([waves.real, waves.imag])[:, None].astype(np.float32),
        "two": np.float32(2),
        "sizes": np.array([17, 17]),
        "a": weights(8, 17, 3),
        "b": weights(8, 8, 3),
        "w": weights(1, gates, 8),
        "r": weights(1, gates, 8, seed=1),
        "bias": weights(1, 2 * gates),
        "axis": np.array([1]),
        "h": weights(1, 8, 1),
    }
    nodes = [
        node("Pad", ["x", "p"], ["padded"], mode="reflect"),
        node("Conv", ["padded", "waves"], ["f"], name="transform", strides=[16]),
        node("Split", ["f", "sizes"], ["re", "im"], axis=1),
        node("Pow", ["re", "two"], ["re2"]),
        node("Pow", ["im", "two"], ["im2"]),
        node("Add", ["re2", "im2"], ["power"]),
        node("Sqrt", ["power"], ["magnitude"]),
        node("Conv", ["magnitude", "a"], ["c1"], name="first", pads=[1, 1]),
        node("Relu", ["c1"], ["r1"]),
        node("Conv", ["r1", "b"], ["c2"], name="second", pads=[1, 1], strides=[2]),
        node("Relu", ["c2"], ["r2"]),
        node("Transpose", ["r2"], ["sequence"], perm=[2, 0, 1]),
        node("LSTM", ["sequence", "w", "r", "bias", "", "state", "cell"], ["", "hidden", "cells"], name="memory"),
        node("Transpose", ["hidden"], ["end"], perm=[1, 2, 0]),
        node("Relu", ["end"], ["r3"]),
        node("Conv", ["r3", "h"], ["logit"], name="head"),
        node("Sigmoid", ["logit"], ["y"]),
    ]
    inputs = {"x": [1, 1, STEPS], "state": [1, 1, 8], "cell": [1, 1, 8]}
    return model(nodes, None, arrays, inputs=inputs, outputs=("y", "hidden", "cells"))


@pytest.mark.parametrize("up", ["ConvTranspose", "Resize"])
def test_a_u_net_is_summarised(tmp_path, up):
    path, found = tmp_path / "network.onnx", u_net(up)
    graph, x = read_onnx(write(path, found)), weights(1, 1, 16, 16)
    np.testing.assert_allclose(forward(graph, x[0][None])[graph.outputs[0]], reference(found, {"x": x})[0], atol=1e-5)
    report = summary(path)
    for rule in ("linear", "pseudo-random"):
        assert report.allocation[rule].sum() == pytest.approx(1)
        # two ways lead to the last layer, which divide its capacity
        assert report["first", rule].value == pytest.approx(1)
        assert 0 < report["down", rule].value < 1
    assert (
        report["total", "field"].value == probed_fields(graph)[output_position(graph, None, "centre")[1]]["x"].shape[1:]
    )
    kinds = [row.numbers["field"].kind for row in report.rows]
    assert kinds == ["exact"] * 3 + ["assumed"] * 2  # behind the upsampling they are bounds


def test_a_voice_detector_is_summarised(tmp_path):
    path, found = tmp_path / "network.onnx", voice_detector()
    graph = read_onnx(write(path, found))
    given = {"x": weights(1, 1, STEPS), "state": weights(1, 1, 8, seed=2), "cell": weights(1, 1, 8, seed=3)}
    values = forward(graph, {key: array.reshape(1, *graph[key].shape) for key, array in given.items()})
    for name, expected in zip(graph.outputs, reference(found, given)):
        np.testing.assert_allclose(values[name].ravel(), expected.ravel(), atol=1e-5)
    report = summary(path)
    assert report["memory", "sampled"].kind == "assumed"
    assert 0 < report.allocation["sampled"].sum() < 1  # the state before has the rest
    assert report["total", "field"].value == (STEPS,)


def lstm_file(direction):
    rows, ways = 4 * 5, 1 + (direction == "bidirectional")
    arrays = {
        "w": weights(ways, rows, 3),
        "r": weights(ways, rows, 5),
        "last": np.array([-1]),
        "v": weights(1, 5 * ways),
    }
    nodes = [
        node("LSTM", ["x", "w", "r"], ["all", "end"], name="memory", direction=direction),
        node("Transpose", ["end"], ["t"], perm=[1, 0, 2]),
        node("Flatten", ["t"], ["flat"]),
        node("Gemm", ["flat", "v"], ["y"], transB=1),
    ]
    return model(nodes, [40, 1, 3], arrays)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
def test_the_last_state_of_a_recurrent_layer_has_capacity_by_position(tmp_path, direction):
    path, found = tmp_path / "network.onnx", lstm_file(direction)
    graph, x = read_onnx(write(path, found)), np.random.default_rng(0).standard_normal((40, 1, 3)).astype(np.float32)
    value = forward(graph, as_in_graph(graph, x))[graph.outputs[0]]
    np.testing.assert_allclose(value.ravel(), reference(found, {"x": x})[0].ravel(), atol=1e-5)
    report = summary(path, data=as_in_graph(graph, x))
    capacity = sampled_input_capacity(graph, as_in_graph(graph, x))["x"].sum(axis=0)
    np.testing.assert_allclose(report.allocation["sampled"], capacity, atol=1e-12)
    assert report.allocation["sampled"].shape == (40,)
    assert (report["total", "future"].value == 0) == (direction == "forward")
    said = "Below it memory looks 39 steps ahead, which memory does first (memory" in report.says[0]
    assert said == (direction == "bidirectional")
