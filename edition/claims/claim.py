"""Claims: what the papers state, next to what was computed about it.

A chapter makes a claim where it computes the evidence. The verdict is checked, not merely recorded: a claim that does
not come out as recorded raises `ClaimError`, and the execution of its chapter fails. Only where a reader has changed
parameters (``CAPACITY_CLAIMS=report`` in the environment) is it shown as not recorded under these parameters instead.
"""

import os
import re
from dataclasses import asdict, dataclass

import numpy as np
from IPython import get_ipython
from IPython.display import display

from edition.claims.expectations import as_array, compare, describe, show, summary
from edition.claims.reading import number, reading

__all__ = [
    "CORRECTED",
    "FAILS",
    "HOLDS",
    "KINDS",
    "MIME",
    "NUMBERED",
    "PAPERS",
    "UNTESTABLE",
    "VERDICTS",
    "Claim",
    "ClaimError",
    "anchor_of",
    "claim",
]

MIME = "application/vnd.capacity.claim+json"
HOLDS, CORRECTED = "holds", "holds with a correction"
FAILS, UNTESTABLE = "does not hold", "not testable as stated"
VERDICTS = {HOLDS: "✓", CORRECTED: "✎", FAILS: "✗", UNTESTABLE: "○"}
PAPERS = {"linear": "paper 1", "layers": "paper 2", "expressivity": "the survey", "geometry": "the slides"}
PARTS = (*PAPERS, "beyond")
KINDS = {
    "definition": "what a word or symbol stands for; the number shows that the code means the same",
    "identity": "algebra forces it for all inputs; the number checks the implementation",
    "result": "correct code could have found otherwise",
    "observation": "what a figure shows",
    "reconstruction": "our reading of a formula that the source at hand has lost",
}
NUMBERED = {
    "eq": "Equation ({})",
    "def": "Definition {}",
    "prop": "Property {}",
    "thm": "Theorem {}",
    "conj": "Conjecture {}",
    "fig": "Figure {}",
    "table": "Table {}",
    "sec": "Section {}",
    "app": "Appendix {}",
}
_WORD = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ID = re.compile(rf"({'|'.join(PARTS)})/{_WORD}(?:/{_WORD})*")
_NUMBERED = re.compile(rf"({'|'.join(NUMBERED)})-([0-9a-z]+(?:-[0-9]+)*)")


class ClaimError(AssertionError):
    """A claim that does not come out as recorded, or that is made twice in one notebook."""


def anchor_of(id):
    """Return the anchor of the claim that has an id, on whatever page it stands."""
    return f"claim-{id.replace('/', '-')}"


