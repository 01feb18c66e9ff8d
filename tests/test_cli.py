"""The command: what it prints is what the package computes, and what it refuses it refuses in one line."""

import errno
import json
import re
import shlex
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from threading import Event

import click
import numpy as np
import onnx
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from onnx import TensorProto, helper

from capacity import DilatedConvolution, GaussianProcess, exact_capacity, standard_process
from capacity.cli import _ARCHITECTURES, Bytes, _told, gathered, main
from capacity.design import Want, search
from capacity.inspection.graphs import redrawn_weights
from capacity.inspection.readers import read_onnx, read_series, tcn
from capacity.inspection.readers.architectures import ARCHITECTURES
from capacity.inspection.reports import design_text, linear_report, network_report, redrawn_report
from capacity.tasks import look_back
from capacity.tasks.autocovariances import PROCESSES
from edition.book import ROOT

RUN = [sys.executable, "-c", "from capacity.cli import main; main(prog_name='capacity')"]
STACK = ["tcn", "--dilations", "1", "2", "4", "--channels", "1"]
TOML = """
architecture = "tcn"
dilations = [1, 2, 4]
channels = 1
[process]
name = "power law"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "network.toml").write_text(TOML)
    series = standard_process("exponential mixture").sample(600, rng=0)
    (tmp_path / "series.csv").write_text("time,level\n" + "\n".join(f"{i},{x:.6f}" for i, x in enumerate(series)))
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False, prog_name="capacity")


def plain(*arguments):
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def in_the_readme():
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Your own network")[1].split("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("capacity ")]


def examples():
    for name, command in main.commands.items():
        for line in (command.epilog or "").strip().splitlines():
            yield pytest.param(line.strip(), id=f"{name}-{line.split()[2]}")


@pytest.mark.parametrize("example", list(examples()))
def test_examples_of_the_help_do_what_they_show(folder, example):
    program, *arguments = shlex.split(example)
    assert program == "capacity"
    before = set(folder.iterdir())
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    written = {path.name for path in set(folder.iterdir()) - before}
    assert written == ({arguments[arguments.index("--figure") + 1]} if "--figure" in arguments else set())
    assert example in run(arguments[0], "--help").output.replace(" \\\n      ", " ")


@pytest.mark.parametrize("line", in_the_readme())
def test_the_commands_of_the_readme_run(folder, line):
    done = run(*shlex.split(line)[1:])
    assert done.exit_code == 0, done.output


def test_every_command_has_examples_and_every_option_a_word():
    for command in main.commands.values():
        assert command.epilog
        assert command.help
        assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_a_summary_is_that_of_the_package(folder):
    report = linear_report(DilatedConvolution([1, 2, 4]), process=GaussianProcess())
    assert run("summary", *STACK, "--process", "power-law").stdout == f"{report}\n"
    assert run("summary", "network.toml").stdout == f"{report}\n"
    assert plain("summary", *STACK, "--process", "power-law") == json.loads(json.dumps(report.to_dict()))


def test_a_network_with_activations_has_its_report():
    report = network_report(tcn([1, 2, 4], channels=1, activation="relu"))
    assert run("summary", *STACK, "--nonlinear").stdout == f"{report}\n"
    assert plain("summary", *STACK, "--activation", "relu", "--at", "last")["total"] == report.to_dict()["total"]


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
    assert "output: to c" in found["title"]


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


def test_where_a_mistake_was_found_is_shown_on_request():
    with pytest.raises(ValueError, match="expected dilations"):
        run("--debug", "summary", "tcn")


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        ("summary", "s", ["ssm"]),
        ("summary tcn --activation", "leaky", ["leaky-relu"]),
        ("spatial tcn --process", "f", ["fractional-noise"]),
        ("", "--de", ["--debug"]),
    ],
)
def test_the_shell_completes_names(line, word, found):
    completion = ShellComplete(main, {}, "capacity", "_CAPACITY_COMPLETE")
    assert [item.value for item in completion.get_completions(line.split(), word)] == found


def test_a_number_of_bytes_has_units_of_ten_or_two():
    assert [Bytes().convert(text, None, None) for text in ("12", "1k", "2KB", "1.5 MiB", "1G")] == [
        12, 1000, 2000, 1.5 * 2**20, 10**9
    ]  # fmt: skip


def test_what_was_read_of_a_series_is_told(folder):
    (folder / "levels.csv").write_text("year,level\n" + "\n".join(f"{i},{i % 7}.5" for i in range(80)))
    done = run("spatial", *STACK, "--data", "levels.csv", "--column", "level", "--optima", "1", "--resamples", "0")
    assert done.stderr.startswith("levels.csv: 80 values, column level, from 0.5, 1.5 to 2.5")


def test_the_processes_that_are_listed_are_what_the_option_takes():
    lines = run("summary", "--process", "list").stdout.split()
    assert [line.partition(":")[0] for line in lines] == [name.replace(" ", "-") for name in PROCESSES]
    for line in lines:
        assert run("spatial", "tcn", "--dilations", "1", "--process", line, "--optima", "1").exit_code == 0


def test_processes_take_numbers():
    found = plain("spatial", *STACK, "--process", "fractional-noise:hurst=0.6", "--optima", "1")
    report = linear_report(DilatedConvolution([1, 2, 4]), process=standard_process("fractional noise"), optima=1)
    assert found["total"]["residual variance"]["value"] > report["total", "residual variance"].value
    other = plain("spatial", *STACK, "--process", "autoregressive:coefficients=0.5", "--optima", "1")
    assert other["total"]["residual variance"]["value"] == pytest.approx(0.75)


def test_capacity_of_each_lag_is_listed_the_most_recent_first():
    report = linear_report(DilatedConvolution([1, 2, 4]), process=GaussianProcess(), optima=1)
    lines = run("spatial", *STACK, "--process", "power-law", "--optima", "1").stdout.splitlines()
    table = [line.split() for line in lines[2:10]]
    assert [row[0] for row in table] == [str(lag) for lag in range(1, 9)]
    np.testing.assert_allclose([float(row[1]) for row in table], report.allocation["capacity"][::-1], atol=6e-5)


@pytest.mark.parametrize("size", [16, 100])
def test_lags_are_counted_from_the_step_of_the_output_wherever_it_is(size):
    network = ["cnn", "--size", str(size), "--channels", "2"]
    report = plain("summary", *network)
    step, curve = report["step"], report["allocation"]["linear"]
    assert step == size // 2
    table = [line.split() for line in run("spatial", *network).stdout.splitlines()[2:]]
    first = next(row for row in table if row[0] == "1" and row[1] != "ahead")
    assert first[1] == f"{curve[step]:.4f}"
    ahead = sum(float(row[2]) for row in table if row[1] == "ahead")
    assert ahead == pytest.approx(sum(curve[step + 1 :]), abs=size * 6e-5)
    assert ahead > 0.1


def test_many_lags_are_summed_by_octaves():
    arguments = ["spatial", "recurrent", "--inputs", "70", "--channels", "2", "--process", "power-law", "--optima", "1"]
    lines = run(*arguments).stdout.splitlines()
    capacity = plain(*arguments)["allocation"]["capacity"][::-1]
    octaves = [(1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 70)]
    labels = [f"{a}-{b}" if b > a else str(a) for a, b in octaves]
    wanted = {label: f"{sum(capacity[a - 1 : b]):.4f}" for label, (a, b) in zip(labels, octaves)}
    assert dict(line.split() for line in lines[2:10]) == wanted


def test_data_bring_intervals(folder):
    found = plain("spatial", *STACK, "--data", "series.csv", "--column", "level", "--resamples", "4", "--optima", "1")
    ((low, high),) = found["intervals"].values()
    assert np.all(np.array(low) <= high)
    assert "interval" in found["total"]["lags 50 %"]


def test_exact_ranks_are_those_of_the_package():
    arguments = ["tcn", "--dilations", "1", "2", "--stacks", "2", "--channels", "2"]
    model = DilatedConvolution([1, 2, 1, 2], channels=2)
    found = plain("exact", *arguments)
    assert found["total"]["independent"] == exact_capacity(model).total
    assert [each["independent"] for each in found["layers"].values()] == [
        exact_capacity(model, layers=[name]).total for name in model.layers
    ]
    assert run("exact", *arguments).stdout.splitlines()[5].split() == ["all", "24", str(exact_capacity(model).total)]


def test_networks_are_compared_side_by_side(folder):
    found = plain("compare", " ".join(STACK), "network.toml", "--process", "power-law", "--optima", "1")
    assert list(found) == [" ".join(STACK), "network.toml"]
    first, second = (dict(each, title="") for each in found.values())
    assert first == second
    lines = run("compare", " ".join(STACK), "recurrent --inputs 8 --channels 1").stdout.splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("parameters")] == [["parameters", "6", "3"]]


def test_what_is_read_of_the_data_is_said_once_for_all_networks(folder):
    options = ["--data", "series.csv", "--column", "level", "--optima", "1", "--resamples", "0"]
    found = run("compare", " ".join(STACK), "recurrent --inputs 8 --channels 1", *options)
    assert found.exit_code == 0
    assert found.stderr.count("series.csv: ") == 1


def test_networks_are_compared_with_draws_of_their_weights(folder):
    other = "tcn --dilations 1 2 --channels 2 --nonlinear"
    found = plain("compare", "network.toml", other, "--redrawn", "3", "--optima", "1", "--process", "white")
    model, graph = DilatedConvolution([1, 2, 4]), tcn([1, 2], channels=2, activation="relu")
    draws = redrawn_report(graph, process=standard_process("white"), draws=3, rng=0)
    assert found[f"{other}, 3 untrained draws"]["total"] == draws.to_dict()["total"]
    draws = redrawn_report(model, process=standard_process("white"), draws=3, rng=0)
    assert found["network.toml, 3 untrained draws"]["total"] == draws.to_dict()["total"]


def test_what_all_networks_have_in_common_stands_behind_them():
    done = run("compare", "tcn --dilations 1 2 --process white", "tcn --dilations 1 2")
    assert done.exit_code == 2
    assert "--process: expected it behind the networks, for all of them" in done.stderr


def test_sums_over_lags_have_no_interval_made_of_those_of_single_lags(folder):
    for size, told in ((32, False), (128, True)):
        done = run("spatial", "recurrent", "--inputs", str(size), "--channels", "1", "--process", "exponential-mixture")
        assert ("2 optima, from" in done.stdout or "3 optima, from" in done.stdout) == (not told)
        assert ("intervals of single lags are in --json" in done.stdout) == told


def test_a_window_is_the_look_back_of_the_series_and_what_networks_hold_there(folder):
    stack = " ".join(STACK)
    found = plain("window", stack, "--data", "series.csv", "--column", "level", "--max-lags", "20")
    expected = look_back(read_series("series.csv", column="level"), 20, rng=0)
    assert (found["samples"], found["look-back"], found["best"]) == (600, expected.shortest, expected.best)
    assert found["left"] == expected.left.tolist()
    held, total = found["networks"][stack], exact_capacity(DilatedConvolution([1, 2, 4])).total
    assert (held["lags"], held["parameters"], held["independent"]) == (8, 6, total)
    assert held["left"] == expected.left[8]
    assert held["gap"] == pytest.approx(2 * total / 600 * held["left"])
    done = run("window", "network.toml", "--data", "series.csv", "--column", "level", "--max-lags", "4")
    assert done.exit_code == 2
    assert "network.toml: expected at most 4 lags, got 8" in done.stderr
    lines = run("window", "--data", "series.csv", "--column", "level").stdout.splitlines()
    assert "600 values" in lines[0]
    assert [line.split()[0] for line in lines[2:5]] == ["0", "1", "2"]
    assert f"The last {plain('window', '--data', 'series.csv', '--column', 'level')['look-back']} " in lines[0]


def test_designs_are_those_of_the_search():
    arguments = ["design", "--budget", "120", "--want", "9-:share=0.5", "--want", "1-4:full"]
    found = plain(*arguments)
    wanted = search([Want((9, None), share=0.5), Want((1, 4), full=1.0)], 120)
    assert found["front"] == json.loads(json.dumps(wanted.rows()))
    assert (found["stacks"], found["estimated"]) == (wanted.stacks, len(wanted.estimates))
    assert run(*arguments).stdout == design_text(wanted) + "\n"
    one = ["design", "--budget", "10"]
    assert plain(*one, "--want", "3:full") == plain(*one, "--want", "3-3:full")
    assert "full at lag 3\n" in run(*one, "--want", "3:full").stdout


def test_a_search_that_is_resumed_finds_its_fits(folder):
    arguments = ["design", "--budget", "60", "--want", "5-:share=0.5", "--data", "series.csv", "--column", "level"]
    first = plain(*arguments, "--fits", "2", "--folder", "fits")
    kept = {path: path.stat().st_mtime_ns for path in (folder / "fits").rglob("*") if path.is_file()}
    assert first["fitted"] == 2
    assert kept
    assert plain(*arguments, "--fits", "2", "--folder", "fits") == first
    assert sum(path.stat().st_mtime_ns == time for path, time in kept.items()) >= 2


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_figure_replaces_the_file_of_its_name_and_is_the_same_each_time(folder, ending):
    path = folder / f"out.{ending}"
    path.write_text("old")
    contents = []
    for _ in range(2):
        assert run("summary", "network.toml", "--optima", "1", "--figure", path.name).exit_code == 0
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != b"old"
    assert contents[0].startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("summary", "Missing argument 'NETWORK'; see capacity summary --help"),
        ("sumary tcn", "No such command 'sumary'"),
        ("summary transformer", "'transformer' is none of tcn, "),
        ("summary tcn", "architecture 'tcn': expected dilations, got nothing for it; pass it"),
        ("summary tcn --dilations", "Option '--dilations' requires an argument"),
        ("summary tcn --dilations x", "'x' is not made of whole numbers; write 1 2 4"),
        ("summary tcn --dilations 1 --stacks 99999999999999999999999", "stacks"),
        ("summary tcn --dilations 1 0", "dilations[1]: expected an integer >= 1, got 0"),
        ("summary tcn --dilations 1 --states 4", "expected arguments among dilations"),
        ("summary network.toml --stacks 2", "stacks: expected no options of an architecture beside the file"),
        ("summary none.toml", "'none.toml' does not exist"),
        ("summary network.pt", "nor a file .onnx or .toml"),
        ("summary tcn --dilations 1 --process power-law:exponent=1:exponent=2", "each parameter once, got 'exponent'"),
        ("summary tcn --dilations 1 2 4 --channels 1 --strict", "strict: expected all numbers"),
        ("summary network.toml --output x", "output: expected none for a linear model"),
        ("summary network.toml --figure out.gif", "'out.gif' ends in none of .svg, .png, .pdf"),
        ("summary network.toml --figure none/", "ends in none of"),
        ("summary network.toml --figure none/out.svg", "there is no folder 'none'; make it, or choose another"),
        ("summary network.toml --figure network.toml/out.svg", "there is no folder 'network.toml'"),
        ("summary tcn --dilations 1 2 --figure out.svg", "report: expected one with a capacity per input"),
        ("spatial tcn --dilations 1 2", "pass --process NAME or --data FILE"),
        ("spatial tcn --dilations 1 2 --process brown", "'brown' is none of list, power-law"),
        ("spatial tcn --dilations 1 2 --process white:3", "process: expected NAME:KEY=NUMBER, got 'white:3'"),
        (
            "spatial tcn --dilations 1 2 --process white --data series.csv",
            "expected either --process or --data, got both",
        ),
        ("spatial tcn --dilations 1 2 --data series.csv", "column: expected one of 0: time, 1: level"),
        ("spatial tcn --dilations 1 2 --data none.csv", "'none.csv' does not exist"),
        ("spatial tcn --dilations 1 2 --column 1", "column: expected --data with it"),
        ("spatial tcn --dilations 1 2 --nonlinear --at middle", "at: expected centre, last or whole numbers"),
        ("summary network.toml --redrawn", "redrawn: expected a network with activations"),
        ("summary tcn --dilations 1 --weights none.npz", "none.npz"),
        ("summary tcn --dilations 1 --taps 2 --weights series.csv", "weights: expected --dilations"),
        ("summary network.onnx", "does not exist"),
        (
            "exact tcn --dilations 1 2 --nonlinear",
            "network: expected a linear model, got one with activations or residuals",
        ),
        ("exact tcn --dilations 1 2 --rounds 0", "0 is not in the range x>=1"),
        ("layers tcn --dilations 1 2", "process: expected a process or data, got neither"),
        ("design --budget 100", "Missing option '--want'"),
        ("design --budget 100 --want 1-4", "want: expected LAGS:share=NUMBER or LAGS:full, got '1-4'"),
        ("design --budget 100 --want 4-1:full", "lags[1]: expected an integer >= 4"),
        ("design --budget 100 --want 1-:full", "full: expected a last lag, got None"),
        ("design --budget 1 --want 1-2:full", "budget: expected room for at least one stack"),
        ("compare network.toml tcn", "architecture 'tcn': expected dilations"),
        ("compare network.toml tcnn", "cnn, nor a file .onnx or .toml; see capacity summary"),
        ("compare network.toml network.toml", "networks: expected different ones"),
        ("layers network.toml --output x", "output: expected a network with activations, got a linear model"),
        ("layers network.toml --at 3", "at: expected a network with activations, got a linear model"),
        ("layers network.toml --redrawn", "redrawn: expected a network with activations, got a linear model"),
        (
            "summary tcn --dilations 1 --input-size 1 1 2",
            "input-size: expected it beside a file .onnx, got it beside tcn",
        ),
        (
            "summary tcn --dilations 1 --nonlinear --activation tanh",
            "activation: expected either --nonlinear or another",
        ),
        ("summary tcn --dilations 1 2 --components 2 --process white", "process: expected 2 components like the model"),
        ("summary tcn --dilations 1 --activation brown", "'brown' is none of identity, relu"),
        ("summary recurrent --inputs x", "inputs: expected one whole number, got 'x'"),
        ("summary network.toml --outputs x", "outputs: expected it beside a file .onnx"),
        ("summary network.toml --memory 10", "description: expected at most 10 bytes, got the file"),
        ("spatial tcn --dilations 1 2 --data series.csv --memory 1k", "(--memory"),
        ("summary tcn --dilations 1 --memory much", "'much' is no number of bytes; write 500MB or 4GiB"),
        ("--nosuch", "No such option '--nosuch'"),
        ("summary cnn --size 100 100 --channels 100000 100000", "channels: expected weights of at most 134217728"),
        (
            "summary tcn --dilations 1 2 --activation relu --taps 9999 --channels 99999",
            "channels: expected weights of at most",
        ),
        ("summary tcn --dilations 1000000000 --nonlinear", "dilations: expected values of a layer of at most"),
        ("summary cnn --size 100000 100000 --channels 2", "size: expected values of a layer of at most"),
        ("summary tcn --dilations 1 2 --kernel 3", "got kernel; write taps"),
        ("summary cnn --size 8 --channels 2 --taps 3", "got taps; write kernel"),
        ("summary tcn --dilations 1 2 --classes 3", "got classes; leave them out"),
        ("summary tcn --dilations 1 2 --scale pytorch", "scale: expected a network with activations"),
        ("compare tcn --scale pytorch", "scale: expected --redrawn N with it"),
        ("window --data series.csv", "column: expected"),
        ("window tcn --data series.csv --column level", "architecture 'tcn': expected dilations"),
        ("design --budget 100 --want 5-8:share=0.5.5", "want: expected LAGS:share=NUMBER or LAGS:full"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(folder, line, told):
    done = run(*line.split())
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_nobody_thought_of_is_said_in_one_line_of_bounded_length(monkeypatch):
    def fails(*_):
        raise RuntimeError("one\ntwo" + "\x1b[2J" * 1000)

    monkeypatch.setattr("capacity.cli._network", fails)
    done = run("summary", *STACK)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert re.fullmatch(r"Error: RuntimeError: one two(\\x1b\[2J)+.* --debug shows the place of\n", done.stderr)
    assert len(done.stderr) < 1100


def test_a_figure_that_cannot_be_written_is_named(folder):
    (folder / "out.svg").mkdir()
    done = run("summary", "network.toml", "--optima", "1", "--figure", "out.svg")
    assert done.exit_code == 2
    assert re.fullmatch(r"Error: .*out\.svg.*; check the name and the permissions\n", done.stderr)
    assert [path.name for path in folder.glob("*out.svg*")] == ["out.svg"]


@pytest.mark.parametrize("network", ["tcn", "network.toml", "none.ONNX"])
def test_a_network_in_the_place_of_a_command_is_told_from_one(folder, network):
    done = run(network, "--dilations", "1", "2")
    told = f"Error: '{network}' is a network and no command; write capacity summary {network}; see capacity --help\n"
    assert (done.exit_code, done.stderr) == (2, told)


def test_a_quotation_mark_that_is_not_closed_is_named(folder):
    done = run("compare", 'tcn --dilations 1 "2', "network.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert """got 'tcn --dilations 1 "2', where a quotation mark is not closed; close it""" in done.stderr


def test_of_a_full_disk_no_permissions_are_to_be_checked(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "out.svg")

    monkeypatch.setattr("capacity.cli._drawn", full)
    done = run("summary", "network.toml", "--figure", "out.svg")
    assert (done.exit_code, done.stderr) == (2, "Error: out.svg: No space left on device; make room there\n")


def test_a_folder_for_fits_is_made_and_told_once(folder):
    line = "design --budget 4 --want 1-2:share=0.5 --folder kept --process power-law --max-lags 3 --fits 1"
    first, again = run(*line.split()), run(*line.split())
    assert first.stderr == "folder: kept is made for the fits\n"
    assert again.stderr == ""
    assert (folder / "kept").is_dir()


def test_numbers_behind_an_option_are_one_value_up_to_the_first_that_is_none():
    assert gathered(["--size", "8", "8", "cnn", "--seed", "3", "--at", "0", "-1"]) == [
        *["--size", "8,8", "cnn", "--seed", "3", "--at", "0,-1"]
    ]
    assert gathered(["--dilations", "1,2", "4"]) == ["--dilations", "1,2,4"]


def imported_for(*arguments):
    """Modules that a call of the command, with these arguments, imports."""
    code = (
        "import sys\nfrom capacity.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "capacity" in done.stderr.split()
    return set(done.stderr.split())


def test_the_command_has_every_architecture():
    assert tuple(ARCHITECTURES) == _ARCHITECTURES


@pytest.mark.parametrize("arguments", [["--help"], ["summary", "--help"], ["sumary"], ["summary", "x.onnx"]])
def test_help_and_mistakes_need_none_of_what_computes(arguments):
    heavy = {"numpy", "scipy", "flint", "matplotlib", "onnx", "torch", "pandas", "tqdm", "seaborn"}
    assert imported_for(*arguments) & heavy == set()


@pytest.mark.parametrize(
    "line",
    [
        "summary tcn --dilations 0",
        "layers ssm --inputs 9 --states 3",
        "exact cnn --size 8 8",
        "spatial tcn --dilations 1 --nonlinear --process power-law:hurst=1",
    ],
)
def test_mistakes_in_an_architecture_or_a_process_need_arrays_only(line):
    heavy = {f"scipy.{room}" for room in ("fft", "linalg", "optimize", "sparse", "special")} | {"flint", "onnx", "tqdm"}
    assert imported_for(*line.split()) & heavy == set()


class Waiting(Event):
    """An event whose first wait is over at once, and that knows when the second begins."""

    def __init__(self):
        super().__init__()
        self.again = Event()
        self.waits = iter([lambda: False])

    def wait(self, seconds=None):
        return next(self.waits, lambda: self.again.set() or super(Waiting, self).wait())()


def test_what_takes_long_is_told_on_a_terminal_and_leaves_nothing_on_it(monkeypatch, capsys):
    waiting = Waiting()
    monkeypatch.setattr("capacity.cli._progress", lambda: True)
    monkeypatch.setattr("capacity.cli._SILENT", -1.0)
    monkeypatch.setattr("capacity.cli.Event", lambda: waiting)
    with _told("thinking"):
        waiting.again.wait()
    shown = capsys.readouterr().err
    assert shown.startswith("\rthinking: 0 s\r")
    assert shown.endswith("\r")


@pytest.mark.parametrize("command", ["summary", "layers"])
def test_bars_leave_nothing_on_a_terminal(folder, monkeypatch, command):
    monkeypatch.setattr("capacity.cli._progress", lambda: True)
    shown = run(command, *STACK, "--data", "series.csv", "--column", "level", "--resamples", "2").stderr
    told, bars = shown.split("\n")
    assert "600 values" in told
    assert "fits:" in bars
    assert not bars.rstrip("\r").rpartition("\r")[2].strip()


def test_nothing_is_told_while_something_else_is(monkeypatch, capsys):
    waiting = Waiting()
    monkeypatch.setattr("capacity.cli._progress", lambda: True)
    monkeypatch.setattr("capacity.cli._SILENT", 60)
    monkeypatch.setattr("capacity.cli.Event", lambda: waiting)
    with _told("thinking"):
        print("a bar", end="", file=sys.stderr)
        waiting.again.wait()
    shown = capsys.readouterr().err
    assert shown.startswith("a bar\r")
    assert "thinking" not in shown


def test_a_reader_that_stops_reading_is_no_error(folder):
    command = [*RUN, "spatial", "network.toml", "--optima", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        assert running.stderr.read() == b""


def test_an_interruption_ends_with_the_code_of_one(monkeypatch, capsys):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("capacity.inspection.reports.summary", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["spatial", *STACK, "--process", "power-law"])
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_a_report_fills_the_terminal_from_80_columns_on_and_elsewhere_these(monkeypatch, capsys):
    for columns in ("200", "80", "40"):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", columns)
        with pytest.raises(SystemExit):
            main(["summary", *STACK, "--nonlinear"])
        shown = capsys.readouterr().out
        assert ("stride" in shown.partition("Wider")[0]) == (columns == "200")
        assert 80 >= max(map(len, shown.splitlines())) > 60 or columns == "200"
    assert run("summary", *STACK, "--nonlinear").stdout == shown


def test_only_what_has_a_capacity_by_step_is_drawn_on_one_axis(folder):
    for other in ("cnn --size 8 8 --channels 2", "tcn --dilations 1 2"):
        done = run("compare", "tcn --dilations 1 2 --nonlinear", other, "--figure", "out.svg")
        assert done.exit_code == 2
        assert "figure: expected networks with a capacity by step, got 1 of 2" in done.stderr
    assert not (folder / "out.svg").exists()


def test_the_package_installs_the_command():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"capacity": f"{main.callback.__module__}:main"}


def test_no_line_of_a_window_is_longer_than_the_screen(folder):
    network = "tcn --dilations 1 2 " + "--stacks 1 " * 9 + "--channels 2"
    lines = run("window", network, "--data", "series.csv", "--column", "level").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert network in " ".join(lines)
