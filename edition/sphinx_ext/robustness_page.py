"""What became of the claims where something was different: the machine, the seeds, how long fits go on."""

import json
from pathlib import Path

from docutils import nodes

from edition.publishing.site import ROBUSTNESS
from edition.sphinx_ext.claim_records import ClaimsDirective, badge_to

KINDS = {
    "machine": "Kernels of the linear algebra, threads, Python",
    "seed": "Seeds",
    "effort": "Steps and starts of fits",
}
HEAD = {"What was different": 32, "Variations": 12, "Comparisons": 12, "Came out differently": 44}  # widths


class Robustness(ClaimsDirective):
    """A row for each kind of variation: how often claims were compared, and those that came out differently."""

    def show(self, records):
        """Return the table of the last release's summary."""
        if not (path := Path(self.env.srcdir) / ROBUSTNESS).exists():
            return [nodes.paragraph("", "Nothing was varied yet.")]
        found = json.loads(path.read_text(encoding="utf-8")).values()
        by_id = {record["id"]: record for record in records}
        rows = []
        for kind, text in KINDS.items():
            runs = [run for run in found if run["kind"] == kind and run["claims"]]
            different = sorted({id for run in runs for id in run["different"]} & by_id.keys())
            links = [badge_to(self.env.app.builder, self.env.docname, by_id[id], id) for id in different]
            spaced = [node for link in links for node in (link, nodes.Text(" "))]
            counts = len(runs), sum(run["claims"] for run in runs)
            rows.append([[[nodes.Text(str(cell))]] for cell in (text, *counts)] + [[spaced or [nodes.Text("none")]]])
        return [self.table(list(HEAD), rows, list(HEAD.values()))]


def setup(app):
    """Register the extension."""
    app.add_directive("claims-robustness", Robustness)