@dataclass(frozen=True)
class Claim:
    """A checked claim: one row of the ledger.

    `kind` is one of `KINDS`. `measured`, `expected` and `printed` are short texts that do not change from one machine
    to the next, and `reading` says the same in the words of people; `evidence` holds the numbers themselves. `problem`
    is None when the claim came out as recorded.
    """

    id: str
    statement: str
    source: str
    kind: str
    verdict: str
    correction: str | None = None
    measured: str | None = None
    expected: str | None = None
    printed: str | None = None
    tolerance: str | None = None
    evidence: dict | None = None
    problem: str | None = None
    reading: str | None = None

    @property
    def anchor(self):
        """The claim's anchor on the page of its chapter."""
        return anchor_of(self.id)

    @property
    def state(self):
        """The verdict in one word, for the style sheet."""
        return "problem" if self.problem else self.verdict.split()[-1]

    def mark(self):
        """Return the verdict with its sign, or a warning that the claim is not as recorded."""
        return "⚠ not as recorded" if self.problem else f"{VERDICTS[self.verdict]} {self.verdict}"

    @property
    def note(self):
        """The correction with the word that introduces it, both empty without correction."""
        return ("Why:" if self.verdict == UNTESTABLE else "Found:", self.correction) if self.correction else ("", "")

    def details(self):
        """Return measured, expected and tolerance in one line."""
        parts = {"measured": self.measured, "expected": self.expected, "as printed": self.printed}
        texts = [f"{name} {text}" for name, text in parts.items() if text is not None]
        return "; ".join(texts + ([self.tolerance] if self.tolerance else []))

    def warning(self):
        """Return what is not as recorded, empty if the claim came out."""
        return f"under these parameters, {self.problem}" if self.problem else ""

    def evidence_line(self):
        """Return the small print: kind and source, the details, and what is not as recorded, in one line."""
        return self._after_kind(self.details())

    def reading_line(self):
        """Return the small print for people: as `evidence_line`, with the reading of the numbers for the details."""
        return self._after_kind(self.reading)

    def full_evidence(self):
        """Return the details in one line, with the largest deviation where the claim has a tolerance."""
        deviation = ((self.evidence or {}).get("deviation") or {}).get("expected")
        last = "" if deviation is None else f"largest deviation {number(float(deviation))}"
        return "; ".join(part for part in (self.details(), last) if part)

    def _after_kind(self, text):
        head = f"{self.kind}, {self.source}"
        return "; ".join(part for part in (head, text, self.warning()) if part)

    def __repr__(self):
        """Return one line, which the tests of the chapters compare."""
        return " | ".join(part for part in (self.id, self.mark(), self.details(), self.warning()) if part)

    def _repr_markdown_(self):
        """Return what Jupyter shows; the book shows the record itself (`edition.sphinx_ext.claim_outputs`)."""
        head = f'<span class="claim claim-{self.state}" id="{self.anchor}">{self.mark()}</span> {self.statement}'
        note = " *{}* {}".format(*self.note) if self.correction else ""
        return f'{head}{note}<br>\n<span class="claim-evidence">{self.evidence_line()}</span>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/markdown": self._repr_markdown_(), MIME: asdict(self)}


def claim(
    id,
    statement,
    measured=None,
    expected=None,
    *,
    kind,
    atol=0.0,
    rtol=0.0,
    verdict=HOLDS,
    printed=None,
    correction=None,
    source=None,
):
    """Check one statement of the papers against what was computed, and display it with its verdict.

    Parameters
    ----------
    id : str
        ``linear/eq-6``, ``linear/prop-3``, ``linear/fig-5/short-lags-first``: first the source (linear, layers,
        expressivity, geometry) or beyond, then lower-case words joined by hyphens. Unique in the book.
    statement : str
        The statement in our own words, one line of MyST Markdown with mathematics between dollars.
    measured : bool, int, float, str or array_like, optional
        What was computed.
    expected : bool, int, float, str, array_like, at_least, at_most or between, optional
        What it should be, in the shape of `measured`, or a bound.
    kind : {"definition", "identity", "result", "observation", "reconstruction"}
        What sort of statement it is: fixed by convention, forced by algebra for all inputs, a finding that correct code
        could have contradicted, what a figure shows, or our reading of a formula that the source has lost.
    atol, rtol : float
        Every entry must satisfy ``|measured - expected| <= atol + rtol * |expected|``; zero asks for equality.
        Bounds take no tolerance: it belongs in the bound.
    verdict : {"holds", "holds with a correction", "does not hold", "not testable as stated"}
        What this edition finds.
    printed : as `expected`, optional
        What the paper prints, where something else was found.
    correction : str, optional
        The corrected statement, what was found instead, or why the statement cannot be tested.
    source : str, optional
        Where the paper says it; derived from `id` for equations, properties, figures and the like.

    Raises
    ------
    ClaimError
        If the claim does not come out as recorded: `measured` must meet `expected` and, where `printed` is given, must
        not meet that. Also if another cell of the same notebook makes a claim of the same id.
    ValueError, TypeError
        If the arguments contradict the verdict or cannot be compared.
    """
    _check_text(id, statement, kind, verdict, correction)
    _check_numbers(id, verdict, {"measured": measured, "expected": expected, "printed": printed}, atol, rtol)
    _note_once(id)
    numbers = {} if verdict == UNTESTABLE else _judge(id, measured, expected, printed, atol, rtol)
    result = Claim(id, statement.strip(), source or _source(id), kind, verdict, correction, **numbers)
    if result.problem and os.environ.get("CAPACITY_CLAIMS") != "report":
        raise ClaimError(f"{id}, recorded as '{verdict}': {result.problem}\n({result.details()})")
    display(result)


