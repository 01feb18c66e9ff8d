"""While pages are built, garbage is searched for more rarely, and found."""

import gc
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
