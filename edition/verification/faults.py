"""Faults planted into copies of the package and of the chapters, one at a time: which claims notice them?

First the chapters run once, unchanged but for probes at the lines of all faults, which tells what each claim meets.
Then each fault is planted, and the chapters in which a claim meets it run again, with claims reported, not raised. The
record is kept pair by pair, so that an interrupted run goes on where it was, and a pair is run again only when what
the chapter computes or the fault changed. A fault that no claim and no chapter notices is left to the unit tests.
"""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import nbformat
from tqdm import tqdm

from edition.book import Chapter, parameters_at
from edition.claims.check import MIME
from edition.claims.faults import read_faults, read_record, write_record
from edition.execution.one_chapter import failure_of, run_chapter
from edition.execution.workers import outcomes
from edition.verification.fault_probe import KEY

__all__ = ["computed", "outcome", "probed", "run_faults"]

COPIED = ("capacity", "chapters", "edition", "benchmarks", "parameters")  # what the code of a chapter may read
PROBE = 'from edition.verification.fault_probe import meet; meet("{}")'
CELL_TIMEOUT = 200  # seconds, many times what a cell takes without fault
TEST_TIMEOUT = 600


def probed(source, number, name):
    """Return Python source with a probe before the statement that holds a line.

    Raises
    ------
    ValueError
        If nothing can stand before that statement, as before an ``elif``, or the line is in none.
    """
    lines = source.splitlines()
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    inside = [node for node in statements if _first_line(node) <= number <= node.end_lineno]
    if not inside:
        raise ValueError(f"{name}: line {number} is in no statement; choose another line")
    statement = max(inside, key=lambda node: (node.lineno, -node.end_lineno))
    first = _first_line(statement) - 1
    before = lines[first][: statement.col_offset]
    if before.strip() or lines[first].lstrip().startswith("elif"):
        raise ValueError(f"{name}: nothing can stand before the statement of line {number}; choose another line")
    return "\n".join([*lines[:first], before + PROBE.format(name), *lines[first:]]) + "\n"


def computed(notebook):
    """Return what the code of a notebook computes and checks, without its layout.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    list of str
        One text for each code cell.
    """
    return [ast.dump(ast.parse(cell.source)) for cell in notebook.cells if cell.cell_type == "code"]


def _first_line(statement):
    return min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])


def run_faults(chapters, root, *, jobs=2, names=()):
    """Run what is missing in the record, and write the record after each piece.

    Parameters
    ----------
    chapters : list of Chapter
        Those with code.
    root : Path
        The book.
    jobs : int
        How many chapters run at once.
    names : collection of str
        The faults to run, all by default.

    Returns
    -------
    dict
        The record.

    Raises
    ------
    ValueError
        If a fault cannot be planted, or a chapter fails without any.
    """
    faults, record = read_faults(root), read_record(root)
    if unknown := sorted(set(names) - set(faults)):
        raise ValueError(f"unknown faults: {', '.join(unknown)}; the list has {', '.join(faults)}")
    chosen = {name: fault for name, fault in faults.items() if not names or name in names}
    by_name = {chapter.name: chapter for chapter in chapters}
    parameters = parameters_at("quick", by_name, root)
    digests = {n: _digest(computed(chapter.notebook()[0]), parameters[n]) for n, chapter in by_name.items()}
    lines = {name: _digest(f.file, f.line) for name, f in faults.items()}
    keys = {name: _digest(f.file, f.line, f.fault) for name, f in faults.items()}
    _forget(record, faults, by_name)

    probes = _digest(sorted(lines.items()))
    missing = {
        n: (root, n, parameters[n], list(faults.values()), True)
        for n in by_name
        if record["met"].get(n, {}).get("key") != _digest(digests[n], probes)
    }
    for name, found in _each(missing, jobs, "unchanged chapters"):
        if found["failure"] or found["caught"]:
            what = found["failure"] or "not as recorded: " + ", ".join(found["caught"])
            raise ValueError(f"{name} fails without any fault: {what}; correct it first")
        record["met"][name] = {"key": _digest(digests[name], probes), "claims": found["claims"]}
        write_record(root, record)

    pairs = {}
    for fault in chosen:
        for name, entry in record["met"].items():
            key = _digest(digests[name], keys[fault])
            if not any(fault in met for met in entry["claims"].values()):
                record["pairs"].get(fault, {}).pop(name, None)
            elif record["pairs"].get(fault, {}).get(name, {}).get("key") != key:
                pairs[f"{fault} in {name}"] = (fault, name, key)
    tasks = {text: (root, name, parameters[name], [faults[fault]], False) for text, (fault, name, _) in pairs.items()}
    for text, found in _each(tasks, jobs, "faults"):
        fault, name, key = pairs[text]
        lost = sorted(set(record["met"][name]["claims"]) - set(found["claims"]))
        entry = {"key": key, "caught": found["caught"], "lost": lost, "failure": found["failure"]}
        record["pairs"].setdefault(fault, {})[name] = entry
        write_record(root, record)

    for name, fault in tqdm(chosen.items(), desc="tests", disable=not sys.stderr.isatty()):
        if outcome(record, name) == "survives":  # tests may have come since
            record["tests"][name] = {"key": keys[name], "failed": _failing_tests(root, fault)}
            write_record(root, record)
    return record


