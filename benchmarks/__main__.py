"""Run the benchmarks and write results.json next to this file: ``python -m benchmarks [section ...]``.

All of them take some twenty-five minutes on a quiet machine, for which each waits. With sections named, only those are
run; what is not run keeps its results, with the conditions that they were measured under. The sections `hierarchical`,
`many_gradients` and `fisher_peer` need the peer PyTorch (``pip install torch==2.14.1``), `networks_peer` torchinfo
beside it (``pip install torchinfo==1.8.0``), `regions_peer` the peer relucent (``pip install relucent==1.0.0``): where
a peer is not installed, its section is left as it is.
"""

import argparse
import json
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when the libraries are loaded

from benchmarks import (
    attention,
    book,
    design,
    exact,
    fisher,
    graphs,
    hierarchical,
    imports,
    large,
    many,
    networks,
    regions,
)
from benchmarks.timing import machine, quiet, rates

RESULTS = Path(__file__).parent / "results.json"
SECTIONS = {
    "hierarchical": hierarchical.run,
    "valleys": hierarchical.valleys,
    "many_fits": many.fits,
    "many_spaces": many.spaces,
    "many_gradients": many.gradients,
    "large": large.run,
    "growth": large.growth,
    "prediction": large.prediction,
    "kernels": large.kernels,
    "exact": exact.run,
    "layers": exact.layers,
    "network": exact.network,
    "imports": imports.run,
    "regions": regions.run,
    "regions_peer": regions.peer,
    "graphs": graphs.run,
    "fisher": fisher.run,
    "fisher_peer": fisher.peer,
    "networks": networks.run,
    "networks_peer": networks.peer,
    "million": networks.million,
    "candidates": design.candidates,
    "design": design.distances,
    "command": networks.command,
    "attention": attention.run,
    "book": book.run,
}
MISSING = "{} is not installed, so the section {} cannot be run side by side; pip install {}"


def unavailable():
    """The sections whose peers are not installed, each with a message that says so."""
    peers = {
        "hierarchical": (hierarchical.pytorch, "PyTorch", "torch==2.14.1"),
        "many_gradients": (many.pytorch, "PyTorch", "torch==2.14.1"),
        "regions_peer": (regions.relucent, "relucent", "relucent==1.0.0"),
        "fisher_peer": (fisher.pytorch_derivatives, "PyTorch", "torch==2.14.1"),
        "networks_peer": (networks.pytorch_resnet, "torchinfo", "torch==2.14.1 torchinfo==1.8.0"),
    }
    return {
        section: MISSING.format(name, section, package)
        for section, (found, name, package) in peers.items()
        if found is None
    }


def as_text(results):
    """Return results as JSON, a row of a section in each line."""
    sections = []
    for name, found in results.items():
        rows = found.items() if name == "conditions" else enumerate(found) if isinstance(found, list) else None
        if rows is None:
            sections.append(f'"{name}": {json.dumps(found)}')
        else:
            texts = [f'"{key}": {json.dumps(row)}' if name == "conditions" else json.dumps(row) for key, row in rows]
            opening, closing = "{}" if name == "conditions" else "[]"
            sections.append(f'"{name}": {opening}\n  ' + ",\n  ".join(texts) + f"\n {closing}")
    return "{\n " + ",\n ".join(sections) + "\n}\n"


def main(names, path=RESULTS, sections=SECTIONS):
    """Run some sections, all by default, and write the results after each, whole or not at all."""
    if unknown := sorted(set(names) - set(sections)):
        raise SystemExit(f"unknown sections {', '.join(unknown)}; known: {', '.join(sections)}")
    missing = unavailable()
    if messages := [missing[name] for name in names if name in missing]:
        raise SystemExit("\n".join(messages))
    chosen = [name for name in names or sections if name not in missing]
    for section in sorted(missing.keys() & sections.keys()):
        if not names:
            print(f"{missing[section]} (its former results are kept)")
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"conditions": {}}
    for name in chosen:
        quiet()
        results["conditions"][name] = machine() | {"rates": rates()}
        results[name] = sections[name]()
        partial = path.with_suffix(".partial")
        partial.write_text(as_text(results), encoding="utf-8")
        partial.replace(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__.partition("\n\n")[2])
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    main(parser.parse_args().sections)
