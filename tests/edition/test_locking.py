"""Two commands do not work in one folder."""

import subprocess
import sys

import pytest
from click.testing import CliRunner
from small_books import cell, write_book

from edition.cli import main
from edition.locking import exclusive_lock


@pytest.mark.parametrize(
    ("folder", "command"),
    [("_build", ["build"]), ("_build", ["reference"]), ("_build", ["reproduce"]), ("_build/runs", ["run", "one"])],
)
def test_a_second_command_is_told_and_the_folder_is_free_again_after_the_first(tmp_path, folder, command):
    root = write_book(tmp_path, {"one": "# One\n\n" + cell("1")})
    with exclusive_lock(root / folder):
        done = CliRunner().invoke(main, ["--root", str(root), *command])
        assert done.exit_code == 1
        assert "another command is at work in" in done.output
    with exclusive_lock(root / folder):
        pass


HOLDS = """
import os, signal, sys
from pathlib import Path
from edition.locking import exclusive_lock

with exclusive_lock(Path(sys.argv[1])):
    print("held", flush=True)
    input()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_lock_of_a_process_that_is_killed_is_released(tmp_path):
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(RuntimeError, match="another command is at work in"), exclusive_lock(tmp_path):
            pass
        process.communicate("\n")
    assert process.returncode == -9
    with exclusive_lock(tmp_path):
        pass


def test_the_lock_is_released_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), exclusive_lock(tmp_path):
        raise ZeroDivisionError
    with exclusive_lock(tmp_path):
        pass
