"""What the search knows of a page: the text of the article, without code, its outputs, evidence, and formulas.

Captions of figures are text of the article. Pages of the programming interface keep the text of their docstrings.
"""

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.index_entries import split_index_msg

__all__ = ["Pages", "article"]

LEFT_OUT = (nodes.raw, nodes.math, nodes.math_block, nodes.comment)
CLASSES = {"cell_input", "claim", "claim-evidence", "chapter-links", "scale-note", "toctree-wrapper"}


class Pages(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with an index of articles in place of one of all that the pages hold."""

    def index_page(self, pagename, doctree, title):
        """Add a page to the index of the search."""
        super().index_page(pagename, article(doctree), title)

    # Where some pages are kept, Sphinx's index is not that of a build from nothing, and there is no public way to it.

    def load_indexer(self, docnames):
        """Load the former index for the pages that are kept, with their entries of the general index."""
        super().load_indexer(docnames)
        for docname in self.env.found_docs - set(docnames):
            listed = self.env.get_domain("index").entries.get(docname, [])
            found = {
                (text, id or "", main) for kind, value, id, main, _ in listed for text in split_index_msg(kind, value)
            }
            self.indexer._index_entries[docname] = sorted(found)

    def dump_search_index(self):
        """Write the index in the order of the pages, without words that were on a former page only."""
        for words in (self.indexer._mapping, self.indexer._title_mapping):
            for word in [word for word, pages in words.items() if not pages]:
                del words[word]
        self.indexer._index_entries = dict(sorted(self.indexer._index_entries.items()))
        super().dump_search_index()


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
