"""The coverage of the sources: what became of their sentences, section by section."""

from itertools import groupby

from docutils import nodes

from edition.claims.coverage import REASONS, SOURCES, read_coverage
from edition.sphinx_ext.claim_records import ClaimsDirective, badge_to, spaced
from edition.sphinx_ext.shared import fold


class Coverage(ClaimsDirective):
    """The sentences of one source, neighbours of the same kind in one row."""

    required_arguments = 1

    def show(self, records):
        """Return a sentence with the counts and a table, folded."""
        rows = [row for row in read_coverage(self.env.srcdir) if row.source == self.arguments[0]]
        if not rows:
            return [nodes.paragraph("", "Nothing is covered yet.")]
        by_id = {record["id"]: record for record in records}
        checked = sum(bool(row.claims) for row in rows)
        text = f"{SOURCES[self.arguments[0]]}: {len(rows)} sentences; claims check {checked} of them, and for "
        counts = [f"{sum(row.reason == reason for row in rows)} {reason}" for reason in REASONS]
        text += f"{len(rows) - checked} there is no statement to check: {', '.join(counts)}."
        body = [
            [[[nodes.Text(section)]], [[nodes.Text(numbers(list(run)))]], [self.what(claims, reason, by_id)]]
            for (section, claims, reason), run in groupby(rows, key=lambda row: (row.section, row.claims, row.reason))
        ]
        table = self.table(["Section", "Sentences", "Claims or reason"], body, [22, 14, 64])
        summary = f"{SOURCES[self.arguments[0]]}, sentence by sentence"
        return [nodes.paragraph("", text), fold("", table, summary=summary, classes=["quiet"])]

    def what(self, claims, reason, by_id):
        """Return links to the claims, or the reason."""
        links = (badge_to(self.env.app.builder, self.env.docname, by_id[id], id) for id in claims)
        return spaced(links) or [nodes.emphasis("", reason)]


class Reasons(ClaimsDirective):
    """The closed list of reasons."""

    def run(self):
        entries = [
            nodes.definition_list_item("", nodes.term("", name), nodes.definition("", nodes.paragraph("", meaning)))
            for name, meaning in REASONS.items()
        ]
        return [nodes.definition_list("", *entries)]


def numbers(run):
    """Return the numbers of neighbouring sentences as a short text."""
    first, last = run[0].number, run[-1].number
    return f"{first}" if first == last else f"{first} to {last}"


def setup(app):
    app.setup_extension("edition.sphinx_ext.shared")
    app.add_directive("claims-coverage", Coverage)
    app.add_directive("claims-coverage-reasons", Reasons)
