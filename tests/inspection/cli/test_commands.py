"""What a command prints is what the package computes."""

import json
import shlex
import subprocess
import sys

import numpy as np
import pytest
from command_line import STACK, plain, run

from capacity import DilatedConvolution, GaussianProcess, exact_capacity, standard_process
from capacity_inspection.cli import main
from capacity_inspection.design import Want, search
from capacity_inspection.look_backs import look_back, without_season
from capacity_inspection.readers import read_series, tcn
from capacity_inspection.reports import design_text, linear_report, network_report, redrawn_report
from edition.book import ROOT


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


def test_a_summary_is_that_of_the_package(folder):
    report = linear_report(DilatedConvolution([1, 2, 4]), process=GaussianProcess())
    assert run("summary", *STACK, "--process", "power-law").stdout == f"{report}\n"
    assert run("summary", "network.toml").stdout == f"{report}\n"
    assert plain("summary", *STACK, "--process", "power-law") == json.loads(json.dumps(report.to_dict()))


def test_a_network_with_activations_has_its_report():
    report = network_report(tcn([1, 2, 4], channels=1, activation="relu"))
    assert run("summary", *STACK, "--nonlinear").stdout == f"{report}\n"
    assert plain("summary", *STACK, "--activation", "relu", "--at", "last")["total"] == report.to_dict()["total"]


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


def test_networks_are_compared_with_draws_of_their_weights(folder):
    other = "tcn --dilations 1 2 --channels 2 --nonlinear"
    found = plain("compare", "network.toml", other, "--redrawn", "3", "--optima", "1", "--process", "white")
    model, graph = DilatedConvolution([1, 2, 4]), tcn([1, 2], channels=2, activation="relu")
    draws = redrawn_report(graph, process=standard_process("white"), draws=3, rng=0)
    assert found[f"{other}, 3 untrained draws"]["total"] == draws.to_dict()["total"]
    draws = redrawn_report(model, process=standard_process("white"), draws=3, rng=0)
    assert found["network.toml, 3 untrained draws"]["total"] == draws.to_dict()["total"]


@pytest.mark.parametrize(
    ("memory", "said"),
    [(0.0, "The mean alone predicts best of up to "), (1.0, "The last value predicts best of up to ")],
)
def test_a_window_of_no_or_one_value_is_told_in_words(tmp_path, memory, said):
    noise, series = np.random.default_rng(3).standard_normal(600), np.zeros(600)
    for k, each in enumerate(noise):
        series[k] = memory * series[k - 1] + each
    np.save(tmp_path / "series.npy", series)
    found = plain("window", "--data", str(tmp_path / "series.npy"), "--max-lags", "8")
    assert (found["look-back"]["value"], found["best"]["value"]) == (int(memory), int(memory))
    assert said in run("window", "--data", str(tmp_path / "series.npy"), "--max-lags", "8").stdout


def test_a_window_is_the_look_back_of_the_series_and_what_networks_hold_there(folder):
    stack = " ".join(STACK)
    found = plain("window", stack, "--data", "series.csv", "--column", "level", "--max-lags", "20")
    expected = look_back(read_series("series.csv", column="level"), 20)
    counts = found["samples"], found["look-back"], found["best"]
    assert [each["value"] for each in counts] == [600, expected.shortest, expected.best]
    assert [each["kind"] for each in counts] == ["exact", "numerical", "numerical"]
    assert found["held out"]["value"] == expected.held_out.tolist()
    held, total = found["networks"][stack], exact_capacity(DilatedConvolution([1, 2, 4])).total
    assert [held[name]["value"] for name in ("lags", "parameters", "independent")] == [8, 6, total]
    assert held["left"]["value"] == expected.left[8]
    assert held["gap"]["value"] == pytest.approx(2 * total / 600 * expected.left[8])
    assert held["gap"]["kind"] == "assumed"
    done = run("window", "network.toml", "--data", "series.csv", "--column", "level", "--max-lags", "4")
    assert done.exit_code == 2
    assert "network.toml: expected at most 4 lags, got 8" in done.stderr
    told = run("window", "--data", "series.csv", "--column", "level").stdout
    assert "600 values" in told
    assert [line.split()[0] for line in told.partition("look-back")[2].splitlines()[1:4]] == ["0", "1", "2"]
    assert f"The last {plain('window', '--data', 'series.csv', '--column', 'level')['look-back']['value']} " in told


def test_a_season_is_told_and_removed_on_request(folder):
    values = np.sin(np.arange(600) * np.pi / 6) + np.random.default_rng(0).standard_normal(600) / 4
    np.savetxt("seasonal.csv", values)
    told = plain("window", "--data", "seasonal.csv")
    assert told["season"]["value"] == 12
    removed = look_back(without_season(values, 12))
    without = plain("window", "--data", "seasonal.csv", "--season", "12")
    assert without["held out"]["value"] == pytest.approx(removed.held_out.tolist())
    assert without["look-back"]["value"] < told["look-back"]["value"]
    assert "--season 12 removes it" in " ".join(run("window", "--data", "seasonal.csv").stdout.split())


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


def imported_for(*arguments):
    """Modules that a call of the command, with these arguments, imports."""
    code = (
        "import sys\nfrom capacity_inspection.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "capacity_inspection" in done.stderr.split()
    return set(done.stderr.split())


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
