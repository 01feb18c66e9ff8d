"""A build that is killed at any moment is resumed by the next one, which makes the same book."""

import os
import shutil
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
from small_books import cell, write_book

from edition.book import ROOT
from edition.publishing.build import missing_pages
from edition.verification.rebuild import compare_sites

FIGURE = """---
mystnb: {figure: {name: own-line, caption: A line.}, image: {alt: It rises.}}
---
from matplotlib import pyplot as plt
from capacity import figures
figures.use_style()
fig, ax = plt.subplots()
ax.plot(range(3))
plt.show()"""
CLAIM = "from edition import claim\nclaim('linear/prop-{}', 'Two', 1 + 1, 2, kind='identity')"


def chapter(number, *more):
    codes = [*more, CLAIM.format(number), "import time\ntime.sleep(0.5)"]
    return "# Title\n\n" + "\n".join(map(cell, codes))


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
    pages |= {"coverage": "# Coverage\n", "errata": "# Errata\n"}
    root = write_book(tmp_path / "still", {"one": chapter(1, FIGURE), "two": chapter(2)} | pages)
    killed = shutil.copytree(root, tmp_path / "killed")
    before = time.monotonic()
    assert start(root).wait() == 0
    took = time.monotonic() - before
    moments = np.random.default_rng(0).uniform([0.1, 0.5], [0.5, 0.9]) * took  # with the chapters, with the pages
    assert sum(kill_after(killed, seconds) for seconds in moments) > 0
    assert start(killed).wait() == 0
    outcome = compare_sites(root / "_build" / "html", killed / "_build" / "html")
    assert outcome.reproduced, outcome.describe()
    assert {"claims.json", "figures/own-line.json", "figures/own-line.csv", "index.html"} <= set(outcome.identical)


def test_a_page_that_is_missing_or_empty_is_noticed(tmp_path):
    names = ("one", "two", "three")
    pages = [tmp_path / "index.html", *(tmp_path / "chapters" / f"{name}.html" for name in names)]
    (tmp_path / "chapters").mkdir()
    for path in pages:
        path.write_text("words")
    pages[1].write_text("")
    pages[2].unlink()
    assert missing_pages([SimpleNamespace(name=name) for name in names], tmp_path) == pages[1:3]
