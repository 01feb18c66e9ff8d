"""The claims of the book as its pages need them: records, links, and what directives of claims share."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from edition.claims.labels import PAPERS
from edition.claims.ledger import as_claim
from edition.sphinx_ext.claim_nodes import with_formulas
from edition.sphinx_ext.shared import staged

TITLES = {
    "linear": "Paper 1",
    "layers": "Paper 2",
    "expressivity": "Companion: expressivity",
    "geometry": "Companion: information geometry",
    "companions": "Companions",
    "beyond": "Beyond the papers",
}
FILE, LEDGER = "claims.json", "chapters/claims"


def recorded(env):
    """Return the claims' records, None where the chapters were not executed by the edition."""
    return (staged(env, FILE) or {"claims": None})["claims"]


def uri_to(builder, docname, target):
    """Return the address of another page; LaTeX's builder takes its name, and knows no address while pages are read."""
    return f"%{target}" if builder.name == "latex" else builder.get_relative_uri(docname, target)


def section_of(verdict):
    """Return the anchor at which the ledger lists the claims of a verdict, and which its filter goes by."""
    return f"verdict-{verdict.replace(' ', '-')}"


def link_to(builder, docname, record, text, **attributes):
    """Return a link from a page to the place where its chapter makes the claim."""
    uri = uri_to(builder, docname, f"chapters/{record['chapter']}")
    return nodes.reference("", text, refuri=f"{uri}#{as_claim(record).anchor}", internal=True, **attributes)


def spaced(links):
    """Return links with a space after each."""
    return [node for link in links for node in (link, nodes.Text(" "))]


def badge_to(builder, docname, record, text):
    """Return a link to a claim that looks like its verdict."""
    claim = as_claim(record)
    title = f"{claim.verdict}: {claim.id}"
    return link_to(builder, docname, record, text, classes=["claim", f"claim-{claim.state}"], reftitle=title)


class ClaimsDirective(SphinxDirective):
    """What the directives share: the records, inline Markdown, tables."""

    def run(self):
        if (records := recorded(self.env)) is None:
            return [nodes.paragraph("", "The claims are collected when the book is built by its own command.")]
        return self.show(records)

    def inline(self, text):
        """Return a Markdown text as inline nodes."""
        return self.state.inline_text(text, self.lineno)[0]

    def where(self, record):
        """Return the link from a claim to the place where its chapter makes it."""
        paper = PAPERS.get(record["id"].partition("/")[0])
        place = record["source"].removeprefix(f"{paper}, ")
        return link_to(self.env.app.builder, self.env.docname, record, place)

    def badge(self, record):
        """Return the verdict as the chapters show it."""
        found = as_claim(record)
        return nodes.inline("", found.mark(), classes=["claim", f"claim-{found.state}"])

    @staticmethod
    def small(text):
        """Return text as small as the evidence of claims."""
        return nodes.inline("", "", *with_formulas(text), classes=["claim-evidence"])

    def table(self, head, rows, widths):
        """Return a table of cells, each a list of paragraphs of inline nodes."""
        table, group = (
            nodes.table(classes=["claims-table", "longtable", "colwidths-given"]),
            nodes.tgroup(cols=len(head)),
        )
        group += [nodes.colspec(colwidth=width) for width in widths]
        group += nodes.thead("", self.row([[[nodes.Text(text)]] for text in head]))
        group += nodes.tbody("", *(self.row(row) for row in rows))
        table += group
        return table

    @staticmethod
    def row(cells):
        """Return a table row."""
        return nodes.row("", *(nodes.entry("", *(nodes.paragraph("", "", *p) for p in cell)) for cell in cells))
