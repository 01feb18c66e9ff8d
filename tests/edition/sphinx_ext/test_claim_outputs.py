"""Checks among the outputs of a cell: MyST-NB finds the renderer of their records, and prefers it."""

import sys

import pytest
from importlib_metadata import entry_points
from myst_nb.core.render import MimeData

from edition.claims.check import MIME
from edition.sphinx_ext.claim_nodes import checked
from edition.sphinx_ext.claim_outputs import CheckoutFinder, CheckRenderer, setup

RECORD = {"id": "linear/eq-1", "measured": "3"}


def renderers():
    return [point.load() for point in entry_points(group="myst_nb.mime_renderers")]


def test_myst_nb_finds_the_renderer_without_an_installed_distribution(monkeypatch):
    others = [finder for finder in sys.meta_path if not isinstance(finder, CheckoutFinder)]
    monkeypatch.setattr(sys, "meta_path", others)
    assert CheckRenderer not in renderers()
    setup(None)
    assert renderers().count(CheckRenderer) == 1


def test_the_record_becomes_one_node_that_is_not_seen():
    (node,) = CheckRenderer.handle_mime(None, MimeData(MIME, RECORD), False)
    assert isinstance(node, checked)
    assert (node["id"], node["record"], node.astext()) == ("linear/eq-1", RECORD, "")


@pytest.mark.parametrize(("kind", "inline"), [("text/plain", False), ("text/markdown", False), (MIME, True)])
def test_other_outputs_are_left_to_other_renderers(kind, inline):
    assert CheckRenderer.handle_mime(None, MimeData(kind, RECORD), inline) is None
