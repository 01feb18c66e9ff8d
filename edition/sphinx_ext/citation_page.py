"""The directive that shows how to cite the edition or a paper, and the links that open a chapter elsewhere."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from edition.citation import as_text, edition_entry, paper_entry
from edition.metadata import binder, papers_at
from edition.sphinx_ext.figures_page import recorded


class Citation(SphinxDirective):
    """How to cite ``edition``, or the paper that has the argument as its key in references.bib."""

    required_arguments = 1

    def run(self):
        """Return the reference as a sentence, and its BibTeX entry."""
        key = self.arguments[0]
        text, entry = self.edition() if key == "edition" else self.paper(key)
        return [nodes.paragraph("", text), nodes.literal_block(entry, entry, language="bibtex")]

    def edition(self):
        """Return both for this copy of the edition."""
        if (content := recorded(self.env)) is None:
            return "The version is shown when the book is built by its own command.", "see CITATION.cff"
        shared = content["edition"]
        commit = f"commit {shared['commit']}" if "commit" in shared else ""
        address = f"https://doi.org/{shared['doi']}" if "doi" in shared else shared.get("url")
        rest = [f"Version {shared['version']}", commit, address]
        year = shared.get("date-released", "")[:4]
        return as_text(shared["authors"], year, shared["title"], rest), edition_entry(shared)

    def paper(self, key):
        """Return both for a paper."""
        path = Path(self.env.srcdir) / "references.bib"
        self.env.note_dependency(str(path))
        try:
            (found,) = papers_at(path, [key])
        except ValueError as error:
            raise self.error(str(error)) from None
        authors = [author.inverted for author in found.authors]
        return as_text(authors, found.year, found.title, [f"arXiv:{found.arxiv}", found.url]), paper_entry(found)


def add_links(app, doctree, docname):
    """Below the title of an executed chapter, link to what it is on disk, and where known to a Jupyter that runs it."""
    path = Path(app.env.doc2path(docname))
    if app.builder.format != "html" or (content := recorded(app.env)) is None or path.suffix != ".ipynb":
        return
    source = f"{'../' * docname.count('/')}_sources/{docname}"
    links = {"Executed notebook": f"{source}.ipynb", "Its text": f"{source}.md"}
    shared = content["edition"]
    if "repository" in shared:
        name, commit = docname.removeprefix("chapters/"), shared.get("commit", "HEAD").split()[0]
        links["Run in Binder"] = binder(shared["repository"], commit, name)
        links["Source"] = f"{shared['repository']}/blob/{commit}/{docname}.md"
    line = nodes.paragraph(classes=["chapter-links"])
    for index, (text, address) in enumerate(links.items()):
        line += [nodes.Text(" · " if index else ""), nodes.reference("", text, refuri=address)]
    title = doctree.next_node(nodes.title)
    title.parent.insert(title.parent.index(title) + 1, line)


def setup(app):
    """Register the extension."""
    app.add_directive("citation", Citation)
    app.connect("doctree-resolved", add_links)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
