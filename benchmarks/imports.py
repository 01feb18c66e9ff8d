"""How long imports take, each in a fresh interpreter: the package against NumPy, which it stands on."""

import subprocess
import sys

from benchmarks.timing import summary

__all__ = ["STATEMENTS", "run"]

STATEMENTS = ("import numpy", "import capacity", "from capacity import fit, model_constraints")
MEASURED = "import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"


def run(statements=STATEMENTS, runs=15, *, log=print):
    """Rows of the table: for each statement the seconds that it takes, the start of the interpreter left out.

    The statements take turns, so that the same disturbances meet all of them.
    """
    seconds = {statement: [] for statement in statements}
    for _ in range(runs):
        for statement, taken in seconds.items():
            taken.append(_seconds(statement))
    rows = [{"method": statement, "seconds": summary(taken)} for statement, taken in seconds.items()]
    for row in rows:
        log(f"{row['method']}: {row['seconds']['median']:.3g} s")
    return rows


def _seconds(statement):
    command = [sys.executable, "-c", MEASURED.format(statement=statement)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
