"""The book from nothing, as a newcomer gets it: a fresh clone in an empty folder, its set-up, and all chapters."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.timing import timed
from edition.book import book
from edition.execution.cache import seconds_of

__all__ = ["run"]

ROOT = Path(__file__).parents[1]


def run(parts=("papers", "all"), make=("make",), *, log=print):
    """Rows of the table: seconds of the set-up, of the book of the papers or the whole, and of its chapters."""
    rows = []
    for part in parts:
        with TemporaryDirectory() as folder:
            subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
            setup, built = (_seconds([*make, *what], folder) for what in (["setup"], ["book", f"PART={part}"]))
            kept = Path(folder, "_build", "executed")
            taken = [[name, seconds_of(kept / name)] for name in book(part=part) if (kept / name).exists()]
        rows.append({"part": part, "setup_seconds": setup, "seconds": built, "chapters": taken})
        log(f"{part}: {setup:.0f} s to set up, {built:.0f} s for {len(taken)} chapters")
    return rows


def _seconds(command, folder):
    return timed(lambda: subprocess.run(command, cwd=folder, check=True, capture_output=True))[0]
