"""Processes end with the command that started them, and what was finished stays."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from small_books import cell, write_book

GOOD = "# One\n\nWords.\n\n" + cell("print(1)")
# A shell may have started the tests with SIGINT ignored, which programs inherit; a terminal never does.
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("edition", run_name="__main__")"""
BUSY, IDLE = "import time\ntime.sleep(600)", "import asyncio\nawait asyncio.sleep(600)"  # and deaf, or not


HASTY = """
import os, signal
if os.environ["FIRST"] != str(os.getpid()):
    os.kill(os.getpid(), signal.SIGINT)  # as a terminal does to all processes
def work():
    return "done"
"""
FIRST = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["FIRST"] = str(os.getpid())
import hasty
from edition.execution.workers import outcomes
print(list(outcomes(hasty.work, {"one": ()}, jobs=1, preload=["hasty"])))
"""


def test_ctrl_c_while_the_processes_import_is_left_to_the_first_one(tmp_path):
    (tmp_path / "hasty.py").write_text(HASTY)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[('one', 'done', 0)]\n", "")


def test_work_that_a_signal_cancels_ends_without_a_word(tmp_path):
    (tmp_path / "hasty.py").write_text("import asyncio\n\ndef work():\n    raise asyncio.CancelledError\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[('one', None, 143)]\n", "")


def test_ctrl_c_while_the_command_itself_imports_ends_it_without_a_word(tmp_path):
    (tmp_path / "yaml.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    code = INTERRUPTIBLE.replace(
        "runpy.run_module", "import edition, sys; sys.path.insert(0, sys.argv[1])\nrunpy.run_module"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.parametrize("kill_group", [False, True])
def test_what_a_killed_command_started_ends_and_what_it_left_goes_with_the_next_one(tmp_path, kill_group):
    root = write_book(tmp_path / "book", {"one": "# One\n\n" + cell("n = 1", "parameters") + cell(BUSY)})
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").touch()
    command = [sys.executable, "-m", "edition", "--root", root]
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        options = {"env": os.environ | {"TMPDIR": name}, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([*command, "reference"], start_new_session=True, **options)
        deadline = time.monotonic() + 60
        while not list(Path(name).glob("edition-*/chapter-*/reads.json")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 3  # the server of processes, a process, its kernel
        (os.killpg if kill_group else os.kill)(process.pid, signal.SIGKILL)
        process.wait()
        assert psutil.wait_procs(started, timeout=20)[1] == []
        (left,) = Path(name).iterdir()
        assert list(left.glob("chapter-*")) == [] or kill_group
        subprocess.run([*command, "pdf", "--packages"], check=True, **options)
        assert list(Path(name).iterdir()) == []


@pytest.mark.parametrize(("number", "everybody", "code"), [(signal.SIGINT, True, BUSY), (signal.SIGTERM, False, IDLE)])
def test_an_interrupted_build_ends_all_its_processes_and_keeps_what_is_finished(tmp_path, number, everybody, code):
    root = write_book(tmp_path, {"one": GOOD, "slow": "# Slow\n\n" + cell(code)})
    command = [sys.executable, "-c", INTERRUPTIBLE, "--root", root, "build", "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 60
        while not list((root / "_build" / "executed" / "one").glob("[!.]*.ipynb")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        started = psutil.Process(process.pid).children(recursive=True)
        (os.killpg if everybody else os.kill)(process.pid, number)
        output, _ = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 1
    assert output.splitlines()[-1].startswith("Error: interrupted; what is finished is kept")
    assert "Traceback" not in output
    assert psutil.wait_procs(started, timeout=10)[1] == []
    assert list((root / "_build" / "executed" / "one").glob("[!.]*.ipynb"))
