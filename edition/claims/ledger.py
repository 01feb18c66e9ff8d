"""The ledger: the claims of all executed notebooks, in one file."""

import json
from collections import Counter
from dataclasses import asdict, fields, replace

from capacity_studies.notebook.check import MIME
from edition.chapter_text import declared
from edition.claims.claim import PARTS, VERDICTS, Claim, anchor_of, joined
from edition.claims.families import applies, family_of
from edition.claims.labels import SOURCES, group_of
from edition.claims.statements import statements

__all__ = ["as_claim", "collect", "to_json"]

TAGS = ("parameters", "injected-parameters")


def collect(notebooks, *, renamed=None, faults=None, as_recorded=True):
    """Return the claims of executed notebooks as records, sorted by paper and place in it.

    `notebooks` are executed ones by chapter name. Each record has its former ids from `renamed`, see
    `edition.claims.history`, and how many planted `faults` made it fail, see `edition.claims.faults`.
    Claims that are not `as_recorded` are refused, unless a reader's own parameters may be the cause.
    """
    records, renamed, faults = [], renamed or {}, faults or {}
    for chapter, notebook in notebooks.items():
        records += [record | {"chapter": chapter} for record in _claims_of(notebook)]
    counts = Counter(record["id"] for record in records)
    if twice := sorted(id for id, count in counts.items() if count > 1):
        places = {id: [record["chapter"] for record in records if record["id"] == id] for id in twice}
        text = "; ".join(f"{id} (in {', '.join(chapters)})" for id, chapters in places.items())
        raise ValueError(f"claims made twice: {text}; give each claim its own id")
    if as_recorded and (wrong := sorted(record["id"] for record in records if record["problem"])):
        raise ValueError(f"claims not as recorded: {', '.join(wrong)}; the book is built at the recorded parameters")
    for record in records:
        record["former"] = sorted(old for old, new in renamed.items() if new == record["id"])
        record["faults"] = faults.get(record["id"]) or faults.get(record["chapter"])
        record["link"] = f"chapters/{record['chapter']}.html#{anchor_of(record['id'])}"
    return sorted(records, key=_place)


def _claims_of(notebook):
    """Return the claims of an executed notebook, each with the cell that checks it, else the one that states it."""
    evidence, cells, found = {}, {}, []
    defaults, given = ({name: each.value for name, each in declared(notebook, tag).items()} for tag in TAGS)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if MIME in output.get("data", {}):
                record = output.data[MIME]
                evidence[record["id"]], cells[record["id"]] = record, cell.id
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for claim in statements(cell.source):
                whole = joined(claim, evidence.pop(claim.id, None))
                whole = replace(whole, family=family_of(claim), applies=applies(claim, defaults, given))
                found.append(asdict(whole) | {"cell": cells.get(claim.id, cell.id)})
    if evidence:
        raise ValueError(f"checks without a claim: {', '.join(sorted(evidence))}; state each in the same chapter")
    return found


def as_claim(record):
    """Return the claim that a record holds."""
    return Claim(**{field.name: record.get(field.name) for field in fields(Claim)})


def to_json(records, retired=None):
    """Return the records as text, with the number of claims of each verdict, for each of the `SOURCES` apart.

    `retired` says, by id, why a former claim is no longer made.
    """
    found = Counter((group_of(record["source"]), record["verdict"]) for record in records)
    counts = {group: {verdict: found[group, verdict] for verdict in VERDICTS} for group in SOURCES}
    content = {"counts": counts, "claims": records, "retired": retired or {}}
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _place(record):
    """Sort by part, then word by word, numbers as numbers."""
    part, *words = record["id"].split("/")
    natural = [[(0, int(w), "") if w.isdigit() else (1, 0, w) for w in word.split("-")] for word in words]
    return PARTS.index(part), natural
