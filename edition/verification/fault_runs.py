"""Faults planted into copies of the package and of the chapters, one at a time: which claims notice them?

First the chapters run once, unchanged but for probes at the lines of all faults, which tells what each claim meets;
where only some faults are asked for, those of which a build at the quick scale knows that they do not read these files
are left out.
Then each fault is planted, and the chapters in which a claim meets it run again, those that are known to notice it
before the others and the quickest first, until a claim notices, or all of them; then those with claims that are known
to notice it. A fault that no claim and no chapter notices is left to the unit tests. What was found is kept below
``_build`` pair by pair, so that an interrupted run goes on where it was, as long as fault, chapter and what this uses
are the same.
"""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import perf_counter

import nbformat
from tqdm import tqdm

from capacity_studies.notebook.check import MIME
from edition.book import ROOT, Chapter, parameters_at
from edition.claims.faults import code_of, read_faults, read_summary
from edition.execution.all_chapters import kept_reads
from edition.execution.cache import cache_key, sources
from edition.execution.one_chapter import failure_of, run_chapter
from edition.execution.progress import Progress
from edition.execution.reads import OURS
from edition.execution.workers import ended_by, outcomes
from edition.files import write_atomically
from edition.verification.fault_probe import KEY

__all__ = ["GONE", "NOT_RUN", "SURVIVES", "outcome", "probed", "run_faults", "summary"]

COPIED = (*OURS, "benchmarks", "chapters", "parameters")  # what a chapter's code may read
BESIDE = ("tests", "ledger", "pyproject.toml", "README.md", "_toc.yml")  # what the tests read too
PROBE = 'from edition.verification.fault_probe import meet as _meet_fault; _meet_fault("{}")'
CELL_TIMEOUT = 200  # seconds, many times what a cell takes without fault
TEST_TIMEOUT = 600
NO_NAME = "NameError"
SURVIVES, NOT_RUN, GONE = "survives", "not run yet", "no longer applies"


