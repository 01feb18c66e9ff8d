"""Two processes read and write the pages that one reads and writes, and say what is wrong with them."""

import subprocess
import sys

import pytest

from edition.book import ROOT
from edition.sphinx_ext.processes import APART, FORKS

NAMES = [f"{folder}page{number}" for folder in ("chapters/", APART) for number in range(12)]
CONFIGURATION = """
import os
from pathlib import Path

from edition.sphinx_ext import processes

extensions = ["edition.sphinx_ext.formulas", "edition.sphinx_ext.search_index"]
processes.FORKS = {forks}

def note(name, kind):
    Path({folder!r}, f"{{name.replace('/', '-')}}.{{kind}}").write_text(str(os.getpid()))

def setup(app):
    app.connect("doctree-read", lambda app, *others: note(app.env.docname, "reader"))
    app.connect("html-page-context", lambda app, pagename, *others: note(pagename, "writer"))
"""


@pytest.fixture
def built(tmp_path):
    """Return a function that builds pages which refer to each other, by one process or two.

    It returns what was printed, the processes that read and those that wrote, and all that was written.
    """
    source = tmp_path / "source"
    for name, other in zip(NAMES, NAMES[1:] + NAMES[:1]):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        text = (
            f".. _at-{name}:\n\n{name}\n{'=' * 80}\n\nSee :ref:`at-{other}` and :py:func:`f{NAMES.index(other)}`.\n\n"
        )
        (source / f"{name}.rst").write_text(f"{text}.. py:function:: f{NAMES.index(name)}()\n\n   :math:`x^2`\n")
    (source / "index.rst").write_text("All\n===\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in NAMES))

    def build(forks):
        out, notes = tmp_path / f"out-{forks}", tmp_path / f"notes-{forks}"
        notes.mkdir()
        (source / "conf.py").write_text(CONFIGURATION.format(forks=forks, folder=str(notes)))
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "-n",
            "--keep-going",
            source,
            out,
            "-d",
            tmp_path / "trees",
        ]
        done = subprocess.run([*command, "-E"], cwd=ROOT, capture_output=True, text=True)
        processes = {kind: {path.read_text() for path in notes.glob(f"*.{kind}")} for kind in ("reader", "writer")}
        files = [path for path in out.rglob("*") if path.is_file() and path.name != ".buildinfo"]
        return done.stderr, processes, {path.relative_to(out): path.read_bytes() for path in files}

    build.source = source
    return build


@pytest.mark.skipif(not FORKS, reason="libraries may not survive to be forked")
def test_two_processes_make_the_pages_that_one_makes(built):
    (_, one, expected), (_, two, found) = built(forks=False), built(forks=True)
    assert [len(one[kind]) for kind in ("reader", "writer")] == [1, 1]
    assert len(two["reader"]) == 2
    assert len(two["writer"]) >= 2
    assert found == expected
    assert len(found) > len(NAMES)


@pytest.mark.parametrize("name", [NAMES[3], NAMES[-3]])
def test_what_is_wrong_with_a_page_is_told_with_its_place(built, name):
    with (built.source / f"{name}.rst").open("a") as page:
        page.write("\n.. nothing::\n\n:ref:`nowhere`\n")
    told = built(FORKS)[0]
    path = built.source.resolve() / f"{name}.rst"
    assert f'{path}:12: ERROR: Unknown directive type "nothing"' in told
    assert f"{path}:14: WARNING: undefined label: 'nowhere'" in told
