"""A claim in the document tree: one node with its record, and how it is written on a page and on paper."""

from dataclasses import asdict

from docutils import nodes

__all__ = ["claim", "claim_node", "evidence", "verdict", "verdict_node"]


class claim(nodes.paragraph):
    """A claim: its verdict, statement, correction and evidence; `record` is what the ledger has of it."""


class verdict(nodes.inline):
    """The verdict of a claim; `state` is the verdict in one word."""


class evidence(nodes.inline):
    """The small print of a claim, on a line of its own."""


def verdict_node(found, **attributes):
    """Return the verdict of a `Claim` with its sign."""
    classes = ["claim", f"claim-{found.state}"]
    return verdict("", found.mark(), state=found.state, classes=classes, **attributes)


def claim_node(found, inline):
    """Return the node of a `Claim`.

    Parameters
    ----------
    found : Claim
    inline : callable
        From a text in Markdown to a list of inline nodes.

    Returns
    -------
    claim
        Its verdict carries the claim's anchor.
    """
    node = claim("", "", verdict_node(found, ids=[found.anchor]), record=asdict(found))
    node += [nodes.Text(" "), *inline(found.statement)]
    word, text = found.note
    if text:
        node += [nodes.Text(" "), nodes.emphasis("", word), nodes.Text(" "), *inline(text)]
    node += evidence("", found.evidence_line(), classes=["claim-evidence"])
    return node


def visit_evidence_html(writer, node):
    """Begin the line of the evidence."""
    writer.body.append("<br>\n")
    writer.visit_inline(node)


def depart_evidence_html(writer, node):
    """End the evidence."""
    writer.depart_inline(node)


def visit_verdict_latex(writer, node):
    """Begin a verdict in its colour, with the label that links lead to."""
    labels = "".join(writer.hypertarget(id) for id in node["ids"])
    writer.body.append(rf"{labels}\verdict{{{node['state']}}}{{")


def visit_evidence_latex(writer, node):
    """Begin the line of the evidence."""
    writer.body.append(r"\newline \evidence{")


def close_brace(writer, node):
    """End what a command of LaTeX applies to."""
    writer.body.append("}")


def setup(app):
    """Register the extension; what is not said here is written as a paragraph or as an inline text."""
    app.add_node(claim)
    app.add_node(verdict, latex=(visit_verdict_latex, close_brace))
    app.add_node(evidence, html=(visit_evidence_html, depart_evidence_html), latex=(visit_evidence_latex, close_brace))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
