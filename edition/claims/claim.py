"""Claims: what the sources state, next to what was computed about it.

The statements of a section are a list at its end, or stand where the text speaks of them::

    :::{claims}
    - linear/fig-8/totals (result): In one line of Markdown, what the source says.
    - linear/eq-20 (identity, holds with a correction): What the source says.
      Here: The corrected statement, or what was found instead.
      Evidence: what its numbers are, in their order, and at which settings, where the statement does not say it.
      For: n_layers >= 5
    - linear/sec-3/many (observation, not testable as stated, paper 1, Section 3): What the source says.
      Why: The statement leaves open what would decide it.
    :::

and `capacity_studies.notebook.check.check` stands in a cell of the same chapter, below what computes the evidence.
Each finds the other by the id; a missing partner stops the book. What is said after *For* is in
`edition.claims.families`.
"""

import re
from dataclasses import asdict, dataclass

from capacity_studies.notebook.check import Evidence
from capacity_studies.notebook.reading import number
from edition.claims.families import ALL, RECORDED, family_of
from edition.claims.labels import OWN, PAPERS, group_of, place_in_paper

__all__ = [
    "CORRECTED",
    "FAILS",
    "HOLDS",
    "KINDS",
    "NOTES",
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
EVIDENCE = {HOLDS: {"expected"}, CORRECTED: {"expected", "printed"}, FAILS: {"printed"}}  # what a check compares with
PARTS = (*PAPERS, "beyond")
KINDS = {
    "definition": "what a word or symbol stands for; the number shows that the code means the same",
    "identity": "algebra forces it for all inputs; the number checks the implementation",
    "result": "correct code could have found otherwise",
    "observation": "what a figure shows",
    "reconstruction": "our reading of a formula that the source at hand has lost",
}
NOTES = {CORRECTED: "Here:", FAILS: "Here:", UNTESTABLE: "Why:"}  # how a correction or a reason begins
_WORD = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ID = re.compile(rf"({'|'.join(PARTS)})/{_WORD}(?:/{_WORD})*")


def anchor_of(id):
    """Return the anchor of the claim that has an id, on whatever page it stands."""
    return f"claim-{id.replace('/', '-')}"


@dataclass(frozen=True)
class Claim:
    """One row of the ledger: a statement, its verdict, and the evidence where there is any (`Evidence`).

    `quantity` says what the numbers of the evidence are, where the statement leaves it open; `family`, for which values
    of the parameters it is stated, and `applies`, whether it is for those that the chapter was executed with.
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
    family: str | None = None
    applies: bool = True

    @property
    def anchor(self):
        """The claim's anchor on the page of its chapter."""
        return anchor_of(self.id)

    @property
    def state(self):
        """The verdict in one word, for the style sheet."""
        if self.problem:
            return "problem" if self.applies else "elsewhere"
        return self.verdict.split()[-1]

    def mark(self):
        """Return the verdict with its sign, or that the claim is not as recorded, or not for these parameters."""
        if self.problem:
            return "⚠ not as recorded" if self.applies else "– not for these values"
        return f"{VERDICTS[self.verdict]} {self.verdict}"

    @property
    def note(self):
        """The correction with the word that introduces it, both empty without correction."""
        return (NOTES[self.verdict], self.correction) if self.correction else ("", "")

    @property
    def voice(self):
        """The words that say whose statement it is, where a correction follows; empty elsewhere."""
        if not self.correction:
            return ""
        if group_of(self.source) == OWN:
            return "Expected:"
        return "The paper says:" if self.source.startswith("paper ") else "The source says:"

    def details(self):
        """Return measured, expected and tolerance in one line."""
        found = [getattr(self, name) for name in Evidence.__dataclass_fields__]
        return Evidence(*found).details() if self.measured is not None else ""

    def warning(self):
        """Return what is not as recorded, empty if the claim came out."""
        said = "" if self.applies else f"stated for {family_of(self)}; "
        return f"{said}under these parameters, {self.problem}" if self.problem else ""

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
        given = f", for {self.family}" if self.family not in (None, ALL, RECORDED) else ""
        if not (self.applies or self.problem):  # it came out, and its words are those of other values
            given = f", stated for {family_of(self)}"
        head = f"{self.kind}, {self.source}{given}"
        return "; ".join(part for part in (head, text, self.warning()) if part)


def stated(id, statement, *, kind, verdict=HOLDS, source=None, correction=None, quantity=None, family=None):
    """Return the claim, still without evidence, that a line of a list states.

    For equations, properties, figures and the like the source follows from the id, which is unique in the book; other
    ids of a paper need one. `correction` is what was found instead, or why the claim cannot be tested.
    """
    if not _ID.fullmatch(id):
        raise ValueError(
            f"claim id {id!r}: expected part/name such as 'linear/prop-3' or 'layers/fig-5/short-lags-first', in lower "
            f"case with hyphens, the part one of {', '.join(PARTS)}"
        )
    for name, value, known in (("kind", kind, KINDS), ("verdict", verdict, VERDICTS)):
        if value not in known:
            raise ValueError(f"{id}: expected a {name} among {', '.join(map(repr, known))}, got {value!r}")
    if (correction is None) != (verdict == HOLDS):
        wanted = f"no {NOTES[CORRECTED]!r}" if verdict == HOLDS else f"a line {NOTES[verdict]!r} below the statement"
        raise ValueError(f"{id}: expected {wanted} with the verdict {verdict!r}, got {correction!r}")
    named = quantity and quantity.rstrip(".")
    return Claim(id, statement, source or _source(id), kind, verdict, correction, quantity=named, family=family)


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
        return OWN
    if (place := place_in_paper(f"{part}-{name}")) is None:
        raise ValueError(f"{id}: this id does not tell where {PAPERS[part]} says it; say so as its source")
    return place
