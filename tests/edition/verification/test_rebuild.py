"""Proof of reproducibility: two builds from nothing are the same, even if one is killed on its way, and what is not the
same is noticed.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from hashlib import sha256

import psutil
import pytest
from click.testing import CliRunner
from small_books import cell, claim, write_book

from edition.book import ROOT
from edition.cli import main
from edition.publishing import site
from edition.publishing.build import build_book
from edition.verification.rebuild import compare_sites

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
HELD = """import os, time
from capacity_studies import check
time.sleep(float(os.environ.get("HELD", "0")))
check('linear/prop-4', 1 + 1, 2)"""
BUILD = [sys.executable, "-m", "edition"]
PAGES = {name: (ROOT / "chapters" / f"{name}.md").read_text() for name in ("claims", "receipt")}
PAGES |= {"coverage": "# Coverage\n", "errata": "# Errata\n"}


def small_book(folder):
    text = "# One\n\n" + cell("n = 2", "parameters") + "\n" + cell(FIGURE) + claim("linear/prop-3") + cell(CLAIM)
    return write_book(folder, {"one": text, "two": "# Two\n\n" + claim("linear/prop-4") + cell(HELD)} | PAGES)


def reproduce(root):
    return CliRunner().invoke(main, ["--root", str(root), "reproduce", "--jobs", "1"])


@pytest.fixture(scope="module")
def first(tmp_path_factory, builder):
    """Return the site of a book that was built without a break."""
    root = small_book(tmp_path_factory.mktemp("book"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "subprocess", builder)
        return build_book(root, "default", root / "_build", jobs=1)


def kill_when(condition, root, **environment):
    """Start a build and kill the command alone as soon as something is there; return its words and its processes."""
    command = [*BUILD, "--root", root, "build", "--jobs", "1"]
    with (root / "told.txt").open("w") as told:
        to = {"stdout": told, "stderr": told}
        process = psutil.Popen(command, **to, start_new_session=True, env=os.environ | environment)
    try:
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.01)
        return (root / "told.txt").read_text(), process.children(recursive=True)
    finally:
        process.kill()
        process.wait()


def test_a_build_whose_command_is_killed_again_and_again_ends_with_the_same_book(first, tmp_path):
    root = small_book(tmp_path / "book")
    build = root / "_build"
    _, started = kill_when(lambda: list(build.glob("executed/one/[!.]*.ipynb")), root, HELD="600")
    assert psutil.wait_procs(started, timeout=60)[1] == []  # not even what has no end
    told, started = kill_when(lambda: list(build.glob(".stage-default.*/_build/html/**/*.html")), root)
    assert "1 of 2 unchanged" in told  # what was finished is not executed again
    done = subprocess.run(
        [*BUILD, "--root", root, "build"], capture_output=True, text=True
    )  # while Jupyter Book goes on
    psutil.wait_procs(started, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "2 of 2 unchanged" in done.stdout
    outcome = compare_sites(first, build / "html")
    assert outcome.reproduced, outcome.describe()
    assert set(outcome.varying) <= {"receipt.json", "chapters/receipt.html"}
    kept = {"claims.json", "figures/own-line.json", "figures/own-line.csv", "index.html", "searchindex.js"}
    assert kept <= set(outcome.identical)


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
    assert {path.name for path in folder.iterdir()} == {"first", "second", "outcome.json"}
    assert json.loads((folder / "outcome.json").read_text())["reproduced"]


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


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"scale": "default"}'])
def test_a_damaged_receipt_is_named(tmp_path, content):
    for folder, text in (("first", content), ("second", f"{content} ")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "receipt.json").write_text(text)
    with pytest.raises(ValueError, match=r"receipt\.json: expected .*fetch or build that copy again"):
        compare_sites(tmp_path / "first", tmp_path / "second")


def test_nothing_is_not_the_same_as_nothing(tmp_path):
    assert not compare_sites(tmp_path, tmp_path).reproduced
