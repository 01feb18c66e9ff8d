"""The coverage of the sources: each of their sentences has a claim that checks it, or a reason why none can."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

__all__ = ["FILE", "REASONS", "SOURCES", "Covered", "check_coverage", "read_coverage"]

FILE = Path("ledger") / "coverage.csv"
SOURCES = {
    "linear": "Paper 1",
    "layers": "Paper 2",
    "layers-v1": "Paper 2, first version",
    "expressivity": "The survey on expressivity",
    "geometry": "The slides on information geometry",
}
REASONS = {
    "background": "motivation, history, and what others have done",
    "roadmap": "what stands where, and the bare label of a caption",
    "notation": "a symbol or a setting that claims use",
    "derivation": "a step on the way to what a claim checks",
    "interpretation": "a reading that no computation decides",
    "outlook": "what might be done later",
    "front matter": "title, addresses, thanks",
}
COLUMNS = ["source", "section", "number", "digest", "claims", "reason"]


@dataclass(frozen=True)
class Covered:
    """One sentence of a source: where it stands, its hash, and the ids of its claims or else a reason."""

    source: str
    section: str
    number: int
    digest: str
    claims: tuple
    reason: str


def read_coverage(root):
    """Return the rows of the coverage file in the order of the sources, empty where a book has none."""
    path = Path(root) / FILE
    if not path.exists():
        return []
    reader = csv.DictReader(StringIO(path.read_text(encoding="utf-8")))
    if reader.fieldnames != COLUMNS:
        raise ValueError(f"{FILE}: expected the columns {', '.join(COLUMNS)}, got {', '.join(reader.fieldnames or [])}")
    return [
        Covered(r["source"], r["section"], int(r["number"]), r["digest"], tuple(r["claims"].split()), r["reason"])
        for r in reader
    ]


def check_coverage(rows, ids):
    """Refuse a sentence without claim and reason, with both, or with a claim or a reason that does not exist."""
    problems = []
    for row in rows:
        place = f"{row.source} {row.section}, sentence {row.number}"
        if unknown := sorted(set(row.claims) - set(ids)):
            problems.append(f"{place}: no such claim: {', '.join(unknown)}")
        if bool(row.claims) == bool(row.reason):
            problems.append(f"{place}: expected claims or a reason, got {'both' if row.claims else 'neither'}")
        if row.reason and row.reason not in REASONS:
            problems.append(f"{place}: expected a reason among {', '.join(REASONS)}, got {row.reason!r}")
        if row.source not in SOURCES:
            problems.append(f"{place}: expected a source among {', '.join(SOURCES)}")
    if problems:
        raise ValueError(f"{FILE}: " + "; ".join(problems))