def _judge(id, measured, expected, printed, atol, rtol):
    """Return the fields of `Claim` that hold numbers, and `problem`, which says why the verdict is wrong."""
    measured = as_array(measured, f"{id}: measured")
    if measured.size == 0:
        raise ValueError(f"{id}: measured is empty, so nothing is tested; measure at least one number")
    problems, deviations, outcome = [], {}, {}
    for name, value, wanted in (("expected", expected, True), ("printed", printed, False)):
        if value is not None:
            met, deviations[name] = compare(measured, value, atol, rtol, f"{id}: {name}")
            outcome[name] = met
            if met is None:
                problems.append(f"measured has shape {measured.shape} but {name} has shape {np.shape(value)}")
            elif met != wanted:
                verb = "does not meet" if wanted else "meets"
                problems.append(f"measured {show(measured, atol)} {verb} what is {name}, {describe(value, atol)}")
    tolerances = [f"{size:g}{kind}" for size, kind in ((atol, ""), (rtol, " relative")) if size > 0]
    return {
        "measured": show(measured, atol),
        "expected": None if expected is None else describe(expected, atol),
        "printed": None if printed is None else describe(printed, atol),
        "tolerance": f"within {' + '.join(tolerances)}" if tolerances else None,
        "evidence": {"measured": summary(measured), "atol": atol, "rtol": rtol, "deviation": deviations},
        "problem": "; ".join(problems) or None,
        "reading": reading(measured, expected, printed, atol=atol, rtol=rtol, met=bool(outcome.get("expected", True))),
    }


def _check_text(id, statement, kind, verdict, correction):
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ValueError(
            f"claim id {id!r}: expected part/name such as 'linear/prop-3' or 'layers/fig-5/short-lags-first', in lower "
            f"case with hyphens, the part one of {', '.join(PARTS)}"
        )
    if not isinstance(statement, str) or not statement.strip() or "\n" in statement.strip():
        raise ValueError(f"{id}: expected the statement as one non-empty line of text, got {statement!r}")
    if kind not in KINDS:
        raise ValueError(f"{id}: expected a kind among {', '.join(map(repr, KINDS))}, got {kind!r}")
    if verdict not in VERDICTS:
        raise ValueError(f"{id}: expected a verdict among {', '.join(map(repr, VERDICTS))}, got {verdict!r}")
    if (verdict == HOLDS) == bool(correction):
        wanted = "no correction with" if verdict == HOLDS else "a correction (what was found, or why) with"
        raise ValueError(f"{id}: expected {wanted} the verdict {verdict!r}; change the verdict or the correction")


def _check_numbers(id, verdict, numbers, atol, rtol):
    required = {HOLDS: "measured expected", CORRECTED: "measured expected printed", FAILS: "measured printed"}
    required = set(required.get(verdict, "").split())
    given = {name for name, value in numbers.items() if value is not None}
    if not required <= given <= required | ({"expected"} if verdict == FAILS else set()):
        wanted, came = (" and ".join(sorted(names)) or "no numbers" for names in (required, given))
        raise ValueError(f"{id}: the verdict {verdict!r} takes {wanted}; got {came}")
    if not (np.isfinite(atol) and np.isfinite(rtol) and atol >= 0 and rtol >= 0):
        raise ValueError(f"{id}: expected finite atol and rtol, zero or more; got {atol} and {rtol}")


def _source(id):
    part, name = id.split("/")[:2]
    if part not in PAPERS:
        return "this book"
    if not (match := _NUMBERED.fullmatch(name)):
        raise ValueError(f"{id}: this id does not tell where {PAPERS[part]} says it; pass source='{PAPERS[part]}, ...'")
    name_of, number = match.groups()
    return f"{PAPERS[part]}, {NUMBERED[name_of].format(number.replace('-', '.').upper())}"


def _note_once(id):
    """Refuse an id that another cell of this notebook claimed; running the same cell again is fine.

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
        raise ClaimError(f"{id}: claimed twice in this notebook; give each claim its own id")
    seen[id] = (cell, shell.execution_count)
