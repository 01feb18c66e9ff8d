"""Claims among the outputs of a cell: MyST-NB finds the renderer of their records, and prefers it."""

import sys
from types import SimpleNamespace

import pytest
from docutils import nodes
from importlib_metadata import entry_points
from myst_nb.core.render import MimeData

from edition.claims.claim import MIME
from edition.sphinx_ext.claim_nodes import claim
from edition.sphinx_ext.claim_outputs import CheckoutFinder, ClaimRenderer, setup

RECORD = {"id": "linear/eq-1", "statement": "It is $b$", "source": "paper 1", "verdict": "holds"}


def renderers():
    return [point.load() for point in entry_points(group="myst_nb.mime_renderers")]


def test_myst_nb_finds_the_renderer_without_an_installed_distribution(monkeypatch):
    others = [finder for finder in sys.meta_path if not isinstance(finder, CheckoutFinder)]
    monkeypatch.setattr(sys, "meta_path", others)
    assert ClaimRenderer not in renderers()
    setup(None)
    assert renderers().count(ClaimRenderer) == 1


def test_the_record_becomes_one_node_whose_words_are_parsed_as_those_of_the_page():
    texts = []

    def render_markdown_inline(data):
        texts.append((data.mime_type, data.content, data.line))
        return [nodes.Text(data.content)]

    renderer = SimpleNamespace(render_markdown_inline=render_markdown_inline)
    (node,) = ClaimRenderer.handle_mime(renderer, MimeData(MIME, RECORD, line=7), False)
    assert isinstance(node, claim)
    assert texts == [("text/markdown", "It is $b$", 7)]


@pytest.mark.parametrize(("kind", "inline"), [("text/plain", False), ("text/markdown", False), (MIME, True)])
def test_other_outputs_are_left_to_other_renderers(kind, inline):
    assert ClaimRenderer.handle_mime(None, MimeData(kind, RECORD), inline) is None
