"""Claims on a page: what a list states, joined with what its checks found."""

import re
from unittest.mock import Mock

import pytest
from docutils import nodes
from myst_nb.core.render import MimeData, load_mime_renders
from small_site import page

from capacity_studies.notebook.check import MIME
from edition.claims.claim import Claim
from edition.sphinx_ext.claim_nodes import CheckRenderer, checked, claim_node, setup

MADE = {
    "id": "linear/eq-1",
    "statement": "It is b",
    "source": "paper 1",
    "kind": "result",
    "measured": "2",
    "expected": "2",
}


def plain(text):
    return [nodes.Text(text)]


def test_the_node_reads_like_the_claim_and_has_its_record():
    found = Claim(verdict="holds with a correction", correction="Twice b.", printed="1", **MADE)
    node = claim_node(found, plain)
    words = "✎ holds with a correction The paper says: It is b Here: Twice b."
    words += "result, paper 1; measured 2; expected 2; as printed 1"
    assert node.astext() == words
    assert Claim(**node["record"]) == found


def test_on_a_page_a_claim_is_a_paragraph_with_mathematics_and_an_anchor(html):
    claim = page(html, "linear/one").select_one("p > #claim-linear-prop-3")
    assert (claim.text, claim["class"]) == ("✓ holds", ["claim", "claim-holds"])
    paragraph = claim.find_parent("p")
    assert paragraph.select_one(".math").text == "κA|B"
    assert paragraph.select_one("br + .claim-evidence").text == "identity, paper 1, Property 3; 3, as expected"


def test_on_paper_a_claim_has_its_label_its_colour_and_its_small_print(latex):
    (document,) = latex.glob("*.tex")
    text = document.read_text()
    label = r"\phantomsection\label{\detokenize{chapters/linear/one:claim-linear-eq-16}}"
    shown = text.partition(label)[2].partition("\n\n")[0]
    assert re.match(r"\\verdict{correction}{.*?✎ holds with a correction.*?} .*?It is", shown, re.S)
    assert shown.rstrip().endswith(
        r"\newline \evidence{result, paper 1, Equation (16); measured 2; expected 2; as printed 1}"
    )


RECORD = {"id": "linear/eq-1", "measured": "3"}


def test_myst_nb_finds_the_renderer_once_without_an_installed_distribution():
    load_mime_renders.cache_clear()
    assert CheckRenderer not in load_mime_renders()
    for _ in range(2):
        setup(Mock())
        assert load_mime_renders().count(CheckRenderer) == 1


def test_the_record_becomes_one_node_that_is_not_seen():
    (node,) = CheckRenderer.handle_mime(None, MimeData(MIME, RECORD), False)
    assert isinstance(node, checked)
    assert (node["id"], node["record"], node.astext()) == ("linear/eq-1", RECORD, "")


@pytest.mark.parametrize(("kind", "inline"), [("text/plain", False), ("text/markdown", False), (MIME, True)])
def test_other_outputs_are_left_to_other_renderers(kind, inline):
    assert CheckRenderer.handle_mime(None, MimeData(kind, RECORD), inline) is None
