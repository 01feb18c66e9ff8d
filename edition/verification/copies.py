"""Comparison of two copies of the book, made on different machines: their claims and the data of their figures.

Verdicts, words and structure must be the same, and numbers agree to one part in 100 000, as in the tests of the
chapters (`edition.verification.chapter_references` has the tolerances). What a claim measured may differ by twice its
own tolerance, since both were within it; where the claim only bounds it, the verdict decides. Where what is expected is
computed as well and differs, or where a figure's cell declares that it varies between machines, the difference is
reported with its reason.
"""

import json
import math
from dataclasses import dataclass, field

from edition.book import SCALES, WHOLE
from edition.verification.chapter_references import ABSOLUTE, RELATIVE, agree

__all__ = ["Agreement", "Copy", "compare_copies"]

FILES = ("receipt.json", "claims.json", "figures.json")
AGAIN = "fetch or build that copy again"
COMPARED = ("verdict", "problem", "tolerance", "expected", "evidence")  # of a claim
BOUNDS = ("at least", "at most", "between")


@dataclass(frozen=True)
class Copy:
    """What is compared of a copy: its receipt, its claims and figures by name, and what each figure draws."""

    receipt: dict
    claims: dict
    figures: dict
    drawn: dict

    @classmethod
    def read(cls, path):
        """Read a copy from the folder of a site."""
        if missing := [name for name in FILES if not (path / name).is_file()]:
            raise ValueError(
                f"{path}: expected a built book, unpacked, found no {' and no '.join(missing)}; "
                "give the folder of its index.html"
            )
        receipt, claims, figures = (_read_json(path / name) for name in FILES)
        try:
            claims = {claim["id"]: {key: claim[key] for key in COMPARED} for claim in claims["claims"]}
            figures = {record["name"]: record for record in figures["figures"]}
            data = {name: _below(path, record["data"]) for name, record in figures.items() if "data" in record}
            copy = cls(receipt, claims, figures, {name: _read_json(file) for name, file in data.items()})
            copy.made_with()
            if receipt["scale"] not in SCALES:
                raise KeyError(f"the scale {receipt['scale']!r}")
            if not copy.part.replace("-", "").isalnum():
                raise KeyError(f"the part {copy.part!r}")
            if wrong := [text for text in (*claims, *figures, *copy.made_with().values()) if not text.isprintable()]:
                raise KeyError(f"{wrong[0]!r}, which no terminal should be shown")
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{path}: expected {', '.join(FILES)} as a built book has them, got others "
                f"({type(error).__name__}: {error}); {AGAIN}"
            ) from None
        return copy

    @property
    def part(self):
        """The part of the book that the copy is of; those of 1.0.0 do not say so, and are whole."""
        return self.receipt.get("part", WHOLE)

    def made_with(self):
        """Return what the copy was made with, as short texts by name."""
        edition, found = self.receipt["edition"], self.receipt
        lock = found["lock"].partition(":")[2]
        made = {"version": edition["version"], "commit": edition.get("commit", "not known"), "lock": lock}
        return {key: text[:40] for key, text in (made | {k: found[k] for k in ("scale", "python", "system")}).items()}


def _read_json(path):
    """Return the content of a file of a copy, which may have come damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON, got something else ({error}); {AGAIN}") from None


def _below(folder, name):
    """Return the path of a file of a copy, which must be in its folder."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"{folder / 'figures.json'}: expected files of this copy, got {name!r}; {AGAIN}")
    return path


@dataclass(frozen=True)
class Agreement:
    """What comparing two copies found: names that agree, those that vary with the reason, and what is wrong."""

    claims: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    varying: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)
    largest: float = 0.0

    @property
    def holds(self):
        """Whether there was something to compare, and all of it agrees."""
        return bool(self.claims or self.figures) and not self.problems

    def describe(self):
        """Return the findings for people."""
        lines = [
            f"claims that agree: {len(self.claims)}",
            f"figures whose data agree: {len(self.figures)} (largest relative difference {self.largest:.1g})",
        ]
        lines += [f"  may differ, and does: {name} ({reason})" for name, reason in self.varying.items()]
        return "\n".join(lines + [f"  DIFFERS: {problem}" for problem in self.problems])