def outcome(record, name):
    """Return who notices a fault: ``claims``, ``chapters`` (by failing), ``tests``, or nobody: ``survives``.

    As long as nobody did and chapters that meet it were not run with it, it is ``not run yet``.
    """
    pairs = record["pairs"].get(name, {})
    if any(pair["caught"] for pair in pairs.values()):
        return "claims"
    if any(pair["failure"] for pair in pairs.values()):
        return "chapters"
    meeting = {
        chapter for chapter, entry in record["met"].items() if any(name in met for met in entry["claims"].values())
    }
    if not meeting <= set(pairs):
        return "not run yet"
    return "tests" if record["tests"].get(name, {}).get("failed") else "survives"


def _each(tasks, jobs, what):
    """Run the tasks and yield their results, with a progress bar on a terminal and lines elsewhere."""
    with closing(outcomes(_run, tasks, jobs=jobs, preload=[__name__])) as finished:
        bar = tqdm(finished, total=len(tasks), desc=what, disable=not sys.stderr.isatty())
        for number, (name, found, exitcode) in enumerate(bar, 1):
            if found is None:  # ended from outside: a kernel that dies is a failure that `_run` reports
                bar.write(f"{name}: its process ended with {exitcode}; nothing is recorded, run it again")
                continue
            if bar.disable:
                noticed = found["failure"] or f"{len(found['caught'])} of {len(found['claims'])} claims notice"
                print(f"[{number}/{len(tasks)}] {name}: {noticed}", flush=True)
            yield name, found


def _run(root, name, parameters, faults, probes):
    """Run a chapter in a copy of the book with a fault in it, or with probes at the lines of all faults instead."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy = _copy(root, Path(folder))
        for fault in faults:
            if probes:
                _probe(fault, copy)
            else:
                fault.plant(copy)
        os.environ["PYTHONPATH"] = folder
        chapter = Chapter(name, copy / "chapters" / f"{name}.md")
        try:
            text, failure = run_chapter(chapter, parameters, report=True, figures=False, timeout=CELL_TIMEOUT)[0], None
            executed = nbformat.reads(text, as_version=4)
        except Exception as error:
            executed, failure = error.executed, failure_of(error).reason[:200]
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    claims = [(output.data[MIME], output.metadata.get(KEY, [])) for output in outputs if MIME in output.get("data", {})]
    return {
        "claims": {claim["id"]: met for claim, met in claims},
        "caught": sorted(claim["id"] for claim, _ in claims if claim["problem"]),
        "failure": failure,
    }


def _copy(root, folder):
    for name in COPIED:
        if (Path(root) / name).exists():
            shutil.copytree(Path(root) / name, folder / name)
    return folder


def _probe(fault, copy):
    """Put the probe of a fault into a module, or into the cell of a chapter that holds the line."""
    path = copy / fault.file
    text, number = path.read_text(encoding="utf-8"), fault.place(copy)
    if path.suffix == ".py":
        path.write_text(probed(text, number, fault.name), encoding="utf-8")
        return
    lines = text.splitlines()
    first = max(n for n in range(number) if lines[n].startswith("```{code-cell}")) + 1
    last = next(n for n in range(number, len(lines)) if lines[n].startswith("```"))
    if lines[first] == "---":
        first = lines.index("---", first + 1) + 1
    while lines[first].startswith(":"):
        first += 1
    cell = probed("\n".join(lines[first:last]), number - first, fault.name)
    path.write_text("\n".join([*lines[:first], *cell.splitlines(), *lines[last:]]) + "\n", encoding="utf-8")


def _failing_tests(root, fault):
    """Return the unit tests of the faulty module's room that fail, with the fault planted."""
    room = Path(fault.file).parts[1].removesuffix(".py")
    tests = Path("tests") / room if (Path(root) / "tests" / room).is_dir() else Path("tests") / f"test_{room}.py"
    if fault.file.startswith("chapters") or not (Path(root) / tests).exists():
        return []
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        for name in ("tests", "ledger"):
            shutil.copytree(Path(root) / name, Path(folder) / name)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(Path(root) / name, folder)
        fault.plant(_copy(root, Path(folder)))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", tests],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": folder},
            text=True,
            capture_output=True,
            timeout=TEST_TIMEOUT,
        )
    return [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]


def _forget(record, faults, chapters):
    """Drop what is recorded of faults and chapters that are no more."""
    record["met"] = {name: entry for name, entry in record["met"].items() if name in chapters}
    record["tests"] = {name: entry for name, entry in record["tests"].items() if name in faults}
    record["pairs"] = {
        fault: {name: entry for name, entry in found.items() if name in chapters}
        for fault, found in record["pairs"].items()
        if fault in faults
    }


def _digest(*content):
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:16]
