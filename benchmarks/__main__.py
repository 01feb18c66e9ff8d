"""Run the benchmarks and write results.json next to this file: ``python -m benchmarks [section ...]``.

All of them take some fifteen minutes on a quiet machine. Sections named on the command line are run again, and the
others kept. PyTorch is compared with if it is installed (``pip install torch==2.13.0``).
"""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when the libraries are loaded

from benchmarks import exact, hierarchical, large
from benchmarks.timing import machine, rates

SECTIONS = {
    "hierarchical": hierarchical.run,
    "valleys": hierarchical.valleys,
    "large": large.run,
    "prediction": large.prediction,
    "kernels": large.kernels,
    "exact": exact.run,
    "layers": exact.layers,
    "network": exact.network,
}


def main(names):
    """Run some sections, and write the results after each, whole or not at all."""
    unknown = sorted(set(names) - set(SECTIONS))
    if unknown:
        raise SystemExit(f"unknown sections {', '.join(unknown)}; known: {', '.join(SECTIONS)}")
    path = Path(__file__).parent / "results.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() and names else {}
    results |= {"machine": machine(), "rates": rates()}
    for name in names or SECTIONS:
        results[name] = SECTIONS[name]()
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        partial.replace(path)


if __name__ == "__main__":
    main(sys.argv[1:])