def probed(path, number, name):
    """Return the text of a module or of a chapter with a probe before the statement that holds a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    statements = [node for node in ast.walk(ast.parse(code_of(path))) if isinstance(node, ast.stmt)]
    inside = [node for node in statements if _first_line(node) <= number <= node.end_lineno]
    if not inside:
        raise ValueError(f"{name}: line {number} is in no statement; choose another line")
    statement = max(inside, key=lambda node: (node.lineno, -node.end_lineno))
    first = _first_line(statement) - 1
    before = lines[first][: statement.col_offset]
    if before.strip() or lines[first].lstrip().startswith("elif"):
        raise ValueError(f"{name}: nothing can stand before the statement of line {number}; choose another line")
    return "\n".join([*lines[:first], before + PROBE.format(name), *lines[first:]]) + "\n"


def _first_line(statement):
    return min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])


def run_faults(chapters, root, path, *, jobs=2, names=(), thorough=False):
    """Run what was not run yet of the faults that are named, by default all, in the chapters with code.

    What is found is kept after each piece in the file `path`, which need not exist, and returned: by fault why it is
    ``gone``, and its ``pairs`` by chapter and failing ``tests``; by chapter what claims ``met``. Where it is to be
    `thorough`, faults go on in other chapters as long as a claim there has noticed none of those that it meets.
    """
    faults = read_faults(root)
    if unknown := sorted(set(names) - set(faults)):
        raise ValueError(f"unknown faults: {', '.join(unknown)}; the list has {', '.join(faults)}")
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"met": {}, "pairs": {}, "tests": {}}
    found["gone"] = {name: reason for name, fault in faults.items() if (reason := why_gone(fault, root))}
    faults = {name: fault for name, fault in faults.items() if name not in found["gone"]}
    parameters = parameters_at("quick", {chapter.name: chapter for chapter in chapters}, root)
    source = sources()
    keys = {c.name: cache_key(c, parameters[c.name], source) for c in chapters}

    def keep(group, name, entry):
        found[group][name] = entry
        write_atomically(path, json.dumps(found, indent=1, sort_keys=True))

    chosen, waiting = {name: fault for name, fault in faults.items() if not names or name in names}, {}
    files = {name: os.path.relpath(fault.place(root)[0], ROOT) for name, fault in faults.items()}
    reached, probes = [], {}
    for chapter in chapters:
        read = kept_reads(chapter, parameters[chapter.name], path.parent)
        near = [n for n in faults if read is None or files[n] in {*read, os.path.relpath(chapter.path, ROOT)}]
        reached += [chapter.name] if chosen.keys() & near else []
        places = [(faults[n].file, faults[n].function, faults[n].old) for n in near]
        probes[chapter.name] = _digest(keys[chapter.name], places)
    found["met"] = {name: entry for name, entry in found["met"].items() if entry["key"] == probes.get(name)}
    tasks = {n: (root, n, parameters[n], list(faults.values()), True) for n in reached if n not in found["met"]}
    for name, run in _each(tasks, jobs, "unchanged chapter"):
        if run["failure"] or run["caught"]:
            what = run["failure"] or "not as recorded: " + ", ".join(run["caught"])
            raise ValueError(f"{name} fails without any fault: {what}; correct it first")
        keep("met", name, {"key": probes[name], "claims": run["claims"], "seconds": run["seconds"]})

    known = {fault: entry["claims"] for fault, entry in read_summary(root).items()}
    for fault in chosen:
        wanted = {name: _digest(keys[name], str(faults[fault])) for name in _meeting(found, fault)}
        pairs = found["pairs"].get(fault, {})
        found["pairs"][fault] = {name: pair for name, pair in pairs.items() if pair["key"] == wanted.get(name)}
        again = {name for name in wanted if found["met"][name]["claims"].keys() & set(known.get(fault, ()))}
        left = sorted(
            wanted.keys() - found["pairs"][fault].keys(), key=lambda n: (n not in again, found["met"][n]["seconds"])
        )
        waiting[fault] = {name: wanted[name] for name in left}

    def open_pairs():
        first = [(f, name) for f, left in waiting.items() if (name := _next(found, f, left, known.get(f, ())))]
        return first or (_for_silent_claims(found, waiting) if thorough else [])

    while pairs := open_pairs():
        digests = {(fault, name): waiting[fault].pop(name) for fault, name in pairs}
        texts = {f"{fault} in {name}": (fault, name) for fault, name in pairs}
        runs = {t: (root, name, parameters[name], [faults[fault]], False) for t, (fault, name) in texts.items()}
        for text, run in _each(runs, jobs, "fault"):
            fault, name = texts[text]
            pair = {"key": digests[fault, name], "caught": run["caught"], "failure": run["failure"]}
            keep("pairs", fault, found["pairs"][fault] | {name: pair})

    sound = set()
    for name in tqdm(chosen, desc="tests", disable=not sys.stderr.isatty()):
        key = _digest(keys, str(faults[name]))
        if found["tests"].get(name, {}).get("key") != key:
            found["tests"].pop(name, None)
        if outcome(found, name) != SURVIVES:
            continue
        tests = _tests_of(Path(faults[name].place(root)[0]).relative_to(root), Path(root))
        if tests and tests not in sound:
            if wrong := _failing_tests(root, tests):
                raise ValueError(f"tests fail without any fault: {wrong[0]}; correct that first")
            sound.add(tests)
        keep("tests", name, {"key": key, "failed": _failing_tests(root, tests, faults[name]) if tests else []})
    return found


def outcome(found, name):
    """Return who notices a fault: ``claims``, ``chapters`` (by failing), ``tests``, or nobody: ``survives``.

    As long as nobody did and chapters that meet it were not run with it, it is ``not run yet``. A fault that is not in
    the code as it is, or whose code names what is not there, is evidence of nothing: it ``no longer applies``.
    """
    pairs, tests = found["pairs"].get(name, {}), found["tests"].get(name, {}).get("failed", [])
    failures = [pair["failure"] for pair in pairs.values() if pair["failure"]]
    if name in found["gone"] or any(NO_NAME in failure for failure in [*failures, *tests]):
        return GONE
    if any(pair["caught"] for pair in pairs.values()):
        return "claims"
    if failures:
        return "chapters"
    if not set(_meeting(found, name)) <= set(pairs):
        return NOT_RUN
    return "tests" if tests else SURVIVES


def summary(found, names):
    """Return, by name, the outcome of each fault and the claims that caught it."""
    pairs = {name: found["pairs"].get(name, {}).values() for name in names}
    caught = {name: sorted({id for pair in pairs[name] for id in pair["caught"]}) for name in names}
    return {name: {"outcome": outcome(found, name), "claims": caught[name]} for name in names}


def _meeting(found, fault):
    """Return the chapters in which a claim meets a fault."""
    claims = {name: entry["claims"].values() for name, entry in found["met"].items()}
    return [name for name, each in claims.items() if any(fault in met for met in each)]


def _next(found, fault, left, known):
    """Return the next chapter to run; after a claim noticed the fault, the next with a claim that is known to."""
    again = (name for name in left if found["met"][name]["claims"].keys() & known)
    return next(again if outcome(found, fault) == "claims" else iter(left), None)


def _for_silent_claims(found, waiting):
    """Return pairs to run next: for each chapter the fault that most of its claims meet that have noticed none."""
    noticed = {id for pairs in found["pairs"].values() for pair in pairs.values() for id in pair["caught"]}
    chosen = []
    for name, entry in found["met"].items():
        silent = Counter(fault for id, met in entry["claims"].items() if id not in noticed for fault in met)
        left = [fault for fault in waiting if name in waiting[fault] and silent[fault]]
        chosen += [(max(left, key=silent.get), name)] if left else []
    return chosen


def why_gone(fault, root):
    """Return why a fault no longer applies, None if it does."""
    try:
        probed(*fault.place(root), fault.name)
    except ValueError as error:
        return str(error)
    return None


def _each(tasks, jobs, what):
    """Run the tasks, and yield and tell their results."""
    with (
        Progress(len(tasks), 0, unit=what) as progress,
        closing(outcomes(_run, tasks, jobs=jobs, preload=[__name__])) as finished,
    ):
        for name, found, exitcode in finished:
            if found is None:  # ended from outside: a kernel that dies is a failure that `_run` reports
                progress.report(name, failed=True, said=f"its process {ended_by(exitcode)}; nothing is recorded")
                continue
            noticed = found["failure"] or f"{len(found['caught'])} of {len(found['claims'])} claims notice"
            progress.report(name, failed=False, said=noticed)
            yield name, found


def _run(root, name, parameters, faults, probes):
    """Run a chapter in a copy of the book with a fault in it, or with probes at the lines of all faults instead."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy = _copy(root, Path(folder))
        if probes:
            _probe(faults, copy)
        else:
            faults[0].plant(copy)
        chapter = Chapter(name, copy / "chapters" / f"{name}.md")
        started = perf_counter()
        try:
            options = {"report": True, "figures": False, "timeout": CELL_TIMEOUT}
            text, _ = run_chapter(chapter, parameters, environment={"PYTHONPATH": folder}, **options)
            executed, failure = nbformat.reads(text, as_version=4), None
        except Exception as error:
            executed, failure = getattr(error, "executed", None), failure_of(error).reason[:200]
    cells = executed.cells if executed else []  # none where the chapter cannot be read with the fault
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    claims = [(output.data[MIME], output.metadata.get(KEY, [])) for output in outputs if MIME in output.get("data", {})]
    return {
        "claims": {claim["id"]: met for claim, met in claims},
        "caught": sorted(claim["id"] for claim, _ in claims if claim["problem"]),
        "failure": failure,
        "seconds": round(perf_counter() - started, 2),
    }


