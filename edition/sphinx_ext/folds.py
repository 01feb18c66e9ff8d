"""What is shown on demand: a browser folds it by itself, without a script; on paper nothing is folded."""

from html import escape

from docutils import nodes

__all__ = ["as_it_stands", "depart_fold", "fold"]


class fold(nodes.General, nodes.Element):
    """What is folded: `summary` is the line that opens it."""


def visit_fold(writer, node):
    """Begin what is folded."""
    writer.body.append(writer.starttag(node, "details") + f"<summary>{escape(node['summary'])}</summary>\n")


def depart_fold(writer, node):
    """End what is folded."""
    writer.body.append("</details>\n")


def as_it_stands(writer, node):
    """Write the content only."""


def setup(app):
    """Register the extension."""
    app.add_node(fold, html=(visit_fold, depart_fold), latex=(as_it_stands, as_it_stands))
