"""What of a chapter's code is kept back, to be opened on a page: that behind claims and figures, silent and long cells.

`edition.sphinx_ext.checks` says where on the page it is, and `edition.sphinx_ext.printing` leaves it out on paper.
"""

from capacity_studies.notebook.capture import IMAGE
from capacity_studies.notebook.check import MIME

__all__ = ["INJECTED", "IN_SIGHT", "fold"]

INJECTED = "# the values of this run, instead of those above"
IN_SIGHT = 6  # lines: what is longer would push the text apart
BESIDE = "application/papermill.record"  # numbers for the text: shown elsewhere
OPEN = {"show-input", "parameters", "injected-parameters", "conditions"}


def fold(notebook):
    """Mark the cells of an executed notebook whose code starts out folded.

    They are those that show a figure or claims, and those that show nothing or have more than `IN_SIGHT` lines, unless
    a chapter keeps such a cell open with the tag ``show-input``. Where a run has parameters of its own, the comment of
    their cell says what they are.
    """
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {output.output_type: ""})}
        seen = {kind for kind in kinds if not kind.startswith(BESIDE)}
        lines = cell.source.count("\n") + 1
        shows, aside = bool(seen & {IMAGE, MIME}), cell.cell_type == "code" and (not seen or lines > IN_SIGHT)
        if "hide-input" not in tags and (shows or (aside and not OPEN & set(tags))):
            cell.metadata["tags"] = [*tags, "hide-input"]
            if not shows:
                count = f"{lines} lines" if lines > 1 else "one line"
                words = {f"code_prompt_{do.lower()}": f"{do} the code, {count}" for do in ("Show", "Hide")}
                cell.metadata["mystnb"] = words | cell.metadata.get("mystnb", {})
        if "injected-parameters" in tags:
            first, _, rest = cell.source.partition("\n")
            cell.source = f"{INJECTED}\n{rest}" if first == "# Parameters" else cell.source
