"""Directives that show the claims collected from the executed chapters: their counts, the ledger, the errata."""

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from edition.claims import CORRECTED, FAILS, VERDICTS, Claim

TITLES = {"linear": "Paper 1", "layers": "Paper 2", "companions": "Companions", "beyond": "Beyond the papers"}


def as_claim(record):
    """Return the claim that a record holds."""
    return Claim(**{field.name: record.get(field.name) for field in fields(Claim)})


class ClaimsDirective(SphinxDirective):
    """What the directives share: the records, inline Markdown, tables."""

    def records(self):
        """Return the claims' records, None where the chapters were not executed by the edition."""
        path = Path(self.env.srcdir) / "claims.json"
        if not path.exists():
            return None
        self.env.note_dependency(str(path))
        return json.loads(path.read_text(encoding="utf-8"))["claims"]

    def run(self):
        """Return the nodes, or a sentence that says why there are none."""
        if (records := self.records()) is None:
            return [nodes.paragraph("", "The claims are collected when the book is built by its own command.")]
        return self.show(records)

    def inline(self, text):
        """Return a Markdown text as inline nodes."""
        return self.state.inline_text(text, self.lineno)[0]

    def where(self, record):
        """Return the link from a claim to the place where its chapter makes it."""
        uri = self.env.app.builder.get_relative_uri(self.env.docname, f"chapters/{record['chapter']}")
        place = record["source"].partition(", ")[2] or record["source"]
        return nodes.reference("", place, refuri=f"{uri}#{as_claim(record).anchor}", internal=True)

    def badge(self, record):
        """Return the verdict as the chapters show it."""
        found = as_claim(record)
        return nodes.inline("", found.mark(), classes=["claim", f"claim-{found.kind}"])

    def details(self, record):
        """Return measured, expected, printed and tolerance as small text."""
        return nodes.inline("", as_claim(record).details(), classes=["claim-evidence"])

    def table(self, head, rows, widths):
        """Return a table of cells, each a list of paragraphs of inline nodes."""
        table, group = nodes.table(classes=["claims-table"]), nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=width) for width in widths]
        group += nodes.thead("", self.row([[[nodes.Text(text)]] for text in head]))
        group += nodes.tbody("", *(self.row(row) for row in rows))
        table += group
        return table

    @staticmethod
    def row(cells):
        """Return a table row."""
        return nodes.row("", *(nodes.entry("", *(nodes.paragraph("", "", *p) for p in cell)) for cell in cells))


class Overview(ClaimsDirective):
    """How many claims of each paper have which verdict."""

    def show(self, records):
        """Return the table of counts."""
        counts = Counter((record["id"].split("/")[0], record["verdict"]) for record in records)
        parts = [part for part in TITLES if any(key[0] == part for key in counts)]
        rows = [[TITLES[part], *(str(counts[part, v]) for v in VERDICTS)] for part in parts]
        rows += [["All", *(str(sum(counts[part, v] for part in parts)) for v in VERDICTS)]]
        head = ["", *(f"{sign} {verdict}" for verdict, sign in VERDICTS.items())]
        table = self.table(head, [[[[nodes.Text(text)]] for text in row] for row in rows], [24, 19, 19, 19, 19])
        link = nodes.reference("", "claims.json", refuri=f"{'../' * self.env.docname.count('/')}claims.json")
        text = nodes.Text("The same claims, with the numbers behind them, are in one file for machines: ")
        return [table, nodes.paragraph("", "", text, link, nodes.Text("."))]


class Ledger(ClaimsDirective):
    """All claims of one part."""

    required_arguments = 1

    def show(self, records):
        """Return the table of the part's claims."""
        rows = [
            [[[self.where(r)]], [self.inline(r["statement"]), *self.note(r), [self.details(r)]], [[self.badge(r)]]]
            for r in records
            if r["id"].split("/")[0] == self.arguments[0]
        ]
        if not rows:
            return [nodes.paragraph("", "No claim yet.")]
        return [self.table(["Where", "Statement", "Verdict"], rows, [18, 62, 20])]

    def note(self, record):
        """Return the paragraph of the correction, if there is one."""
        word, text = as_claim(record).note
        return [[nodes.emphasis("", word), nodes.Text(" "), *self.inline(text)]] if text else []


class Errata(ClaimsDirective):
    """The statements of one paper that need a correction or do not hold."""

    required_arguments = 1

    def show(self, records):
        """Return the table of corrections."""
        rows = [
            [[[self.where(r)]], [self.inline(r["statement"])], [self.inline(r["correction"]), [self.details(r)]]]
            for r in records
            if r["id"].split("/")[0] == self.arguments[0] and r["verdict"] in (CORRECTED, FAILS)
        ]
        if not rows:
            return [nodes.paragraph("", "No correction was needed so far.")]
        return [self.table(["Where", "Statement", "What is found"], rows, [18, 38, 44])]


def setup(app):
    """Register the directives."""
    app.add_directive("claims-overview", Overview)
    app.add_directive("claims-ledger", Ledger)
    app.add_directive("claims-errata", Errata)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
