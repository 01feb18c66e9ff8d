"""Checks among the outputs of a cell: MyST-NB finds the renderer of their records, and prefers it."""

import pytest
from myst_nb.core.render import MimeData, load_mime_renders

from capacity_studies.notebook.check import MIME
from edition.sphinx_ext.claim_nodes import CheckRenderer, checked, setup

RECORD = {"id": "linear/eq-1", "measured": "3"}


def test_myst_nb_finds_the_renderer_once_without_an_installed_distribution():
    load_mime_renders.cache_clear()
    assert CheckRenderer not in load_mime_renders()
    for _ in range(2):
        setup(None)
        assert load_mime_renders().count(CheckRenderer) == 1


def test_the_record_becomes_one_node_that_is_not_seen():
    (node,) = CheckRenderer.handle_mime(None, MimeData(MIME, RECORD), False)
    assert isinstance(node, checked)
    assert (node["id"], node["record"], node.astext()) == ("linear/eq-1", RECORD, "")


@pytest.mark.parametrize(("kind", "inline"), [("text/plain", False), ("text/markdown", False), (MIME, True)])
def test_other_outputs_are_left_to_other_renderers(kind, inline):
    assert CheckRenderer.handle_mime(None, MimeData(kind, RECORD), inline) is None
