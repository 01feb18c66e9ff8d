"""Checks on paper: a claim that holds is a mark in the margin, which leads to its entry in the ledger, and back.

The mark stands beside what has the label of the claim, as on a page (`edition.sphinx_ext.checks`), or else beside what
its section ends with. TeX keeps marks beside paragraphs apart, and those in figures and statements with what they mark.
"""

from docutils import nodes

from edition.sphinx_ext.checks import beside, block_of, claims_by_id, found, is_checks, marks_of, speaks
from edition.sphinx_ext.claim_nodes import claim, close_brace, verdict
from edition.sphinx_ext.claim_records import LEDGER
from edition.sphinx_ext.ledger_page import entry_of

__all__ = ["move_to_margin"]


class margin(nodes.General, nodes.Element):
    """The marks beside one block; `command` is the one of printing.sty that sets them."""


class margin_mark(nodes.Inline, nodes.Element):
    """A mark with the anchors of its claims."""


def move_to_margin(page):
    """Replace the claims of a page that hold by marks in the margin, whose ids are returned; others lead to the ledger.

    In the tree of the page, definitions, exercises and the like are not set yet.
    """
    marked = beside(page)
    labelled = {made.id for claims in marked.values() for made in claims}
    for id, node in claims_by_id(page).items():
        if speaks(node):
            _link_verdict(node)
        elif id not in labelled:
            marked.setdefault(_before(block_of(node)), []).append(found(node))
    for block, claims in marked.items():
        _mark(block, claims)
    for node in list(page.findall(claim)):
        if not speaks(node):
            node.parent.remove(node)
    for cell in list(page.findall(is_checks)):
        cell.parent.remove(cell)
    return {made.id for claims in marked.values() for made in claims}


def _before(block):
    """Return the last block before one in its section that is seen, the block itself where there is none."""
    for node in reversed(block.parent[: block.parent.index(block)]):
        if not isinstance(node, (nodes.target, nodes.comment, nodes.Invisible, nodes.title)) and not (
            isinstance(node, claim) and not speaks(node)
        ):
            return node
    return block


def _link_verdict(node):
    """Let the verdict of a claim that stays in the text lead to the ledger."""
    shown_verdict = node.next_node(verdict)
    shown_verdict[:] = [_link(found(node), shown_verdict.astext())]


def _mark(block, claims):
    """Put the marks of claims where TeX sets them beside a block."""
    marks = margin("", command="marksbeside")
    for text, group in marks_of(claims):
        marks += margin_mark("", _link(group[0], text), ids=[made.anchor for made in group])
    if isinstance(block, nodes.paragraph) and not isinstance(block, claim):
        block.insert(0, marks)
    elif figure := next(block.findall(nodes.figure), None):
        marks["command"] = "marksinside"
        figure.insert(0, marks)
    elif "realtype" in block:
        marks["command"] = "marksinside"
        block[0].insert(0, marks)
    else:
        marks["command"] = "marksbelow"
        block.parent.insert(block.parent.index(block), marks)


def _link(made, text):
    return nodes.reference("", text, refuri=f"%{LEDGER}#{entry_of(made)}", internal=True)


def visit_margin(writer, node):
    """Begin the marks of a block."""
    writer.body.append(f"\\{node['command']}{{")


def visit_mark(writer, node):
    """Begin a mark with the labels that the ledger names."""
    writer.body.append("".join(writer.hypertarget(id) for id in node["ids"]) + r"\holdsmark{")


def setup(app):
    """Register the extension."""
    app.add_node(margin, latex=(visit_margin, close_brace))
    app.add_node(margin_mark, latex=(visit_mark, close_brace))
