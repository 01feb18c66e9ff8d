"""The receipt of a build: with what it was made, what it took, and how its claims came out."""

import hashlib
import json
import os
import platform
from collections import Counter
from pathlib import Path

from edition.claims import VERDICTS
from edition.figures import origin

__all__ = ["receipt"]


def receipt(root, run, notebooks, claims, figures):
    """Return the receipt as the text of a JSON file.

    Parameters
    ----------
    run : dict
        The scale, and by chapter the `edition.execute.Result`. A chapter that did not change took what it took when it
        was executed; where that is not known, it is None.
    notebooks : dict
        The executed notebooks by chapter.
    claims, figures : list of dict
        The records of the ledger and of the figures. The seconds of a figure are those of its own cell.
    """
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
        "cores": os.cpu_count(),
        "lock": f"sha256:{hashlib.sha256((Path(root) / 'requirements.txt').read_bytes()).hexdigest()}",
        "claims": {verdict: verdicts[verdict] for verdict in VERDICTS},
        "chapters": chapters,
        "figures": {record["name"]: run["chapters"][record["chapter"]].cells.get(record["cell"]) for record in figures},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
