"""Marks in the margin of the book on paper: beside what they stand, and what becomes of the cells of claims."""

from dataclasses import replace

import pytest
from docutils import nodes

from edition.claims.claim import CORRECTED, HOLDS, Claim
from edition.sphinx_ext.claim_nodes import checked, claim, claim_node
from edition.sphinx_ext.margin import margin, margin_mark, move_to_margin

MADE = Claim("linear/eq-1", "It is b", "paper 1, Equation (1)", "identity", HOLDS, reading="2, as expected")


def made(number, **changes):
    """Return the node of a claim."""
    return claim_node(replace(MADE, id=f"linear/eq-{number}", **changes), lambda text: [nodes.Text(text)])


def cell(*claims):
    """Return claims, and after them the cell that checks them as MyST-NB makes it."""
    output = nodes.container("", *(checked("", id=n["record"]["id"], record={}) for n in claims))
    return [*claims, nodes.container("", output, nb_element="cell_code", classes=["cell", "tag_checks"])]


def moved(*content):
    """Return a section with this content whose claims are in the margin, and what was marked."""
    page = nodes.section("", nodes.title("", "Title"), *content)
    return page, move_to_margin(page)


def test_a_claim_is_marked_beside_the_text_before_it_and_its_cell_is_gone():
    page, marked = moved(nodes.paragraph("", "Words."), *cell(made(1)), nodes.paragraph("", "After."))
    assert marked == {"linear/eq-1"}
    assert [node.astext() for node in page[1:]] == ["✓ Equation 1Words.", "After."]
    (mark,) = page.findall(margin_mark)
    assert mark["ids"] == ["claim-linear-eq-1"]
    assert mark[0]["refuri"] == "%chapters/claims#entry-claim-linear-eq-1"


@pytest.mark.parametrize(
    ("block", "command"),
    [
        (nodes.paragraph("", "a"), "marksbeside"),
        (nodes.math_block("", "a = b"), "marksbelow"),
        (nodes.figure("", nodes.image()), "marksinside"),
        (nodes.admonition("", nodes.title("", "Sums"), realtype="property"), "marksinside"),
        (nodes.bullet_list(), "marksbelow"),
    ],
)
def test_each_block_has_the_command_that_tex_can_set_there(block, command):
    page, _ = moved(block, *cell(made(1)))
    assert [marks["command"] for marks in page.findall(margin)] == [command]


def test_a_mark_stands_beside_what_has_the_label_of_the_claim():
    equation = nodes.math_block("", "a = b", label="linear-eq-1")
    page, _ = moved(equation, nodes.paragraph("", "Then."), *cell(made(1), made("1/again"), made(2)))
    assert [node.astext() for node in page[1:]] == ["✓ Equation 1 (2)", "a = b", "✓ Equation 1Then."]
    assert [len(mark["ids"]) for mark in page.findall(margin_mark)] == [2, 1]


def test_a_claim_without_text_before_it_is_marked_where_it_was():
    page, _ = moved(*cell(made(1)), nodes.paragraph("", "After."))
    assert page[1].astext() == "✓ Equation 1"


@pytest.mark.parametrize("changes", [{"verdict": CORRECTED, "correction": "It is c."}, {"problem": "it is d"}])
def test_what_does_not_simply_hold_stays_in_the_text_with_its_evidence_and_leads_to_the_ledger(changes):
    page, marked = moved(nodes.paragraph("", "Words."), *cell(made(1, **changes), made(2)))
    assert marked == {"linear/eq-2"}
    (stays,) = page.findall(claim)
    assert stays.astext() == made(1, **changes).astext()
    assert [link["refuri"] for link in stays.findall(nodes.reference)] == ["%chapters/claims#entry-claim-linear-eq-1"]
