"""While pages are built, garbage is searched for more rarely, and found."""

import atexit
import gc
import subprocess
import sys
import weakref

import pytest
from docutils import nodes

from edition.sphinx_ext.collector import setup


@pytest.fixture
def rarely():
    before = gc.get_threshold()
    setup(None)
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
    rarely = "from edition.sphinx_ext.collector import search_rarely; search_rarely()"
    commands = ([sys.executable, "-c", code] for code in (cycle, rarely + cycle))
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands]
    assert said == ["found\n", ""]
