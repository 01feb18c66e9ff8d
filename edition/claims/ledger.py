"""The ledger: the claims of all executed notebooks, in one file."""

import json
from collections import Counter
from dataclasses import fields

from edition.claims.claim import MIME, PARTS, VERDICTS, Claim

__all__ = ["as_claim", "collect", "to_json"]


def collect(notebooks, *, as_recorded=True):
    """Return the claims of executed notebooks as records, sorted by paper and place in it.

    Parameters
    ----------
    notebooks : dict
        Executed notebooks by chapter name.
    as_recorded : bool
        Whether to refuse claims that did not come out as recorded, which a reader's own parameters may cause.

    Raises
    ------
    ValueError
        If an id is claimed twice in the book, or a claim is not as recorded.
    """
    records = []
    for chapter, notebook in notebooks.items():
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                if MIME in output.get("data", {}):
                    records.append(output.data[MIME] | {"chapter": chapter, "cell": cell.id})
    counts = Counter(record["id"] for record in records)
    if twice := sorted(id for id, count in counts.items() if count > 1):
        places = {id: [record["chapter"] for record in records if record["id"] == id] for id in twice}
        text = "; ".join(f"{id} (in {', '.join(chapters)})" for id, chapters in places.items())
        raise ValueError(f"claims made twice: {text}; give each claim its own id")
    if as_recorded and (wrong := sorted(record["id"] for record in records if record["problem"])):
        raise ValueError(f"claims not as recorded: {', '.join(wrong)}; the book is built at the recorded parameters")
    for record in records:
        record["link"] = f"chapters/{record['chapter']}.html#claim-{record['id'].replace('/', '-')}"
    return sorted(records, key=_place)


def as_claim(record):
    """Return the claim that a record holds."""
    return Claim(**{field.name: record.get(field.name) for field in fields(Claim)})


def to_json(records):
    """Return the records as text, with the number of claims of each verdict."""
    verdicts = Counter(record["verdict"] for record in records)
    content = {"counts": {verdict: verdicts[verdict] for verdict in VERDICTS}, "claims": records}
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _place(record):
    """Sort by part, then word by word, numbers as numbers."""
    part, *words = record["id"].split("/")
    natural = [[(0, int(w), "") if w.isdigit() else (1, 0, w) for w in word.split("-")] for word in words]
    return PARTS.index(part), natural
