"""The receipt of a build: with what it was made, what it took, and how its claims came out."""

import hashlib
import json
import os
import platform
from collections import Counter
from pathlib import Path

from edition.citation import origin
from edition.claims.claim import VERDICTS
from edition.execution.made_with import processor

__all__ = ["receipt"]

DATA = (".json", ".csv")


def receipt(root, run, notebooks, claims, files):
    """Return the receipt as the text of a JSON file."""
    made, verdicts = Counter(record["chapter"] for record in claims), Counter(record["verdict"] for record in claims)
    chapters = {
        name: {
            "seconds": run["chapters"][name].seconds,
            "megabytes": run["chapters"][name].megabytes,
            "cells": sum(cell.cell_type == "code" for cell in notebook.cells),
            "claims": made[name],
        }
        for name, notebook in notebooks.items()
    }
    content = {
        "edition": origin(root),
        "scale": run["scale"],
        "part": run["part"],
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "lock": _hash((Path(root) / "requirements.txt").read_bytes()),
        "packages": sorted({package for name in notebooks for package in run["chapters"][name].packages}),
        "claims": {verdict: verdicts[verdict] for verdict in VERDICTS},
        "chapters": chapters,
        "data": {name: _hash(content) for name, content in sorted(files.items()) if Path(name).suffix in DATA},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _hash(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
