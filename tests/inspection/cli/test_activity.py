"""What goes on is told where it takes long, and leaves nothing on a terminal."""

import time

import pytest
from command_line import STACK, run

from capacity_inspection.cli.activity import announced


@pytest.mark.parametrize(("terminal", "told"), [(True, "thinking ...\r            \r"), (False, "thinking ...\n")])
def test_what_takes_long_is_told(monkeypatch, capsys, terminal, told):
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: terminal)
    monkeypatch.setattr("capacity_inspection.cli.activity._SILENT", 0.0)
    with announced("thinking"):
        time.sleep(0.2)
    assert capsys.readouterr().err == told


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
