"""What is shown on demand: a browser folds it by itself, without a script; on paper nothing is folded."""

from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

__all__ = ["as_it_stands", "depart_fold", "fold"]


class fold(nodes.General, nodes.Element):
    """What is folded: `summary` is the line that opens it."""


class Fold(SphinxDirective):
    """What a page folds: the argument is the line that opens it."""

    required_arguments, final_argument_whitespace, has_content = 1, True, True

    def run(self):
        """Return the content, folded."""
        return [fold("", *self.parse_content_to_nodes(), summary=self.arguments[0], classes=["quiet"])]


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
    app.add_directive("fold", Fold)
    app.add_node(fold, html=(visit_fold, depart_fold), latex=(as_it_stands, as_it_stands))
