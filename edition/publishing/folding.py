"""What of a chapter's code is kept back: that behind claims and figures, which a reader opens on a page.

`edition.sphinx_ext.checks` says where on the page it is, and `edition.sphinx_ext.printing` leaves it out on paper.
"""

from edition.claims.claim import MIME

__all__ = ["INJECTED", "fold"]

INJECTED = "# the values of this run, instead of those above"


def fold(notebook):
    """Mark the cells of an executed notebook that show a figure or claims, so that their code starts out folded.

    Other cells keep their code in sight: it is what the page is about. Where a run has parameters of its own, the
    comment of their cell says what they are.
    """
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        if kinds & {"image/svg+xml", MIME}:
            cell.metadata["tags"] = [*tags, "hide-input"]
        if "injected-parameters" in tags:
            first, _, rest = cell.source.partition("\n")
            cell.source = f"{INJECTED}\n{rest}" if first == "# Parameters" else cell.source
