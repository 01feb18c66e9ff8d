"""Comparisons are relative unless they say otherwise; what is skipped is listed; what was built is not read."""

import os
import subprocess
import sys

import pytest

from edition.book import ROOT

SKIPPING = """import pytest

@pytest.mark.skip(reason={!r})
def test_nothing():
    pass
"""


def test_zero_does_not_pass_for_a_tiny_number():
    assert pytest.approx(8e-140) != 0.0
    assert pytest.approx(1e-13, rel=0.5) != 0.0
    assert pytest.approx([1.0, 1e-13]) != [1.0, 0.0]
    assert pytest.approx(0.0, abs=1e-12) == 1e-13


@pytest.mark.parametrize(
    ("options", "reason", "code", "told"),
    [
        (["--numprocesses=0"], "needs groff", 0, "skipped for want of: groff 1"),
        (["--numprocesses=0", "--lacking=TeX"], "needs groff", 0, "skipped for want of: groff 1"),
        (["--numprocesses=0", "--lacking=groff"], "needs groff", 1, "skipped for want of: groff 1"),
        (["-n1"], "no time", 1, "skipped for a reason that tests/conftest.py does not list: Skipped: no time"),
    ],
)
def test_what_is_skipped_is_counted_in_the_last_line_and_fails_the_run_unless_it_may_be_lacking(
    tmp_path, options, reason, code, told
):
    (tmp_path / "test_one.py").write_text(SKIPPING.format(reason))
    (tmp_path / "conftest.py").symlink_to(ROOT / "tests" / "conftest.py")
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == told
    assert done.returncode == code


@pytest.mark.parametrize("place", [ROOT / "_build" / "html-quick", ROOT / "_build" / "html-quick" / "index.html"])
def test_what_another_command_built_is_not_read(place, monkeypatch):
    monkeypatch.delenv("BROWSER_SITE", raising=False)
    for read in (open, os.listdir, lambda path: os.scandir(bytes(path))):
        with pytest.raises(AssertionError, match="what another command built"):
            read(place)


def test_a_part_of_the_book_has_its_share_of_the_tests():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
    files = ["tests/test_walls.py", "tests/oracles"]
    done = subprocess.run([*command, "--part", "papers", *files], cwd=ROOT, capture_output=True, text=True)
    found = {line.partition(":")[0] for line in done.stdout.splitlines() if line.startswith("tests/")}
    assert found == {"tests/test_walls.py", "tests/oracles/test_oracles.py"}
    assert "tests/test_walls.py: 3\n" in done.stdout
    done = subprocess.run([*command, "--part", "paper", *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "unknown part 'paper'; did you mean 'papers'? known: all, papers" in done.stderr
