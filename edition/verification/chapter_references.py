"""References of the chapters' tests: the text that each cell prints at the quick scale, and how that is compared."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import nbformat

from capacity_studies.notebook.check import MIME as CLAIM
from edition.book import ROOT
from edition.execution.one_chapter import prepared
from edition.files import write_atomically

__all__ = ["FOLDER", "adopt", "agree", "printed", "reference_notebook", "reference_path", "write_reference"]

FOLDER = Path("tests") / "chapters"
IGNORED = "NBVAL_IGNORE_OUTPUT"
ROOM = 80  # characters in a line of a page
RELATIVE, ABSOLUTE = 1e-5, 1e-10
_NOT_COMPARED = re.compile(r"(?<=stationarity) +~\S+")
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def agree(first, second):
    """Return whether two printed texts have the same words, and numbers that agree.

    Integers must be the same; of decimals, one part in 100 000 may differ, since libraries round differently. White
    space does not count, because it depends on the width of the numbers, nor does the distance from an optimum that a
    report tells of a fit: the end of a long optimisation differs between processors.

    >>> agree("loss 0.3333333, rank 12", "loss 0.33333334,  rank 12")
    True
    >>> agree("rank 12", "rank 13")
    False
    """
    texts = [_NOT_COMPARED.sub("", text) for text in (first, second)]
    words = ["".join(_NUMBER.sub("#", text).split()) for text in texts]
    return words[0] == words[1] and all(map(_same_number, *map(_NUMBER.findall, texts)))


def _same_number(one, other):
    if one == other:
        return True
    exact = all(re.fullmatch(r"[-+]?\d+", number) for number in (one, other))
    return not exact and math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def adopt(text, reference):
    """Return what a cell printed with the reference's lines in place of those that agree with it.

    What still differs then from the reference is a difference that counts.
    """
    if agree(text, reference):
        return reference
    lines, expected = text.splitlines(), reference.splitlines()
    if len(lines) != len(expected):
        return text
    return "\n".join(other if agree(line, other) else line for line, other in zip(lines, expected))


def printed(outputs):
    """Return the text that a cell prints and shows; warnings, claims and pictures have tests of their own."""
    lines = "".join(output.text for output in outputs if output.get("name") == "stdout").splitlines()
    shown = [data for output in outputs if CLAIM not in (data := output.get("data", {}))]
    texts = [data[kind] for data in shown for kind in sorted(data) if kind.endswith("text/plain")]
    return "\n".join(lines + [text for text in texts if not text.startswith("<Figure size")])


def reference_path(chapter, root=ROOT):
    """Return where the reference of a chapter is kept."""
    return (Path(root) / FOLDER / chapter.name).with_suffix(".json")


def reference_notebook(chapter, parameters, root=ROOT):
    """Return the code of a chapter at some parameters as a notebook, with what its reference says that it prints."""
    path = reference_path(chapter, root)
    reference, notebook = json.loads(path.read_text(encoding="utf-8")), prepared(chapter.notebook()[0], parameters)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    whole = replace(chapter, whole=True).notebook()[0].cells  # whose reference it is
    if unknown := sorted(set(reference) - {cell.id for cell in [*whole, *notebook.cells] if cell.cell_type == "code"}):
        raise ValueError(
            f"{path.relative_to(root)}: expected outputs of cells of the chapter, got {', '.join(unknown)}; "
            f"make reference CHAPTERS={chapter.name}"
        )
    for number, cell in enumerate(notebook.cells, 1):
        lines = reference.get(cell.id, [])
        text = lines if isinstance(lines, str) else "\n".join(lines)
        cell.outputs = [nbformat.v4.new_output("stream", text=text)] if text else []
        cell.execution_count = number
    return notebook


def write_reference(chapter, executed, root=ROOT):
    """Write the reference of a chapter from its executed notebook, a line of it for each line, and return its path.

    What depends on the processor, and is not compared, is left out.
    """
    found = {}
    for cell in nbformat.read(executed, as_version=4).cells:
        pieces = [output.text for output in cell.get("outputs", []) if output.get("name") == "stdout"]
        if wide := [line for line in "".join(pieces).splitlines() if len(line) > ROOM]:
            raise ValueError(
                f"{chapter.name}: expected printed lines of at most {ROOM} characters, got {len(wide[0])} in cell "
                f"{cell.id}: {wide[0]!r}; a page has no room for more, print less or break it"
            )
        if (lines := printed(cell.get("outputs", [])).splitlines()) and IGNORED not in cell.source:
            found[cell.id] = lines[0] if len(lines) == 1 else lines
    return write_atomically(reference_path(chapter, root), json.dumps(found, indent=1, ensure_ascii=False) + "\n")
