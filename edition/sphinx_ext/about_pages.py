"""Directives of the pages about this edition: how a copy was made, how to cite it or a paper, and where to get it."""

from pathlib import Path

from docutils import nodes
from pybtex.database import BibliographyData, parse_file
from sphinx.util.docutils import SphinxDirective

from edition.book import SCALES
from edition.citation import as_text, edition_entry
from edition.sphinx_ext.claim_records import ClaimsDirective
from edition.sphinx_ext.figures_page import recorded
from edition.sphinx_ext.shared import fold, staged

COLUMNS = {"seconds": "Seconds", "megabytes": "Memory (MB)", "cells": "Code cells", "claims": "Claims"}
NEVER = "The receipt is written when the book is built by its own command."


class Receipt(ClaimsDirective):
    """The receipt: a list, and folded a row for each chapter. Of all this the search, alike in all builds, has none."""

    def run(self):
        if (found := staged(self.env, "receipt.json")) is None:
            return [nodes.paragraph("", NEVER)]
        table = self.chapters(found["chapters"], found["scale"])
        return [*self.made_with(found), fold("", table, summary="Chapter by chapter", classes=["quiet", "receipt"])]

    def made_with(self, found):
        """Return the list of what the book was made with."""
        edition = found["edition"]
        lines = {
            "Version": edition["version"] + (f", commit {edition['commit']}" if "commit" in edition else ""),
            "Part": f"{found['part']} (all is the whole book)",
            "Scale": f"{found['scale']} (the default scale is that of the papers)",
            "Python": found["python"],
            "System": found["system"],
            "Processor": f"{found['processor']}, {found['cores']} cores",
            "Locked dependencies": found["lock"],
            "Packages used": f"{len(found['packages'])}, with their versions in the file below",
        }
        items = [
            nodes.field("", nodes.field_name("", name), nodes.field_body("", nodes.paragraph("", text)))
            for name, text in lines.items()
        ]
        link = nodes.reference("", "receipt.json", refuri=f"{'../' * self.env.docname.count('/')}receipt.json")
        text = [nodes.Text("The same for machines: "), link, nodes.Text(".")]
        return [nodes.field_list("", *items, classes=["receipt"]), nodes.paragraph("", "", *text)]

    def chapters(self, found, scale):
        """Return the table of what each chapter took, and the sums."""
        size = "" if scale == SCALES[0] else f" SCALE={scale}"
        figures = recorded(self.env)["figures"]
        rows = [[self.chapter(k, figures, size), *(_cell(took[key]) for key in COLUMNS)] for k, took in found.items()]
        known = {key: [took[key] for took in found.values() if took[key] is not None] for key in COLUMNS}
        totals = [max(values, default=0) if key == "megabytes" else sum(values) for key, values in known.items()]
        rows.append([[[nodes.Text("All (largest memory)")]], *map(_cell, totals)])
        return self.table(["Chapter", *COLUMNS.values()], rows, [60, 10, 10, 10, 10])

    def chapter(self, name, figures, size):
        """Return links to a chapter by its title and to its figures, and the command that executes it."""
        drawn = ", ".join(f"{{numref}}`{each['name']}`" for each in figures if each["chapter"] == name)
        texts = [f"{{doc}}`/chapters/{name}`", drawn, f"`make run CHAPTER={name}{size}`"]
        return [self.inline(text) for text in texts if text]


def _cell(value):
    text = "not known" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)
    return [[nodes.Text(text)]]


class Citation(SphinxDirective):
    """How to cite ``edition``, or the paper that has the argument as its key in references.bib."""

    required_arguments = 1

    def run(self):
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
    app.setup_extension("edition.sphinx_ext.shared")
    app.add_directive("build-receipt", Receipt)
    app.add_directive("obtain", Obtain)
    app.add_directive("citation", Citation)
