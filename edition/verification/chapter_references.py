"""References of the chapters' tests: what each chapter prints at the quick scale, and how that is compared.

A reference is the executed notebook reduced to its code and its printed text: no figures, no times, a few kilobytes.
"""

import math
import re
from pathlib import Path

import nbformat
from papermill.translators import PythonTranslator

from capacity._files import write_atomically
from edition.book import ROOT
from edition.claims import claim as claims
from edition.figures import capture as drawing

__all__ = ["FOLDER", "SKIPPED", "adopt", "agree", "expected_code", "reduce", "reference_path", "write_reference"]

FOLDER = Path("tests") / "chapters"
PICTURES = (drawing.IMAGE, "image/png", drawing.MIME, drawing.PRINT, drawing.NARROW, drawing.SLIDER)
SKIPPED = ("text/html", "text/markdown", claims.MIME, *PICTURES)
RELATIVE, ABSOLUTE = 1e-5, 1e-10
_WITHIN_BOUNDS = re.compile(r"measured [^|]*?(?=; expected (?:at least|at most|between))")
_WITHIN = re.compile(r"measured [^|]*?; within ([-+.\de]+)(?![-+.\de]| relative)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


def agree(first, second):
    """Return whether two printed texts have the same words, and numbers that agree.

    Integers must be the same; of decimals, one part in 100 000 may differ, since libraries round differently. White
    space does not count, because it depends on the width of the numbers. What a claim measured and only bounds does not
    count either: the claim itself has compared it, and the end of a long optimisation differs between processors. For
    the same reason numbers of a claim with an absolute tolerance may differ by twice that: what is sampled from a
    network with pseudo-random activations is another sample where a last digit is another.

    Examples
    --------
    >>> agree("loss 0.3333333, rank 12", "loss 0.33333334,  rank 12")
    True
    >>> agree("rank 12", "rank 13")
    False
    >>> agree("measured 0.98; expected 1; within 0.05", "measured 1.01; expected 1; within 0.05")
    True
    """
    texts = [_WITHIN_BOUNDS.sub("", text) for text in (first, second)]
    words = ["".join(_NUMBER.sub("#", text).split()) for text in texts]
    return words[0] == words[1] and all(map(_same_number, *map(_numbers, texts)))


def _numbers(text):
    """Return the numbers of a text as they are written, each with how far it may be from that of another text."""
    claims = [((match.start(), match.start(1)), 2 * float(match[1])) for match in _WITHIN.finditer(text)]
    found = []
    for match in _NUMBER.finditer(text):
        allowed = [size for (start, end), size in claims if start < match.start() < end]
        found.append((match[0], max([ABSOLUTE, *allowed])))
    return found


def _same_number(first, second):
    (one, allowed), (other, _) = first, second
    if one == other:
        return True
    exact = all(re.fullmatch(r"[-+]?\d+", number) for number in (one, other))
    return not exact and math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=allowed)


def adopt(outputs, reference):
    """Return the outputs of a cell with the reference's text in place of each text that agrees with it.

    What still differs then from the reference is a difference that counts.
    """
    adopted = [_adopted(output, expected) for output, expected in zip(outputs, reference)]
    return nbformat.from_dict([*adopted, *outputs[len(adopted) :]])


def _adopted(output, expected):
    if isinstance(output, dict) and isinstance(expected, dict):
        return output | {key: _adopted(output[key], expected[key]) for key in output.keys() & expected.keys()}
    texts = isinstance(output, str) and isinstance(expected, str)
    return expected if texts and agree(output, expected) else output


def reference_path(chapter, root=ROOT):
    """Return where the reference of a chapter is kept."""
    return (Path(root) / FOLDER / chapter.name).with_suffix(".ipynb")


def expected_code(chapter, parameters):
    """Return the code cells that a chapter executes at `parameters`: its own, and the one that sets them."""
    code = []
    for cell in chapter.notebook()[0].cells:
        if cell.cell_type == "code":
            code.append(cell.source)
            if parameters and "parameters" in cell.metadata.get("tags", []):
                code.append(PythonTranslator.codify(parameters))
    return code


def reduce(notebook):
    """Return an executed notebook with nothing but its code and the text that it prints."""
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            outputs = [_printed(output) for output in cell.outputs if output.get("name") != "stderr"]
            count = cell.execution_count
            cells.append(nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=outputs, execution_count=count))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _printed(output):
    if "data" in output:
        output.metadata = {}
        output.data = {kind: data for kind, data in output.data.items() if kind not in SKIPPED}
    return output


def write_reference(chapter, executed, root=ROOT):
    """Write the reference of a chapter from its executed notebook and return its path."""
    path = reference_path(chapter, root)
    return write_atomically(path, nbformat.writes(reduce(nbformat.read(executed, as_version=4))) + "\n")
