"""What goes on is told, and leaves nothing on a terminal."""

import sys
from threading import Event

import pytest
from command_line import STACK, run

from capacity_inspection.cli.activity import announced


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
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: True)
    monkeypatch.setattr("capacity_inspection.cli.activity._SILENT", -1.0)
    monkeypatch.setattr("capacity_inspection.cli.activity.Event", lambda: waiting)
    with announced("thinking"):
        waiting.again.wait()
    shown = capsys.readouterr().err
    assert shown.startswith("\rthinking: 0 s\r")
    assert shown.endswith("\r")


def test_what_takes_long_is_told_in_lines_where_there_is_no_terminal(monkeypatch, capsys):
    waiting = Waiting()
    monkeypatch.setattr("capacity_inspection.cli.activity._SILENT", -1.0)
    monkeypatch.setattr("capacity_inspection.cli.activity.Event", lambda: waiting)
    with announced("thinking"):
        waiting.again.wait()
    assert capsys.readouterr().err == "thinking: 0 s\n"


@pytest.mark.parametrize("command", ["summary --resamples 2", "layers"])
def test_bars_leave_nothing_on_a_terminal(folder, monkeypatch, command):
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: True)
    shown = run(*command.split(), *STACK, "--data", "series.csv", "--column", "level").stderr
    told, bars = shown.split("\n")
    assert "600 values" in told
    assert "fits:" in bars
    assert not bars.rstrip("\r").rpartition("\r")[2].strip()


def test_nothing_is_told_while_something_else_is(monkeypatch, capsys):
    waiting = Waiting()
    monkeypatch.setattr("capacity_inspection.cli.activity.on_terminal", lambda: True)
    monkeypatch.setattr("capacity_inspection.cli.activity._SILENT", 60)
    monkeypatch.setattr("capacity_inspection.cli.activity.Event", lambda: waiting)
    with announced("thinking"):
        print("a bar", end="", file=sys.stderr)
        waiting.again.wait()
    shown = capsys.readouterr().err
    assert shown.startswith("a bar\r")
    assert "thinking" not in shown
