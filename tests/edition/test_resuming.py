"""A build that is killed at any moment is resumed by the next one, which makes the same book."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from small_books import cell, write_book

from edition.chapters import ROOT
from edition.reproduction import compare_sites
from edition.site import publish

FIGURE = """---
mystnb: {{figure: {{name: {name}, caption: A line.}}, image: {{alt: It rises.}}}}
---
from matplotlib import pyplot as plt
from capacity import figures
figures.use_style()
fig, ax = plt.subplots()
ax.plot(range(3))
plt.show()"""
CLAIM = "from edition import claim\nclaim('linear/prop-{}', 'Two', 1 + 1, 2)"


def chapter(number):
    cells = [
        cell(FIGURE.format(name=f"own-{number}")),
        cell(CLAIM.format(number)),
        cell("import time\ntime.sleep(0.5)"),
    ]
    return "# Title\n\n" + "\n".join(cells)


def start(root):
    command = [sys.executable, "-m", "edition", "--root", root, "build", "--jobs", "1"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def kill_after(root, seconds):
    """Start a build, kill it and all its processes after some time, and return whether it was still under way."""
    process = start(root)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def test_a_build_that_is_killed_again_and_again_ends_with_the_same_book(tmp_path):
    pages = {name: (ROOT / "chapters" / f"{name}.md").read_text() for name in ("claims", "receipt")}
    root = write_book(tmp_path / "still", {"one": chapter(1), "two": chapter(2)} | pages)
    killed = shutil.copytree(root, tmp_path / "killed")
    before = time.monotonic()
    assert start(root).wait() == 0
    took = time.monotonic() - before
    moments = np.random.default_rng(0).uniform(0.1, 0.9, size=4) * took
    assert sum(kill_after(killed, seconds) for seconds in moments) > 0
    assert start(killed).wait() == 0
    outcome = compare_sites(root / "_build" / "html", killed / "_build" / "html")
    assert outcome.reproduced, outcome.describe()
    assert {"claims.json", "figures/own-1.json", "figures/own-2.csv", "index.html"} <= set(outcome.identical)


@pytest.mark.parametrize(
    ("module", "function", "call", "there"),
    [
        ("shutil", "copytree", 1, {"old.html"}),
        ("pathlib.Path", "replace", 1, {"old.html"}),
        ("pathlib.Path", "replace", 2, None),
        ("shutil", "rmtree", 3, {"new.html", "more.html"}),
    ],
)
def test_publishing_that_is_cut_short_is_made_good_by_the_next(tmp_path, monkeypatch, module, function, call, there):
    built, site = tmp_path / "built", tmp_path / "html"
    half = tmp_path / ".html.new" / "half.html"
    for path in (built / "new.html", built / "more.html", site / "old.html", half):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    owner, calls = {"shutil": shutil, "pathlib.Path": Path}[module], []
    original = getattr(owner, function)

    def cut(*args, **options):
        calls.append(function)
        if len(calls) == call:
            raise KeyboardInterrupt
        return original(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, function, cut)
        with pytest.raises(KeyboardInterrupt):
            publish(built, site)
    assert (names(site) if site.exists() else None) == there
    publish(built, site)
    assert names(site) == {"new.html", "more.html"}
    assert names(tmp_path) == {"built", "html"}


def names(folder):
    return {path.name for path in folder.iterdir()}
