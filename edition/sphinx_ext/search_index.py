"""What the search knows of a page: the text of the article, without code, its outputs, evidence, and formulas.

Captions of figures are text of the article. Pages of the programming interface keep the text of their docstrings.
"""

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder

__all__ = ["Pages", "article"]

LEFT_OUT = (nodes.raw, nodes.math, nodes.math_block, nodes.comment)
CLASSES = {"cell_input", "claim", "claim-evidence", "chapter-links", "scale-note", "toctree-wrapper"}


class Pages(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with an index of articles in place of one of all that the pages hold."""

    def index_page(self, pagename, doctree, title):
        """Add a page to the index of the search."""
        super().index_page(pagename, article(doctree), title)


def article(doctree):
    """Return a copy of a page's tree that holds its article's text only.

    Parameters
    ----------
    doctree : docutils.nodes.document
        The tree that the page is written from, which stays as it is.

    Returns
    -------
    docutils.nodes.document
    """
    text = doctree.deepcopy()
    for node in list(text.findall(_is_output)):
        node[:] = [caption.deepcopy() for caption in node.findall(nodes.caption)]
    for node in list(text.findall(_is_left_out)):
        node.parent.remove(node)
    return text


def _is_output(node):
    return isinstance(node, nodes.container) and "cell_output" in node["classes"]


def _is_left_out(node):
    return isinstance(node, LEFT_OUT) or (isinstance(node, nodes.Element) and bool(CLASSES & set(node["classes"])))


def setup(app):
    """Register the extension."""
    app.add_builder(Pages, override=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
