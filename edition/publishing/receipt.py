"""The receipt of a build: with what it was made, what it took, and how its claims came out."""

import hashlib
import json
import os
import platform
from collections import Counter
from pathlib import Path

from edition.citation import origin
from edition.claims.claim import VERDICTS

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
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "lock": _hash((Path(root) / "requirements.txt").read_bytes()),
        "claims": {verdict: verdicts[verdict] for verdict in VERDICTS},
        "chapters": chapters,
        "data": {name: _hash(content) for name, content in sorted(files.items()) if Path(name).suffix in DATA},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _processor():
    """Return the model of the processor, on which last digits depend, as far as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _hash(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
