"""The evidence of a claim: what a chapter computed, compared with what was expected where it is computed.

The statement stands in the text of the chapter, in a list of the directive ``claims`` (`edition.claims.claim`). A check
that does not come out raises `ClaimError`, and the execution of its chapter fails. Only where a reader has changed
parameters (``CAPACITY_CLAIMS=report`` in the environment) is it shown instead.
"""

import math
import os
from dataclasses import asdict, dataclass

import numpy as np
from IPython import get_ipython
from IPython.display import display

from capacity_studies.notebook.expectations import Bound, as_array, compare, describe, show, summary
from capacity_studies.notebook.reading import reading

__all__ = ["MIME", "ClaimError", "Evidence", "check"]

MIME = "application/vnd.capacity.claim+json"


class ClaimError(AssertionError):
    """A check that does not come out, or whose claim another cell of the notebook has checked."""


@dataclass(frozen=True)
class Evidence:
    """What was measured for the claim that has an id.

    `measured`, `expected` and `printed` are short texts that do not change from one machine to the next, and `reading`
    says the same in the words of people; `evidence` holds the numbers themselves. `problem` is None when the check came
    out.
    """

    id: str
    measured: str
    expected: str | None
    printed: str | None
    tolerance: str | None
    evidence: dict
    problem: str | None
    reading: str

    def details(self):
        """Return measured, expected and tolerance in one line."""
        parts = {"measured": self.measured, "expected": self.expected, "as printed": self.printed}
        texts = [f"{name} {text}" for name, text in parts.items() if text is not None]
        return "; ".join(texts + ([self.tolerance] if self.tolerance else []))

    def __repr__(self):
        """Return one line, which the tests of the chapters compare."""
        return " | ".join(part for part in (self.id, self.details(), self.problem) if part)

    def _repr_markdown_(self):
        """Return what Jupyter shows; the book shows the record beside the statement."""
        return f"{'⚠' if self.problem else '✓'} `{self.id}`: {self.problem or self.reading}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/markdown": self._repr_markdown_(), MIME: asdict(self)}


def check(id, measured, expected=None, *, printed=None, atol=0.0, rtol=0.0):
    """Compare what was computed with what the claim of an id says, and display the outcome.

    Parameters
    ----------
    id : str
        The id of the claim, which the text of the same chapter states.
    measured : bool, int, float, str or array_like
        What was computed.
    expected : bool, int, float, str, array_like, at_least, at_most or between, optional
        What it should be, in the shape of `measured`, or a bound.
    printed : as `expected`, optional
        What the source prints, where something else was found: `measured` must not meet it.
    atol, rtol : float
        Every entry must satisfy ``|measured - expected| <= atol + rtol * |expected|``; zero asks for equality.
        Bounds take no tolerance: it belongs in the bound.

    Raises
    ------
    ClaimError
        If the check does not come out, or if another cell of the same notebook checks the same claim.
    """
    if expected is None and printed is None:
        raise ValueError(f"{id}: expected a value or a bound as expected or printed, got neither; say what is compared")
    if not (np.isfinite(atol) and np.isfinite(rtol) and atol >= 0 and rtol >= 0):
        raise ValueError(f"{id}: expected finite atol and rtol, zero or more; got {atol} and {rtol}")
    _note_once(id)
    found = _judged(id, measured, expected, printed, atol, rtol)
    if found.problem and not _reports():
        raise ClaimError(f"{id}: {found.problem}\n({found.details()})")
    display(found)


def _reports():
    """Return whether claims are told instead of raised: a reader has changed parameters."""
    return os.environ.get("CAPACITY_CLAIMS") == "report"


def _judged(id, measured, expected, printed, atol, rtol):
    measured = as_array(measured, f"{id}: measured")
    if measured.size == 0 and not _reports():
        raise ValueError(f"{id}: measured is empty, so nothing is tested; measure at least one number")
    problems, deviations, outcome = [], {}, {}
    if measured.size == 0:
        problems.append("there is nothing to measure at these values")
    for name, value, wanted in (("expected", expected, True), ("printed", printed, False)):
        if value is not None:
            met, deviations[name] = compare(measured, value, atol, rtol, f"{id}: {name}")
            outcome[name] = met
            if met is None:
                shape = value.shape if isinstance(value, Bound) else np.shape(value)
                problems.append(f"{_many(measured.shape)} measured, {_many(shape)} {name}: they cannot be compared")
            elif met != wanted:
                verb = "does not meet" if wanted else "meets"
                problems.append(f"measured {show(measured, atol)} {verb} what is {name}, {describe(value, atol)}")
    said = {"atol": atol, "rtol": rtol, "met": bool(outcome.get("expected", True))}
    comparable = measured.size and None not in outcome.values()
    tolerances = [f"{size:g}{kind}" for size, kind in ((atol, ""), (rtol, " relative")) if size > 0]
    return Evidence(
        id,
        measured=show(measured, atol),
        expected=None if expected is None else describe(expected, atol),
        printed=None if printed is None else describe(printed, atol),
        tolerance=f"within {' + '.join(tolerances)}" if tolerances else None,
        evidence={"measured": summary(measured), "atol": atol, "rtol": rtol, "deviation": deviations},
        problem="; ".join(problems) or None,
        reading=reading(measured, expected, printed, **said) if comparable else problems[0],
    )


def _many(shape):
    return f"{' × '.join(map(str, shape)) or 1} number{'s' * (math.prod(shape) != 1)}"


def _note_once(id):
    """Refuse an id that another cell of this notebook checked; running the same cell again is fine.

    Jupyter's front ends send the cell's id with each execution; where it is missing, the cell's text stands for it.
    """
    shell = get_ipython()
    if shell is None:
        return
    header = getattr(shell, "parent_header", None) or {}
    cell = header.get("metadata", {}).get("cellId") or shell.user_ns.get("In", [""])[-1]
    seen = shell.__dict__.setdefault("_capacity_claims", {})
    other, count = seen.get(id, (cell, None))
    if other != cell or count == shell.execution_count:
        raise ClaimError(f"{id}: checked twice in this notebook; give each claim one check")
    seen[id] = (cell, shell.execution_count)
