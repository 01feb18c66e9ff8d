"""Planted faults: the list of them, and what is recorded of which claims notice which.

A fault replaces one line of the package or of a chapter's code. A claim *meets* it if that line ran before the claim
was made, and *catches* it if the claim then does not come out as recorded. Where a fault makes a chapter fail before it
gets to a claim, the chapter has caught it, and the claim has not met it.
"""

import json
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from capacity._files import write_atomically

__all__ = ["LIST", "RECORD", "Fault", "counts_by_claim", "read_faults", "read_reasons", "read_record", "write_record"]

LIST = Path("ledger") / "faults.toml"
RECORD = Path("ledger") / "faults.json"
TEXTS = ("key", "failure")  # in the record; all other entries are lists of names


@dataclass(frozen=True)
class Fault:
    """A planted fault: in `file` the one line that reads `line` is replaced by `fault`, at the same indentation.

    `small` says that it changes results by about a tenth or less, `why` what kind of mistake it stands for.
    """

    name: str
    file: str
    line: str
    fault: str
    small: bool
    why: str

    def place(self, root):
        """Return the number of the faulty line in its file, from 1.

        Raises
        ------
        ValueError
            If the line does not occur exactly once.
        """
        lines = (Path(root) / self.file).read_text(encoding="utf-8").splitlines()
        found = [number for number, line in enumerate(lines, 1) if line.strip() == self.line.strip()]
        if len(found) != 1:
            raise ValueError(
                f"{LIST}: {self.name}: expected the line {self.line.strip()!r} once in {self.file}, got it "
                f"{len(found)} times; choose another line or correct this one"
            )
        return found[0]

    def plant(self, root):
        """Replace the line in the copy of the book below `root`."""
        path, number = Path(root) / self.file, self.place(root)
        lines = path.read_text(encoding="utf-8").splitlines()
        indentation = lines[number - 1][: len(lines[number - 1]) - len(lines[number - 1].lstrip())]
        lines[number - 1] = indentation + self.fault.strip()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_faults(root):
    """Return the planted faults of a book by name, none where it has no list.

    Raises
    ------
    ValueError
        If a fault is incomplete, changes nothing, or has a name twice.
    """
    names = Counter(entry.get("name") for entry in _content(root).get("fault", []))
    faults = {}
    for entry in _content(root).get("fault", []):
        fields = set(Fault.__dataclass_fields__)
        if set(entry) != fields or names[entry["name"]] > 1 or entry["line"].strip() == entry["fault"].strip():
            raise ValueError(
                f"{LIST}: {entry.get('name')}: expected a name of its own, {', '.join(sorted(fields - {'name'}))}, and "
                f"a fault that differs from the line; got {', '.join(sorted(entry))}"
            )
        faults[entry["name"]] = Fault(**entry)
    return faults


def read_reasons(root):
    """Return, by id, why no planted fault can reach a claim."""
    return _content(root).get("reasons", {})


def read_record(root):
    """Return what is recorded: ``met`` by chapter, ``pairs`` by fault and chapter, ``tests`` by fault."""
    path = Path(root) / RECORD
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {group: _converted(content.get(group, {}), str, str.split) for group in ("met", "pairs", "tests")}


def write_record(root, record):
    """Write the record; each list of names is one line of it."""
    text = json.dumps(_converted(record, list, " ".join), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    write_atomically(Path(root) / RECORD, text)


def _converted(value, kind, convert, key=None):
    """Return nested dictionaries with the values of a type converted, apart from keys and messages."""
    if isinstance(value, dict):
        return {name: _converted(inner, kind, convert, name) for name, inner in value.items()}
    return convert(value) if isinstance(value, kind) and key not in TEXTS else value


def counts_by_claim(root):
    """Return, by id, how many planted faults a claim met and caught, and why it caught none where that is known.

    A claim that a fault kept from being made did not meet it. Faults on its way that were not run yet are `pending`.
    """
    record, reasons = read_record(root), read_reasons(root)
    counts = {}
    for chapter, entry in record["met"].items():
        pairs = {fault: found[chapter] for fault, found in record["pairs"].items() if chapter in found}
        for id, faults in entry["claims"].items():
            made = [fault for fault in faults if fault in pairs and id not in pairs[fault]["lost"]]
            caught = sum(id in pairs[fault]["caught"] for fault in made)
            counts[id] = {
                "met": len(made),
                "caught": caught,
                "pending": sum(fault not in pairs for fault in faults),
                "reason": None if caught else reasons.get(id),
            }
    return counts


def _content(root):
    path = Path(root) / LIST
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
