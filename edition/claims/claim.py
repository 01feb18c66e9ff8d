"""Claims: what the sources state, next to what was computed about it.

The statement is part of the chapter's text::

    :::{claim} linear/eq-20
    :kind: identity
    :verdict: holds with a correction

    In one line of Markdown, what the source says.

    The corrected statement, what was found instead, or why the statement cannot be tested.

    Evidence: what its numbers are, in their order, and at which settings, where the statement does not say it.
    :::

and `capacity_studies.notebook.check.check` stands in a cell of the same chapter, beside what computes the evidence.
Each finds the other by the id; a missing partner stops the book.
"""

import re
from dataclasses import asdict, dataclass

from capacity_studies.notebook.check import Evidence
from capacity_studies.notebook.reading import number
from edition.claims.labels import PAPERS, place_in_paper

__all__ = [
    "CORRECTED",
    "FAILS",
    "HOLDS",
    "KINDS",
    "UNTESTABLE",
    "VERDICTS",
    "Claim",
    "anchor_of",
    "joined",
    "stated",
]

HOLDS, CORRECTED = "holds", "holds with a correction"
FAILS, UNTESTABLE = "does not hold", "not testable as stated"
VERDICTS = {HOLDS: "✓", CORRECTED: "✎", FAILS: "✗", UNTESTABLE: "○"}
NAMED = "Evidence: "  # how the paragraph begins that says what the numbers of the evidence are
EVIDENCE = {HOLDS: {"expected"}, CORRECTED: {"expected", "printed"}, FAILS: {"printed"}}  # what a check compares with
PARTS = (*PAPERS, "beyond")
KINDS = {
    "definition": "what a word or symbol stands for; the number shows that the code means the same",
    "identity": "algebra forces it for all inputs; the number checks the implementation",
    "result": "correct code could have found otherwise",
    "observation": "what a figure shows",
    "reconstruction": "our reading of a formula that the source at hand has lost",
}
OPTIONS = ("kind", "verdict", "source")
_WORD = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ID = re.compile(rf"({'|'.join(PARTS)})/{_WORD}(?:/{_WORD})*")


def anchor_of(id):
    """Return the anchor of the claim that has an id, on whatever page it stands."""
    return f"claim-{id.replace('/', '-')}"


@dataclass(frozen=True)
class Claim:
    """One row of the ledger: a statement, its verdict, and the evidence where there is any (`Evidence`).

    `quantity` says what the numbers of the evidence are, where the statement leaves it open.
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
    quantity: str | None = None

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
        return ("Why:" if self.verdict == UNTESTABLE else "Here:", self.correction) if self.correction else ("", "")

    @property
    def voice(self):
        """The words that say whose statement it is, where a correction follows; empty elsewhere."""
        if not self.correction:
            return ""
        if self.source.startswith("this book"):
            return "Expected:"
        return "The paper says:" if self.source.startswith("paper ") else "The source says:"

    def details(self):
        """Return measured, expected and tolerance in one line."""
        found = [getattr(self, name) for name in Evidence.__dataclass_fields__]
        return Evidence(*found).details() if self.measured is not None else ""

    def warning(self):
        """Return what is not as recorded, empty if the claim came out."""
        return f"under these parameters, {self.problem}" if self.problem else ""

    def evidence_line(self):
        """Return the small print: kind and source, the details, and what is not as recorded, in one line."""
        return self._after_kind(self.named(self.details()))

    def reading_line(self):
        """Return the small print for people: as `evidence_line`, with the reading of the numbers for the details."""
        return self._after_kind(self.named(self.reading or ""))

    def named(self, text):
        """Return a text of numbers after what they are, as far as both are known."""
        return ": ".join(part for part in (self.quantity, text) if part)

    def full_evidence(self):
        """Return the details in one line, with the largest deviation where the claim has a tolerance."""
        deviation = ((self.evidence or {}).get("deviation") or {}).get("expected")
        last = "" if deviation is None else f"largest deviation {number(float(deviation))}"
        return "; ".join(part for part in (self.details(), last) if part)

    def _after_kind(self, text):
        head = f"{self.kind}, {self.source}"
        return "; ".join(part for part in (head, text, self.warning()) if part)


def stated(id, text, *, kind, verdict=HOLDS, source=None):
    """Return the claim, still without evidence, that a directive states.

    Parameters
    ----------
    id : str
        ``linear/eq-6``, ``linear/prop-3``, ``linear/fig-5/short-lags-first``: first the source (linear, layers,
        expressivity, geometry) or beyond, then lower-case words joined by hyphens. Unique in the book.
    text : str
        Its content: the statement in our own words; where the verdict is another than that it holds, as a second
        paragraph the corrected statement, what was found instead, or why the statement cannot be tested. A last
        paragraph that begins with "Evidence:" says what the numbers of the evidence are.
    kind : {"definition", "identity", "result", "observation", "reconstruction"}
        What sort of statement it is (`KINDS`).
    verdict : {"holds", "holds with a correction", "does not hold", "not testable as stated"}
        What this edition finds.
    source : str, optional
        Where the paper says it; derived from `id` for equations, properties, figures and the like.
    """
    if not _ID.fullmatch(id):
        raise ValueError(
            f"claim id {id!r}: expected part/name such as 'linear/prop-3' or 'layers/fig-5/short-lags-first', in lower "
            f"case with hyphens, the part one of {', '.join(PARTS)}"
        )
    for name, value, known in (("kind", kind, KINDS), ("verdict", verdict, VERDICTS)):
        if value not in known:
            raise ValueError(f"{id}: expected a {name} among {', '.join(map(repr, known))}, got {value!r}")
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip())]
    named = len(paragraphs) > 1 and paragraphs[-1].startswith(NAMED)
    quantity = paragraphs.pop().removeprefix(NAMED).rstrip(".") if named else None
    wanted = 1 if verdict == HOLDS else 2
    if len(paragraphs) != wanted or not all(paragraphs):
        words = "the statement" if wanted == 1 else "the statement and, as a second paragraph, what was found or why"
        raise ValueError(f"{id}: expected {words} with the verdict {verdict!r}, got {len(paragraphs)} paragraphs")
    return Claim(id, paragraphs[0], source or _source(id), kind, verdict, *paragraphs[1:], quantity=quantity)


def joined(claim, evidence):
    """Return a claim with its evidence, the record of its check or None; each verdict asks for its own comparison."""
    if evidence is None:
        if claim.verdict != UNTESTABLE:
            raise ValueError(f"{claim.id}: expected a cell of the same chapter that checks it, found none; add a check")
        return claim
    given = {name for name in ("expected", "printed") if evidence[name] is not None}
    wanted = EVIDENCE.get(claim.verdict, set())
    if not wanted <= given <= wanted | ({"expected"} if claim.verdict == FAILS else set()) or not wanted:
        asked = f"a check against {' and '.join(sorted(wanted))}" if wanted else "no check"
        raise ValueError(f"{claim.id}: the verdict {claim.verdict!r} takes {asked}; got {' and '.join(sorted(given))}")
    return Claim(**asdict(claim) | evidence)


def _source(id):
    part, name = id.split("/")[:2]
    if part not in PAPERS:
        return "this book"
    if (place := place_in_paper(f"{part}-{name}")) is None:
        raise ValueError(f"{id}: this id does not tell where {PAPERS[part]} says it; say so as its source")
    return place
