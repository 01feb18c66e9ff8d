"""A claim in the document tree: one node with its record, and how it is written on a page and on paper.

The directive ``claims`` makes the nodes where a chapter states claims; when the page is read, each gets the evidence of
its check, of which the cell that computed it keeps an unseen trace (`checked`). MyST-NB finds renderers of MIME types
as entry points of what is installed, once. The edition is run from its checkout and not installed, so it adds that of
checks to what was found.
"""

from dataclasses import asdict

from docutils import nodes
from myst_nb.core.render import load_mime_renders
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from capacity_studies.notebook.check import MIME
from edition.claims.claim import Claim, joined
from edition.claims.statements import ClaimsText, listed

logger = logging.getLogger(__name__)


class claim(nodes.paragraph):
    """A claim: its verdict, statement, correction and evidence; `record` is what the ledger has of it."""


class checked(nodes.Invisible, nodes.Element):
    """Where a cell checks the claim of an `id`; `record` is the evidence."""


class verdict(nodes.inline):
    """The verdict of a claim; `state` is the verdict in one word."""


class evidence(nodes.inline):
    """The small print of a claim, on a line of its own."""


def verdict_node(found, **attributes):
    """Return the verdict of a `Claim` with its sign."""
    classes = ["claim", f"claim-{found.state}"]
    return verdict("", found.mark(), state=found.state, classes=classes, **attributes)


def claim_node(found, inline):
    """Return the node of a `Claim`, whose verdict carries the anchor; `inline` makes nodes of a text in Markdown."""
    node = claim("", "", verdict_node(found, ids=[found.anchor]), record=asdict(found))
    if found.voice:
        node += [nodes.Text(" "), nodes.emphasis("", found.voice)]
    node += [nodes.Text(" "), *inline(found.statement)]
    word, text = found.note
    if text:
        node += [nodes.Text(" "), nodes.emphasis("", word), nodes.Text(" "), *inline(text)]
    node += evidence_node(found)
    return node


class ClaimList(ClaimsText, SphinxDirective):
    """The statements of a list."""

    def run(self):
        """Return the nodes, still without evidence."""
        try:
            found = listed(self.content)
        except ValueError as error:
            raise self.error(str(error)) from None
        return [claim_node(each, lambda text: self.state.inline_text(text, self.lineno)[0]) for each in found]


def join(app, doctree):
    """Give the claims of a page the evidence of their checks."""
    found = {node["record"]["id"]: node for node in doctree.findall(claim)}
    evidence = {node["id"]: node["record"] for node in doctree.findall(checked)}
    problems = [f"a check of {id}, which the page does not state" for id in sorted(evidence.keys() - found.keys())]
    for id, node in found.items():
        try:
            whole = joined(Claim(**node["record"]), evidence.get(id))
        except ValueError as error:
            problems.append(str(error))
        else:
            node["record"] = asdict(whole)
            node[0].replace_self(verdict_node(whole, ids=[whole.anchor]))
            node[-1].replace_self(evidence_node(whole))
    for problem in problems:
        logger.warning(problem, location=app.env.docname)


def evidence_node(found):
    """Return the small print of a `Claim`."""
    return small_print(found.evidence_line())


def small_print(text):
    """Return a line of evidence."""
    return evidence("", "", *with_formulas(text), classes=["claim-evidence"])


def with_formulas(text):
    """Return a text as nodes; formulas stand between dollars in it."""
    parts = enumerate(text.split("$"))
    return [nodes.math("", part) if place % 2 else nodes.Text(part) for place, part in parts]


def visit_evidence_html(writer, node):
    writer.body.append("<br>\n")
    writer.visit_inline(node)


def depart_evidence_html(writer, node):
    writer.depart_inline(node)


def visit_verdict_latex(writer, node):
    """Begin a verdict in its colour, with the label that links lead to."""
    labels = "".join(writer.hypertarget(id) for id in node["ids"])
    writer.body.append(rf"{labels}\verdict{{{node['state']}}}{{")


def visit_evidence_latex(writer, node):
    writer.body.append(r"\newline \evidence{")


def close_brace(writer, node):
    writer.body.append("}")


def skip(writer, node):
    raise nodes.SkipNode


class CheckRenderer:
    """The plugin: of all that a check's output offers, its record is kept, in a node that is not seen."""

    mime_priority_overrides = (("*", MIME, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Return the node of a check in a list, None for any other output."""
        if data.mime_type != MIME or inline:
            return None
        return [checked("", id=data.content["id"], record=dict(data.content))]


def setup(app):
    """Register the extension; what is not said here is written as a paragraph or as an inline text."""
    app.add_node(claim)
    app.add_node(checked, html=(skip, None), latex=(skip, None))
    app.add_directive("claims", ClaimList)
    app.connect("doctree-read", join, priority=400)  # before others count or move claims
    app.add_node(verdict, latex=(visit_verdict_latex, close_brace))
    app.add_node(evidence, html=(visit_evidence_html, depart_evidence_html), latex=(visit_evidence_latex, close_brace))
    if CheckRenderer not in (found := load_mime_renders()):  # the list that MyST-NB keeps
        found.append(CheckRenderer)
