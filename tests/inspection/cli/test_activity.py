"""What goes on is told where it takes long, and leaves nothing on a terminal."""

import time

import pytest
from command_line import STACK, run

from capacity_inspection.cli.activity import announced


@pytest.mark.parametrize(
    ("terminal", "lines"), [(True, ["thinking ...\r            \r"]), (False, 2 * ["thinking ..."])]
)
def test_what_takes_long_is_told_once_on_a_terminal_and_again_elsewhere(monkeypatch, capsys, terminal, lines):
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: terminal)
    monkeypatch.setattr("capacity_inspection.cli.activity._SILENT", 0.05)
    told, patience = "", time.monotonic() + 20
    with announced("thinking"):
        while told.count("thinking") < len(lines) and time.monotonic() < patience:
            time.sleep(0.02)
            told += capsys.readouterr().err
        time.sleep(0.1 * terminal)
    told += capsys.readouterr().err
    assert told.split("\n")[: len(lines)] == lines


def test_what_is_over_at_once_is_not_told(capsys):
    with announced("thinking"):
        pass
    assert not capsys.readouterr().err


@pytest.mark.parametrize("command", ["summary --resamples 2", "layers"])
def test_bars_leave_nothing_on_a_terminal(folder, monkeypatch, command):
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: True)
    shown = run(*command.split(), *STACK, "--data", "series.csv", "--column", "level").stderr
    told, bars = shown.split("\n")
    assert "600 values" in told
    assert "fits:" in bars
    assert not bars.rstrip("\r").rpartition("\r")[2].strip()
