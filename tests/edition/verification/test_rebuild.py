"""Proof of reproducibility: two builds from nothing are the same, even if one is killed again and again, and what is
not the same is noticed. With KILLED_BOOKS=7 in the environment that is tried at 21 moments instead of three.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_books import cell, claim, write_book
from small_site import RECEIPT

from edition.book import ROOT
from edition.cli import main
from edition.verification.rebuild import differences

FIGURE = """---
mystnb: {figure: {name: own-line, caption: "**A line**."}, image: {alt: It rises.}}
---
from matplotlib import pyplot as plt
from capacity import figures
figures.use_style()
fig, ax = plt.subplots()
ax.plot(range(n))
plt.show()"""
CLAIM = "from capacity_studies import check\ncheck('linear/prop-3', n, 2)"
SUM = """from capacity_studies import check
check('linear/prop-4', 1 + 1, 2)"""
BUILD = [sys.executable, "-m", "edition"]
PAGES = {"claims": (ROOT / "chapters" / "claims.md").read_text(), "receipt": RECEIPT, "errata": "# Errata\n"}


def small_book(folder):
    text = "# One\n\n" + cell("n = 2", "parameters") + "\n" + cell(FIGURE) + claim("linear/prop-3") + cell(CLAIM)
    return write_book(folder, {"one": text, "two": "# Two\n\n" + claim("linear/prop-4") + cell(SUM)} | PAGES)


def reproduce(root):
    return CliRunner().invoke(main, ["--root", str(root), "reproduce", "--jobs", "1"])


@contextmanager
def started(root, log, **killed):
    """Give the command that builds a book, whose moments are counted, and the file of what it tells."""
    log.mkdir()
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1] / "killed"), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "KILLED_LOG": str(log)} | killed
    command = [*BUILD, "--root", root, "build", "--jobs", "1"]
    with (log / "told.txt").open("w") as told:
        to = {"stdout": told, "stderr": told, "env": environment}
        process = subprocess.Popen(command, start_new_session=True, **to)
    try:
        yield process, log / "told.txt"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return a book that was built without a break, and how many moments each part of that had."""
    root, log = small_book(tmp_path_factory.mktemp("book")), tmp_path_factory.mktemp("log") / "moments"
    with started(root, log) as (process, told):
        assert process.wait(timeout=120) == 0, told.read_text()
    return root, {path.name: path.stat().st_size for path in log.iterdir()}


@pytest.fixture(scope="module")
def first(undisturbed):
    """Return the site of that book."""
    return undisturbed[0] / "_build" / "html"


@pytest.mark.parametrize("seed", range(int(os.environ.get("KILLED_BOOKS", "1"))))
def test_a_build_that_is_killed_at_drawn_moments_ends_with_the_same_book(undisturbed, tmp_path, seed):
    draw, (sound, moments), ends = random.Random(seed), undisturbed, []
    root = small_book(tmp_path / "book")
    parts = [("worker", ("worker", "command")[seed % 2]), ("book", ("book", "command")[seed // 2 % 2])]
    parts.append((("publishing", "command")[seed % 2], "command"))
    with ExitStack() as runs:
        for role, victim in parts:
            moment = draw.randint(1, moments[role])
            killed = {"KILLED_ROLE": role, "KILLED_AT": str(moment), "KILLED_VICTIM": victim}
            process, told = runs.enter_context(started(root, tmp_path / f"{role}-log", **killed))
            code, text = process.wait(timeout=120), told.read_text()
            ends.append(code)
            assert code in (0, -signal.SIGKILL if victim == "command" else 1), (killed, text)
            assert code != 1 or "was killed, perhaps" in text, (killed, text)
            assert "Traceback" not in text
        process, told = runs.enter_context(started(root, tmp_path / "last-log"))  # while a killed command's may go on
        assert process.wait(timeout=120) == 0, (parts, told.read_text())
        same, wrong = differences(sound / "_build" / "html", root / "_build" / "html")
    assert ends.count(0) < 2, parts  # 0: it was the last moment, and the result was handed over
    assert wrong == [], parts
    assert same > 50
    assert {path.name for path in (root / "_build").iterdir()} == {path.name for path in (sound / "_build").iterdir()}


def test_the_command_builds_twice_each_time_from_nothing(first, tmp_path, monkeypatch):
    def build_book(root, scale, folder, *, jobs):
        folder.mkdir(parents=True)  # not there yet
        return first

    monkeypatch.setattr("edition.verification.rebuild.build_book", build_book)
    for _ in range(2):
        done = reproduce(tmp_path)
        assert done.exit_code == 0, done.output
        assert "the second build is the same book" in done.output
    folder = tmp_path / "_build" / "reproduce"
    assert {path.name for path in folder.iterdir()} == {"first", "second"}


def test_the_receipt_holds_the_hashes_of_the_data(first):
    hashes = json.loads((first / "receipt.json").read_text())["data"]
    assert {"claims.json", "figures/own-line.json", "figures/own-line.csv"} == set(hashes)
    for name, digest in hashes.items():
        assert digest == f"sha256:{sha256((first / name).read_bytes()).hexdigest()}"


@pytest.mark.parametrize(
    ("name", "change", "found"),
    [
        ("claims.json", lambda text: text.replace('"measured": 2', '"measured": 3'), "DIFFERS: claims.json"),
        ("receipt.json", lambda text: text.replace('"claims": 1', '"claims": 2'), "DIFFERS: receipt.json"),
        ("index.html", lambda text: None, "ONLY IN ONE: index.html"),
        ("new.html", lambda text: "", "ONLY IN ONE: new.html"),
    ],
)
def test_a_single_changed_file_is_noticed(first, tmp_path, monkeypatch, name, change, found):
    theirs = shutil.copytree(first, tmp_path / "theirs")
    before = (first / name).read_text() if (first / name).exists() else ""
    after = change(before)
    assert after != before or name == "new.html"
    (theirs / name).unlink(missing_ok=True)
    if after is not None:
        (theirs / name).write_text(after)
    built = iter([first, theirs])
    monkeypatch.setattr("edition.verification.rebuild.build_book", lambda *args, **options: next(built))
    done = reproduce(tmp_path)
    assert done.exit_code == 1
    assert found in done.output


def test_what_chapters_took_may_differ_and_nothing_is_not_the_same_as_nothing(first, tmp_path):
    theirs = shutil.copytree(first, tmp_path / "theirs")
    for name, old, new in (
        ("receipt.json", r'("seconds": )', r"\g<1>1"),
        ("chapters/receipt.html", r"(<p>)(\d+\.\d</p>)", r"\g<1>1\2"),
    ):
        text = (theirs / name).read_text()
        assert re.sub(old, new, text) != text
        (theirs / name).write_text(re.sub(old, new, text))
    same, wrong = differences(first, theirs)
    assert (same > 50, wrong) == (True, [])
    assert differences(tmp_path / "none", tmp_path / "neither") == (0, [])
