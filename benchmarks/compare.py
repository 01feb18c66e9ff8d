"""Compare two results of the benchmarks: ``python -m benchmarks.compare OLD NEW [--factor 2]``.

Times are compared in units of what each machine could do when they were measured: seconds times the geometric mean of
its rates of products and of copies. The exit status is 1 where one of our times has grown beyond the factor; the times
of peers are left out. Differences below `NOISE` seconds do not count.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from zipfile import ZipFile

__all__ = ["compare", "main", "times"]

NOISE = 0.02  # seconds
MEMBER = "benchmarks.json"  # of such an archive
NAMES = ("stack", "step", "method", "channels", "layers", "inputs", "outputs", "positions", "part")  # tell rows apart
PEERS = {"PyTorch", "L-BFGS-B", "L-BFGS-B, 20 runs", "QR", "Durbin", "definition", "import numpy", "relucent"}
PEERS |= {"torchinfo", "gradients", "least_squares", "-c 'import numpy'", "loop"}


def times(results):
    """Our times in the results of the benchmarks: {label: (seconds, rate of the machine)}."""
    found = {}
    for section, conditions in results["conditions"].items():
        rate = math.sqrt(conditions["rates"]["product_flops"] * conditions["rates"]["copy_bytes"])
        rows = results[section]
        for row in rows if isinstance(rows, list) else [rows]:
            if row.get("method") in PEERS:
                continue
            named = [
                f"{name} {row[name]}" if isinstance(row[name], int) else row[name] for name in NAMES if name in row
            ]
            for key, value in row.items():
                seconds = value["median"] if isinstance(value, dict) else value if key.endswith("seconds") else None
                if seconds is not None and key not in PEERS:
                    found[", ".join([section, *named, *([] if key == "seconds" else [key])])] = seconds, rate
    return found


def compare(old, new, factor):
    """Compare the times that both results have.

    Parameters
    ----------
    old, new : dict
        Contents of two files of results.
    factor : float
        How many times slower a time may be, in units of the machine.

    Returns
    -------
    list of (label, old seconds, new seconds, ratio, whether it is slower than allowed)
        The largest ratio first.

    Raises
    ------
    ValueError
        If they have no time in common.
    """
    before, after = times(old), times(new)
    if not (shared := set(before) & set(after)):
        raise ValueError("new: expected some of the times of the old results, got none of them; run make benchmark")
    rows = []
    for label in shared:
        (first, old_rate), (second, new_rate) = before[label], after[label]
        ratio = second * new_rate / (first * old_rate)
        excess = second - factor * first * old_rate / new_rate
        rows.append((label, first, second, ratio, excess > NOISE))
    return sorted(rows, key=lambda row: (-row[3], row[0]))


def _read(path):
    """Return the results in a file, or in an archive of what is recorded for a release."""
    if path.suffix == ".zip":
        with ZipFile(path) as archive:
            return json.loads(archive.read(MEMBER))
    return json.loads(path.read_text(encoding="utf-8"))


def main(arguments=None):
    """Print the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path, help="results, or the archive of what is recorded for a release")
    parser.add_argument("new", type=Path)
    parser.add_argument("--factor", type=float, default=2.0, help="how many times slower is a regression (default 2)")
    options = parser.parse_args(arguments)
    old, new = map(_read, (options.old, options.new))
    rows = compare(old, new, options.factor)
    print(f"{'old s':>8} {'new s':>8} {'ratio':>6}  (ratio in units of each machine's rates)")
    for label, first, second, ratio, slower in rows:
        print(f"{first:8.3f} {second:8.3f} {ratio:6.2f}  {label}{'  SLOWER' if slower else ''}")
    if missing := sorted(set(times(old)) - set(times(new))):
        print(f"not measured any more: {'; '.join(missing)}")
    slower = sum(row[4] for row in rows)
    print(f"{slower} of {len(rows)} times are more than {options.factor:g} times slower")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
