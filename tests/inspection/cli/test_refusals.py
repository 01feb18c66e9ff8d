"""What cannot be done is refused in one line that names the remedy."""

import re
import subprocess
import sys

import pytest
from command_line import STACK, run

from capacity_inspection.cli import main


def test_where_a_mistake_was_found_is_shown_on_request():
    with pytest.raises(ValueError, match="expected dilations"):
        run("--debug", "summary", "tcn")


def test_what_all_networks_have_in_common_stands_behind_them():
    done = run("compare", "tcn --dilations 1 2 --process white", "tcn --dilations 1 2")
    assert done.exit_code == 2
    assert "--process: expected it behind the networks, for all of them" in done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("summary", "Missing argument 'NETWORK'; see capacity summary --help"),
        ("sumary tcn", "No such command 'sumary'"),
        ("summary transformer", "'transformer' is none of tcn, "),
        ("summary tcn", "architecture 'tcn': expected dilations, got nothing for it; pass it"),
        ("summary tcn --dilations", "Option '--dilations' requires an argument"),
        ("summary tcn --dilations x", "'x' is not made of whole numbers; write 1 2 4"),
        ("summary network.toml --stacks 2", "stacks: expected no options of an architecture beside the file"),
        ("summary none.toml", "'none.toml' does not exist"),
        ("summary network.pt", "nor a file .onnx or .toml"),
        ("summary network.toml --figure out.gif", "'out.gif' ends in none of .svg, .png, .pdf"),
        ("summary network.toml --figure none/out.svg", "there is no folder 'none'; make it, or choose another"),
        ("spatial tcn --dilations 1 2", "pass --process NAME or --data FILE"),
        ("spatial tcn --dilations 1 2 --process brown", "'brown' is none of list, power-law"),
        ("spatial tcn --dilations 1 2 --process white:3", "process: expected NAME:KEY=NUMBER, got 'white:3'"),
        (
            "spatial tcn --dilations 1 2 --process white --data series.csv",
            "expected either --process or --data, got both",
        ),
        ("spatial tcn --dilations 1 2 --column 1", "column: expected --data with it"),
        ("spatial tcn --dilations 1 2 --nonlinear --at middle", "at: expected centre, last or whole numbers"),
        *(
            (f"{command} tcn --dilations 1 2 --nonlinear {option} 2", f"{option[2:]}: expected a linear model")
            for command, option in [("summary", "--optima"), ("spatial", "--resamples"), ("layers", "--optima")]
        ),
        ("layers tcn --dilations 1 2 --process white --resamples 4", "--resamples"),
        ("summary network.toml --redrawn", "redrawn: expected a network with activations"),
        ("summary tcn --dilations 1 --taps 2 --weights series.csv", "weights: expected --dilations"),
        (
            "exact tcn --dilations 1 2 --nonlinear",
            "network: expected a linear model, got one with activations or residuals",
        ),
        ("exact tcn --dilations 1 2 --rounds 0", "0 is not in the range x>=1"),
        ("design --budget 100", "Missing option '--want'"),
        ("design --budget 100 --want 1-4", "want: expected LAGS:share=NUMBER or LAGS:full, got '1-4'"),
        ("compare network.toml tcnn", "cnn, nor a file .onnx or .toml; see capacity summary"),
        ("compare network.toml network.toml", "networks: expected different ones"),
        ("layers network.toml --output x", "output: expected none for a linear model, got one"),
        (
            "summary tcn --dilations 1 --input-size 1 1 2",
            "input-size: expected it beside a file .onnx, got it beside tcn",
        ),
        (
            "summary tcn --dilations 1 --nonlinear --activation tanh",
            "activation: expected either --nonlinear or another",
        ),
        ("summary recurrent --inputs x", "inputs: expected one whole number, got 'x'"),
        ("summary network.toml --outputs x", "outputs: expected it beside a file .onnx"),
        ("spatial tcn --dilations 1 2 --data series.csv --memory 1k", "(--memory"),
        ("summary tcn --dilations 1 --memory much", "'much' is no number of bytes; write 500MB or 4GiB"),
        ("--nosuch", "--nosuch"),
        ("summary tcn --dilations 1 2 --kernel 3", "got kernel; write taps"),
        ("summary tcn --dilations 1 2 --scale pytorch", "scale: expected a network with activations"),
        ("compare tcn --scale pytorch", "scale: expected --redrawn N with it"),
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

    monkeypatch.setattr("capacity_inspection.cli.commands.chosen_network", fails)
    done = run("summary", *STACK)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert re.fullmatch(r"Error: RuntimeError: one two(\\x1b\[2J)+.* --debug shows the place of\n", done.stderr)
    assert len(done.stderr) < 1100


def test_a_figure_that_cannot_be_written_is_named(folder):
    (folder / "out.svg").mkdir()
    done = run("summary", "network.toml", "--optima", "1", "--figure", "out.svg")
    assert done.exit_code == 2
    told = done.stderr.splitlines()[-1]  # behind what goes on, on a busy machine
    assert re.fullmatch(r"Error: .*out\.svg.*; check the name and the permissions", told)
    assert [path.name for path in folder.glob("*out.svg*")] == ["out.svg"]


@pytest.mark.parametrize("network", ["tcn", "network.toml", "none.ONNX"])
def test_a_network_in_the_place_of_a_command_is_told_from_one(folder, network):
    done = run(network, "--dilations", "1", "2")
    told = f"Error: '{network}' is a network and no command; write capacity summary {network}; see capacity --help\n"
    assert (done.exit_code, done.stderr) == (2, told)


def test_a_reader_that_stops_reading_is_no_error(folder):
    command = [
        sys.executable,
        "-c",
        "from capacity_inspection.cli import main; main()",
        "spatial",
        "network.toml",
        "--optima",
        "1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        assert running.stderr.read() == b""


def test_an_interruption_ends_with_the_code_of_one(monkeypatch, capsys):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("capacity_inspection.reports.summary", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["spatial", *STACK, "--process", "power-law"])
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_a_closed_output_is_an_error():
    code = "import sys; sys.stdout = None; from capacity_inspection.cli import main; main(['summary', '--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, "standard output is closed" in done.stderr) == (2, True)
