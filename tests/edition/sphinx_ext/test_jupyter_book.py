"""Builds search for garbage rarely, write pages by several processes, and ask nothing of other sites."""

import atexit
import gc
import subprocess
import sys
import weakref

import pytest
from docutils import nodes
from pages import outside_requests, pages

from edition.book import ROOT
from edition.sphinx_ext.jupyter_book import search_rarely


@pytest.fixture
def rarely():
    before = gc.get_threshold()
    search_rarely()
    yield
    gc.set_threshold(*before)
    atexit.unregister(gc.freeze)


def test_to_read_trees_of_pages_asks_for_fewer_searches(rarely):
    before = [generation["collections"] for generation in gc.get_stats()]
    kept = [nodes.paragraph("", "text") for _ in range(10_000)]
    after = [generation["collections"] for generation in gc.get_stats()]
    assert len(kept) == 10_000
    assert sum(after) - sum(before) <= 2


def test_the_tree_of_a_page_that_nobody_needs_is_found_by_the_collector_alone(rarely):
    tree = nodes.section("", nodes.paragraph("", "text"))
    gone = weakref.ref(tree)
    del tree
    kept = []
    for _ in range(400):
        kept.append([[] for _ in range(1_000)])
        if gone() is None:
            break
    assert gone() is None


def test_a_process_that_ends_is_not_searched():
    cycle = """
class Cycle:
    def __init__(self):
        self.itself = self

    def __del__(self):
        print("found")

kept = Cycle()
"""
    rarely = "from edition.sphinx_ext.jupyter_book import search_rarely; search_rarely()"
    commands = ([sys.executable, "-c", code] for code in (cycle, rarely + cycle))
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands]
    assert said == ["found\n", ""]


PAGES = 25


CONFIGURATION = """
import os
from pathlib import Path

extensions = {extensions!r}

def note(app, pagename, *others):
    (Path(app.outdir) / f"{{pagename}}.writer").write_text(str(os.getpid()))

def setup(app):
    app.connect("html-page-context", note)
"""


@pytest.fixture
def built(tmp_path):
    """Return a function that builds pages which refer to each other, with extensions."""
    source = tmp_path / "source"
    source.mkdir()
    names = [f"page{number}" for number in range(PAGES)]
    for name, other in zip(names, names[1:] + names[:1]):
        (source / f"{name}.rst").write_text(f"{name.title()}\n======\n\nSee :doc:`{other}` for :math:`x^2`.\n")
    (source / "index.rst").write_text("All\n===\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in names))

    def build(*extensions):
        (source / "conf.py").write_text(CONFIGURATION.format(extensions=list(extensions)))
        out = tmp_path / f"out{len(extensions)}"
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", source, out], check=True, cwd=ROOT)
        writers = {name: (out / f"{name}.writer").read_text() for name in names}
        return writers, {path.name: path.read_bytes() for path in out.glob("*.html")}

    return build


def test_several_processes_write_the_pages_that_one_writes(built):
    (one, expected), (several, found) = built(), built("edition.sphinx_ext.jupyter_book")
    assert len(set(one.values())) == 1
    assert (len(set(several.values())) > 2) == (sys.platform == "linux")
    assert found == expected
    assert len(found) >= PAGES


def test_no_page_asks_anything_of_other_sites(html):
    assert outside_requests(pages(html)) == []
