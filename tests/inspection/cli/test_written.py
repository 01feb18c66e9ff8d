"""What the command writes: tables by lag within the width of the screen, and figures."""

import sys

import numpy as np
import pytest
from command_line import STACK, plain, run

from capacity import DilatedConvolution, GaussianProcess
from capacity_inspection.cli import main
from capacity_inspection.reports import linear_report


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


def test_sums_over_lags_have_no_interval_made_of_those_of_single_lags(folder):
    for size, told in ((32, False), (128, True)):
        done = run("spatial", "recurrent", "--inputs", str(size), "--channels", "1", "--process", "exponential-mixture")
        assert ("2 optima, from" in done.stdout or "3 optima, from" in done.stdout) == (not told)
        assert ("intervals of single lags are in --json" in done.stdout) == told


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


def test_a_report_fills_the_terminal_from_80_columns_on_and_elsewhere_these(monkeypatch, capsys):
    for columns in ("200", "80", "40"):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", columns)
        with pytest.raises(SystemExit):
            main(["summary", *STACK, "--nonlinear", "--full"])
        shown = capsys.readouterr().out
        assert 60 < max(map(len, shown.splitlines())) <= max(int(columns), 80)
        assert (max(map(len, shown.splitlines())) > 80) == (columns == "200")
    assert run("summary", *STACK, "--nonlinear", "--full").stdout == shown


def test_only_what_has_a_capacity_by_step_is_drawn_on_one_axis(folder):
    for other in ("cnn --size 8 8 --channels 2", "tcn --dilations 1 2"):
        done = run("compare", "tcn --dilations 1 2 --nonlinear", other, "--figure", "out.svg")
        assert done.exit_code == 2
        assert "figure: expected networks with a capacity by step, got 1 of 2" in done.stderr
    assert not (folder / "out.svg").exists()


def test_no_line_of_a_window_is_longer_than_the_screen(folder):
    network = "tcn --dilations 1 2 " + "--stacks 1 " * 9 + "--channels 2"
    lines = run("window", network, "--data", "series.csv", "--column", "level").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert network in " ".join(lines)
