"""The temporary folder of a command: short, its own, and removed by the next one where it was killed."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from edition.execution.scratch import short_temporary_folder

OWN = """import os, signal, subprocess, sys, tempfile
from multiprocessing.util import get_temp_dir
from pathlib import Path
from edition.execution.scratch import take_own_temporary_folder
folder = take_own_temporary_folder()
by_another = subprocess.run([sys.executable, "-c", "import tempfile; print(tempfile.mkdtemp())"], capture_output=True)
made = tempfile.mkdtemp(), get_temp_dir(), by_another.stdout.decode().strip()
print({Path(path).parent for path in made} == {folder}, folder, flush=True)
"""
KILLED = "os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def base():
    """Return a temporary folder whose path is short, as the tests' own are not."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


def run(code):
    """Return what a process tells: whether all that is temporary went into its folder, and where that is."""
    done = subprocess.run([sys.executable, "-c", OWN + code], capture_output=True, text=True)
    assert done.stderr == ""
    own, _, folder = done.stdout.strip().partition(" ")
    return own, Path(folder)


def test_everything_temporary_goes_into_the_folder_and_with_it(base):
    own, folder = run("")
    assert own == "True"
    assert folder.parent == base
    assert list(base.iterdir()) == []


def test_what_a_killed_command_left_is_removed_by_the_next_one_and_nothing_else(base):
    somebody_elses = Path(tempfile.mkdtemp(prefix="edition-"))
    _, killed = run(KILLED)
    assert set(base.iterdir()) == {somebody_elses, killed}
    with subprocess.Popen(
        [sys.executable, "-c", OWN + "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        at_work = Path(process.stdout.readline().split()[1])
        assert set(base.iterdir()) == {somebody_elses, at_work}
        run("")
        assert set(base.iterdir()) == {somebody_elses, at_work}
        process.communicate("\n")
    assert list(base.iterdir()) == [somebody_elses]


def test_a_long_name_gives_way_to_the_folder_of_the_system(base, monkeypatch):
    assert short_temporary_folder() == str(base)
    long = base / ("long" * 20)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    assert short_temporary_folder() == "/tmp"
    monkeypatch.setenv("TMPDIR", str(long))
    own, folder = run("")
    assert (own, folder.parent) == ("True", Path("/tmp"))
