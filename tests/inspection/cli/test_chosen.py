"""What arguments name is what the package reads: networks, their weights, processes and series."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from command_line import STACK, plain, run
from onnx import TensorProto, helper

from capacity import DilatedConvolution, GaussianProcess
from capacity_inspection.graphs import redrawn_weights
from capacity_inspection.readers import read_onnx, tcn
from capacity_inspection.reports import linear_report, network_report


def test_trained_weights_are_those_of_the_file(folder):
    weights = np.random.default_rng(0).standard_normal((2, 1, 1, 2))
    np.savez(folder / "weights.npz", *weights)
    model, parameters = DilatedConvolution.from_weights(weights, [1, 2])
    report = linear_report(model, process=GaussianProcess(), parameters=parameters)
    arguments = ["tcn", "--dilations", "1", "2", "--weights", "weights.npz", "--process", "power-law"]
    assert run("summary", *arguments).stdout == f"{report}\n"


def test_weights_are_in_the_order_of_the_numbers_in_their_names(folder):
    weights = np.random.default_rng(0).standard_normal((11, 1, 1, 2))
    names = [f"layers.{i}.weight" for i in range(len(weights))]
    np.savez(folder / "weights.npz", **dict(sorted(zip(names, weights))))
    model, parameters = DilatedConvolution.from_weights(weights, [1] * 11)
    report = linear_report(model, process=GaussianProcess(), parameters=parameters)
    arguments = ["tcn", "--dilations", *["1"] * 11, "--weights", "weights.npz", "--process", "power-law"]
    assert run("summary", *arguments).stdout == f"{report}\n"


def test_weights_without_numbers_are_in_the_order_of_the_file_unless_it_is_that_of_the_alphabet(folder):
    first, last = np.random.default_rng(0).standard_normal((2, 1, 1, 2))
    arguments = ["summary", "tcn", "--dilations", "1", "2", "--process", "power-law", "--weights"]
    np.savez(folder / "named.npz", input=first, head=last)
    np.savez(folder / "numbered.npz", first, last)
    assert run(*arguments, "named.npz").stdout == run(*arguments, "numbered.npz").stdout != ""
    np.savez(folder / "sorted.npz", head=last, input=first)
    assert "weights: expected names that number the layers, got head, input" in run(*arguments, "sorted.npz").stderr


def test_weights_of_a_network_are_redrawn_on_request():
    arguments = ["summary", *STACK, "--nonlinear", "--redrawn", "--seed"]
    graph = redrawn_weights(tcn([1, 2, 4], channels=1, activation="relu"), rng=1)
    assert plain(*arguments, "1")["allocation"] == network_report(graph).to_dict()["allocation"]
    assert plain(*arguments, "1")["allocation"] != plain(*arguments, "2")["allocation"]


def test_the_seed_draws_the_weights_of_a_named_network():
    arguments = ["summary", *STACK, "--nonlinear", "--seed"]
    assert plain(*arguments, "1")["allocation"] == plain(*arguments, "1", "--redrawn")["allocation"]
    assert plain(*arguments, "0")["allocation"] != plain(*arguments, "1")["allocation"]


def test_a_file_of_another_library_is_read(folder):
    onnx = pytest.importorskip("onnx")
    light = Path(onnx.__file__).parent / "backend/test/data/light/light_squeezenet.onnx"
    found = plain("summary", str(light), "--output", "n3", "--redrawn", "--at", "0,20,20")
    graph = redrawn_weights(read_onnx(light), rng=0)
    report = network_report(graph, output="n3", at=(0, 20, 20))
    assert found["total"]["parameters"]["value"] == graph.up_to("n3").n_parameters
    assert found["allocation"] == report.to_dict()["allocation"]


def test_a_file_is_read_from_and_up_to_the_arrays_that_are_named(folder):
    names = "abcd"
    nodes = [helper.make_node("Relu", [a], [b], name=f"to {b}") for a, b in pairwise(names)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 2, 5)) for name in names]
    graph = helper.make_graph(nodes, "three", ends[:1], ends[-1:], value_info=ends[1:-1])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), "three.onnx")
    found = plain("summary", "three.onnx", "--inputs", "b", "--outputs", "c")
    assert [row["name"] for row in found["layers"]] == ["b"]
    assert "output to c: " in found["title"]


def test_gains_of_a_file_are_those_that_are_named_and_held_at_samples_of_a_file(folder):
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Tanh", ["x"], ["b"]),
        helper.make_node("Mul", ["a", "b"], ["y"], name="product"),
    ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 2, 5)) for name in "xy"]
    graph = helper.make_graph(nodes, "gates", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), "gates.onnx")
    np.save("samples.npy", np.ones((3, 2, 5)))
    assert run("summary", "gates.onnx").exit_code == 2
    found = plain("summary", "gates.onnx", "--gain", "b", "--data", "samples.npy")
    assert found["layers"][0]["sampled"] == {
        "value": 1,
        "kind": "numerical",
        "note": "gains are held as they are on the data",
    }
    assert "linear" not in found["layers"][0]


def test_a_network_said_to_be_causal_is_judged_at_its_last_position():
    line = ["summary", "cnn", "--size", "9", "--channels", "2"]
    assert plain(*line, "--causal") == plain(*line, "--at", "last") != plain(*line)


def test_what_was_read_of_a_series_is_told(folder):
    (folder / "levels.csv").write_text("year,level\n" + "\n".join(f"{i},{i % 7}.5" for i in range(80)))
    done = run("spatial", *STACK, "--data", "levels.csv", "--column", "level", "--optima", "1", "--resamples", "0")
    assert done.stderr.startswith("levels.csv: 80 values, column level, from 0.5, 1.5 to 2.5")
