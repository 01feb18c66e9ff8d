"""Processes end with the command that started them, and what was finished stays."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from small_books import cell, write_book

GOOD = "# One\n\nWords.\n\n" + cell("print(1)")
# A shell may have started the tests with SIGINT ignored, which programs inherit; a terminal never does.
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("edition", run_name="__main__")"""
SLOW = "# Slow\n\n" + cell("import time\ntime.sleep(600)")


@pytest.mark.parametrize(
    ("number", "everybody"), [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False)]
)
def test_an_interrupted_build_ends_all_its_processes_and_keeps_what_is_finished(tmp_path, number, everybody):
    root = write_book(tmp_path, {"one": GOOD, "slow": SLOW})
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