def _copy(root, folder, names=COPIED):
    for path in (Path(root) / name for name in names):
        if path.exists():
            (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)
    return folder


def _probe(faults, copy):
    """Put the probes of faults into modules and cells, the last line first."""
    places = [(*fault.place(copy), fault.name) for fault in faults]
    for path, number, name in sorted(places, reverse=True):
        path.write_text(probed(path, number, name), encoding="utf-8")


def _failing_tests(root, tests, fault=None):
    """Return which tests fail first, with the reason, where a fault is planted."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        copy = _copy(root, Path(folder), COPIED + BESIDE)
        if fault:
            fault.plant(copy)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", tests],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": folder},
                text=True,
                capture_output=True,
                timeout=TEST_TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            return [f"{tests}: not finished after {TEST_TIMEOUT} s"]
    if done.returncode not in (0, 1, 2):  # passed, failed, not collected
        said = (done.stdout + done.stderr).splitlines() or ["nothing"]
        raise ValueError(f"{tests}: expected pytest to run them, got exit code {done.returncode}: {said[-1]}")
    return [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]


def _tests_of(file, root):
    """Return the tests of a module's room, None if there are none."""
    parts = file.with_suffix("").parts
    package, *inner = parts
    home = Path("tests", package.removeprefix("capacity").removeprefix("_"))
    candidates = [Path(home, *inner[:n]) for n in range(len(inner) - 1, 0, -1)] or [home / f"test_{inner[-1]}.py"]
    return next((tests for tests in candidates if file.suffix == ".py" and (root / tests).exists()), None)


def _digest(*content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
