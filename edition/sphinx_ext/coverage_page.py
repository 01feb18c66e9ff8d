"""Two tables of claims: the coverage of the sources by section, and what came out where something was different."""

from itertools import groupby

from docutils import nodes

from edition.claims.coverage import REASONS, SOURCES, read_coverage
from edition.recorded import ROBUSTNESS
from edition.sphinx_ext.claim_records import ClaimsDirective, badge_to, spaced
from edition.sphinx_ext.shared import fold, staged

VARIED = {
    "machine": "Kernels of the linear algebra, threads, Python",
    "seed": "Seeds",
    "effort": "Steps and starts of fits",
}
HEAD = {"What was different": 32, "Variations": 12, "Comparisons": 12, "Came out differently": 44}  # widths


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


class Robustness(ClaimsDirective):
    """A row for each kind of variation: how often claims were compared, and those that came out differently."""

    def show(self, records):
        """Return the table of the last release's summary."""
        if not (found := list((staged(self.env, ROBUSTNESS) or {}).values())):
            return [nodes.paragraph("", "The numbers are in the archive of what is recorded for a release.")]
        by_id = {record["id"]: record for record in records}
        rows = []
        for kind, text in VARIED.items():
            runs = [run for run in found if run["kind"] == kind and run["claims"]]
            different = sorted({id for run in runs for id in run["different"]} & by_id.keys())
            links = [badge_to(self.env.app.builder, self.env.docname, by_id[id], id) for id in different]
            counts = len(runs), sum(run["claims"] for run in runs)
            rows.append(
                [[[nodes.Text(str(cell))]] for cell in (text, *counts)] + [[spaced(links) or [nodes.Text("none")]]]
            )
        return [self.table(list(HEAD), rows, list(HEAD.values()))]


def numbers(run):
    """Return the numbers of neighbouring sentences as a short text."""
    first, last = run[0].number, run[-1].number
    return f"{first}" if first == last else f"{first} to {last}"


def setup(app):
    app.setup_extension("edition.sphinx_ext.shared")
    app.add_directive("claims-coverage", Coverage)
    app.add_directive("claims-coverage-reasons", Reasons)
    app.add_directive("claims-robustness", Robustness)
