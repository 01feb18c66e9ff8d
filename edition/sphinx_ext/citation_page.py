"""Directives that show how to cite the edition or a paper, and where to get the edition: what is not known is said."""

from pathlib import Path

from docutils import nodes
from pybtex.database import BibliographyData, parse_file
from sphinx.util.docutils import SphinxDirective

from edition.citation import as_text, edition_entry
from edition.sphinx_ext.figure_passports import recorded


class Citation(SphinxDirective):
    """How to cite ``edition``, or the paper that has the argument as its key in references.bib."""

    required_arguments = 1

    def run(self):
        """Return the reference as a sentence, and its BibTeX entry."""
        key = self.arguments[0]
        text, entry = self.edition() if key == "edition" else self.paper(key)
        return [
            nodes.paragraph("", text, classes=["citation-text"]),
            nodes.literal_block(entry, entry, language="bibtex"),
        ]

    def edition(self):
        """Return both for this copy of the edition."""
        if (content := recorded(self.env)) is None:
            return "The version is shown when the book is built by its own command.", "see CITATION.cff"
        shared = content["edition"]
        commit = f"commit {shared['commit']}" if "commit" in shared else ""
        address = resolved(shared) or shared.get("url")
        rest = [f"Version {shared['version']}", commit, address]
        return as_text(shared["authors"], shared["year"], shared["title"], rest), edition_entry(shared)

    def paper(self, key):
        """Return both for a paper of arXiv."""
        entries = parse_file(str(Path(self.env.srcdir) / "references.bib")).entries
        if key not in entries or "eprint" not in entries[key].fields:
            raise self.error(f"citation: expected edition or a paper of references.bib with eprint, got {key!r}")
        fields, number = entries[key].fields, entries[key].fields["eprint"]
        place = [f"arXiv:{number}", f"https://arxiv.org/abs/{number}"]
        text = as_text(map(str, entries[key].persons["author"]), fields["year"], fields["title"], place)
        return text, BibliographyData({key: entries[key]}).to_string("bibtex").strip()


class Obtain(SphinxDirective):
    """The line that installs the package, and the addresses that this copy knows."""

    def run(self):
        """Return both; they are those of CITATION.cff."""
        shared = (recorded(self.env) or {"edition": {}})["edition"]
        source = requirement(shared)
        line = f"pip install {source}"
        where = [nodes.Text("This line is for the folder of a copy of the sources. ")] if source == "." else []
        for name, address in (("repository", shared.get("repository")), ("DOI", resolved(shared))):
            link = nodes.reference("", address, refuri=address) if address else nodes.Text("not set in this copy")
            where += [nodes.Text(f"{name[:1].upper()}{name[1:]}: "), link, nodes.Text(". ")]
        return [nodes.literal_block(line, line, language="text"), nodes.paragraph("", "", *where)]


def requirement(shared):
    """Return what pip installs: a name on the package index, else the repository, else the folder of the sources.

    >>> requirement({"index": "https://a.example/project/name/", "repository": "https://b.example"}), requirement({})
    ('name', '.')
    """
    if "index" in shared:
        return shared["index"].rstrip("/").rpartition("/")[2]
    return f'"capacity-allocation @ git+{shared["repository"]}"' if "repository" in shared else "."


def resolved(shared):
    """Return the address of the DOI, None without one."""
    return f"https://doi.org/{shared['doi']}" if "doi" in shared else None


def setup(app):
    """Register the extension."""
    app.add_directive("obtain", Obtain)
    app.add_directive("citation", Citation)