def compare_copies(theirs, ours):
    """Compare the claims and the figures' data of two copies."""
    scales = [copy.receipt["scale"] for copy in (theirs, ours)]
    if scales[0] != scales[1]:
        raise ValueError(
            f"theirs is the book at the scale {scales[0]!r}, ours at {scales[1]!r}; build ours with --scale {scales[0]}"
        )
    if theirs.part != ours.part:
        raise ValueError(
            f"theirs is the part {theirs.part!r} of the book, ours {ours.part!r}; build ours with --part {theirs.part}"
        )
    claims, figures, varying, problems, largest = [], [], {}, [], 0.0
    for id in _common(theirs.claims, ours.claims, "claim", problems):
        pair = theirs.claims[id], ours.claims[id]
        found = _difference(*pair)
        if found is None:
            claims.append(id)
        elif found.startswith("measured") and not agree(*(claim["expected"] or "" for claim in pair)):
            varying[id] = "what is expected is computed as well, and is met by both"
        else:
            problems.append(f"{id}: {found}")
    for name in _common(theirs.drawn, ours.drawn, "figure", problems):
        gaps = [(_gap(*pair), *pair) for pair in _leaves(theirs.drawn[name], ours.drawn[name])]
        worst, first, second = max(gaps, key=lambda gap: gap[0], default=(0.0, None, None))
        if worst <= RELATIVE:
            figures.append(name)
            largest = max(largest, worst)
        elif worst < math.inf and "varies" in ours.figures[name]:
            varying[name] = f"{ours.figures[name]['varies']}; theirs {first:.6g} where ours {second:.6g}"
        else:
            problems.append(f"{name}: theirs draws {_shown(first)} where ours draws {_shown(second)}")
    return Agreement(claims, figures, varying, problems, largest)


def _shown(drawn):
    """Return what is drawn in a line: how many marks, where two pictures have different ones."""
    return f"{len(drawn)} marks" if isinstance(drawn, list) else repr(drawn)


def _common(theirs, ours, kind, problems):
    """Return the names that both have, and note the others as problems."""
    for name in sorted(set(theirs) ^ set(ours)):
        problems.append(f"{name}: a {kind} that only {'theirs' if name in theirs else 'ours'} has")
    return [name for name in ours if name in theirs]


def _difference(theirs, ours):
    """Return what differs between two records of a claim, None if they agree."""
    for key in ("verdict", "problem", "tolerance"):
        if theirs[key] != ours[key]:
            return f"{key}: theirs {theirs[key]!r}, ours {ours[key]!r}"
    if ours["evidence"] is None or (ours["expected"] or "").startswith(BOUNDS):
        return None
    atol, rtol = (2 * ours["evidence"][key] for key in ("atol", "rtol"))
    pairs = _leaves(*(record["evidence"]["measured"] for record in (theirs, ours)))
    wrong = [pair for pair in pairs if _gap(*pair, atol) > max(rtol, RELATIVE)]
    return f"measured: theirs {wrong[0][0]!r}, ours {wrong[0][1]!r}" if wrong else None


def _leaves(theirs, ours):
    """Return the pairs of entries at the same places of two structures; where these differ, what is there."""
    if isinstance(theirs, dict) and isinstance(ours, dict) and theirs.keys() == ours.keys():
        return [pair for key in ours for pair in _leaves(theirs[key], ours[key])]
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return [pair for entries in zip(theirs, ours) for pair in _leaves(*entries)]
    return [(theirs, ours)]


def _gap(theirs, ours, atol=0.0):
    """Return the relative difference of two numbers beyond an absolute tolerance; infinity for other differences."""
    if theirs == ours:
        return 0.0
    if not all(isinstance(value, float) and math.isfinite(value) for value in (theirs, ours)):
        return math.inf
    return max(abs(theirs - ours) - max(atol, ABSOLUTE), 0.0) / max(abs(theirs), abs(ours))
