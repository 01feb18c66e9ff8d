"""Robustness of the verdicts: how claims come out under variations of the machine, at other seeds, with more effort.

A verdict is recorded on one machine. Here the chapters are executed under variations that should not change it: another
Python, another kernel of the linear algebra, two threads, which sum in another order; other seeds, which draw other
samples; at the papers' values, more effort: the steps and starts of fits in ``parameters/effort.yml``, one at a time;
and parameters one step away, one at a time, where claims may come out differently, and every chapter runs. Claims are
reported instead of raised. What a run found is kept below ``_build``: a chapter is executed under a variation again
only if it failed there, or it, its sources or the versions have changed. Of a run of the whole book, the summary says
for each variation how many claims were made, and which came out differently. What more effort changes is on record,
with the reason, in ``ledger/effort.yml``. At the settings of ``parameters/other.yml`` figures are looked at, and words
that say the same of data that differ are told, but for those that ``ledger/words.yml`` has, with the reason.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np
import scipy

from capacity_studies.notebook.look import MIME as LOOKED
from edition import recorded
from edition.book import ROOT, chosen, read_yaml
from edition.claims import ledger
from edition.claims.families import family_of
from edition.claims.statements import statements
from edition.execution.cache import cache_key, sources
from edition.execution.one_chapter import failure_of, run_chapter
from edition.execution.progress import Progress
from edition.execution.workers import ended_by, outcomes
from edition.files import write_atomically
from edition.yaml_values import Loader

__all__ = [
    "EFFORT",
    "OTHER",
    "STEP",
    "Robustness",
    "Variation",
    "check_robustness",
    "steps",
    "variations",
    "write_summary",
]

MOVING, SAYING = Path("ledger") / "effort.yml", Path("ledger") / "words.yml"
EITHER = "Either way"  # so begins the reason of a claim that may move or not
KERNELS = {"x86_64": ("Nehalem", "Haswell", "SkylakeX"), "aarch64": ("ARMV8", "NEOVERSEN1")}  # of OpenBLAS
BEYOND = {"Nehalem": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "Haswell": "X86_V4 AVX512_ICL AVX512_SPR"}  # NumPy's names
PROBE = "import numpy; numpy.ones((64, 64)) @ numpy.ones((64, 64))"  # instructions that are missing end it
SEEDS = (1, 2, 3)
SHOWN = 5  # problems of one figure
MACHINE, SEED, EFFORT, STEP, OTHER = KINDS = ("machine", "seed", "effort", "step", "other")


@dataclass(frozen=True)
class Variation:
    """What is different from the recorded execution: variables of the environment, or parameters by chapter.

    A variation of kind "machine" must not change a verdict. One of kind "seed" shows whether a verdict is luck, one of
    kind "effort" whether it is that of a fit cut short, one of kind "step" or "other", that a chapter runs at other
    parameters.
    """

    name: str
    kind: str
    environment: dict = field(default_factory=dict)
    changes: dict = field(default_factory=dict)
    skipped: str | None = None

    def parameters(self, chapter, parameters):
        """Return the parameters of a chapter under this variation, None where it changes none of them."""
        if self.kind == MACHINE:
            return parameters
        return parameters | self.changes[chapter.name] if chapter.name in self.changes else None


def variations(chapters, root):
    """Return the variations that there are on this machine, those that are not possible with the reason."""
    python = "Python {}.{}".format(*sys.version_info)
    found = [Variation(python, MACHINE)]
    own = _core()
    for kernel in KERNELS.get(platform.machine(), ()):
        environment = {"OPENBLAS_CORETYPE": kernel}
        if kernel in BEYOND:  # NumPy's own loops choose their instructions apart from OpenBLAS
            environment["NPY_DISABLE_CPU_FEATURES"] = BEYOND[kernel]
        if own is None:
            reason = "numpy's linear algebra is not an OpenBLAS that chooses its kernel when it starts"
        elif own == kernel:
            reason = "it is the kernel of this processor"
        else:
            reason = None if _core(environment) == kernel else "this processor or this OpenBLAS does not have it"
        found.append(Variation(f"{python}, {kernel} kernel", MACHINE, environment, skipped=reason))
    threads = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    reason = None if (os.cpu_count() or 1) > 1 else "there is one processor"
    found.append(Variation(f"{python}, two threads", MACHINE, threads, skipped=reason))
    seeds = {name: chapter.parameters().get("seed") for name, chapter in chapters.items() if chapter.is_executable()}
    for seed in SEEDS:
        others = {name: {"seed": seed} for name, own in seeds.items() if own not in (None, str(seed))}
        found.append(Variation(f"{python}, seed {seed}", SEED, changes=others))
    more = {}
    path = Path(root) / "parameters" / "effort.yml"
    for name, parameters in read_yaml(path, Loader).items() if path.exists() else ():
        chapter = chosen(name, chapters, root=root)
        for parameter, values in parameters.items():
            for number, value in enumerate(values):
                changes = more.setdefault(f"{python}, more {parameter}" + (f", {number + 1}" if number else ""), {})
                changes[chapter.name] = chapter.checked({parameter: value})
    found += [Variation(name, EFFORT, changes=changes) for name, changes in more.items()]
    return found + _others(chapters, root)


def _others(chapters, root):
    """Return the variations of ``parameters/other.yml``: one for each of its settings."""
    path, found = Path(root) / "parameters" / "other.yml", {}
    for name, settings in read_yaml(path, Loader).items() if path.exists() else ():
        chapter = chosen(name, chapters, root=root)
        for setting, values in settings.items():
            found.setdefault(setting, {})[chapter.name] = chapter.checked(values)
    return [Variation(setting, OTHER, changes=changes) for setting, changes in found.items()]


def steps(chapters, parameters):
    """Return the variations in which one parameter of a chapter is a step away from its value in `parameters`."""
    found = {}
    for chapter in chapters:
        for name, declared in chapter.parameters().items():
            for value in declared.steps(parameters[chapter.name].get(name, declared.value)):
                called, skipped = f"{name} = {value}", None
                try:
                    chapter.checked(parameters[chapter.name] | {name: value})
                except ValueError as error:
                    called, skipped = f"{chapter.name}, {called}", str(error)
                variation = found.setdefault(called, Variation(called, STEP, skipped=skipped))
                variation.changes[chapter.name] = {name: value}
    return list(found.values())


@dataclass(frozen=True)
class Robustness:
    """What variations gave: by their names their `kinds` and `runs` of chapters; the claims that more effort moves, and
    by figure, or for any, patterns of words that may say the same of other data, each with the reason.
    """

    kinds: dict
    runs: dict
    moving: dict = field(default_factory=dict)
    saying: dict = field(default_factory=dict)

    @property
    def failures(self):
        """The findings as (kind, variation, chapter, claim, problem); `claim` is empty where the chapter failed."""
        found = []
        for name, runs in self.runs.items():
            for chapter, run in runs.items():
                problems = ({"": run["failed"]} if run["failed"] else {}) | run["different"]
                found += [(self.kinds[name], name, chapter, claim, problem) for claim, problem in problems.items()]
        return found

    @property
    def surprises(self):
        """What more effort did otherwise than on record, as (chapter, claim, what): moved a claim, or left it."""
        ran = {chapter for name, runs in self.runs.items() if self.kinds[name] == EFFORT for chapter in runs}
        moved = {(chapter, claim) for kind, _, chapter, claim, _ in self.failures if kind == EFFORT}
        known = {(chapter, claim): why for chapter in ran for claim, why in self.moving.get(chapter, {}).items()}
        steady = {each for each, why in known.items() if each not in moved and not why.startswith(EITHER)}
        return sorted(
            [(*each, "moves with more effort, which is not on record") for each in moved - known.keys()]
            + [(*each, "is on record as moving with more effort, and does not") for each in steady]
        )

    @property
    def contradicted(self):
        """The claims that are stated for other parameters and come out differently there, as (variation, claim)."""
        return [(name, claim) for name, _, run in self._runs(STEP, OTHER) for claim in run["contradicted"]]

    @property
    def seen(self):
        """What is wrong with figures at other parameters, as (variation, chapter, problem)."""
        return [(name, chapter, problem) for name, chapter, run in self._runs(OTHER) for problem in run["seen"]]

    @property
    def typed(self):
        """The words that figures have at two settings at which their data differ, as (figure, words)."""
        found = set()
        for (_, chapter, run), (_, other, second) in combinations(self._runs(OTHER), 2):
            for figure in run["figures"].keys() & second["figures"].keys() if chapter == other else ():
                (data, words), (others, again) = run["figures"][figure], second["figures"][figure]
                same = {*words} & {*again} if data != others else ()
                listed = [*self.saying.get(figure, ()), *self.saying.get("any", ())]
                found |= {(figure, text) for text in same if not any(re.fullmatch(each, text) for each in listed)}
        return sorted(found)

    def _runs(self, *kinds):
        """Return the runs that did not fail under variations of some kinds, as (variation, chapter, run)."""
        found = [(n, chapter, run) for n, runs in self.runs.items() for chapter, run in runs.items()]
        return [each for each in found if self.kinds[each[0]] in kinds and not each[2]["failed"]]

    def wrong(self):
        """Return in words what is wrong, empty if nothing is."""
        if not any(self.runs.values()):  # without a seed, a chapter has no other one
            return (
                "nothing ran: no variation that is possible here changes what was named; name another kind or chapter"
            )
        if self.surprises:
            return "more effort did otherwise than on record; mend the claim, or ledger/effort.yml, with the reason"
        if any(kind == MACHINE for kind, *_ in self.failures):
            return "a claim comes out differently on another machine; mend the claim or its tolerance"
        if any(kind in (STEP, OTHER) and not claim for kind, _, _, claim, _ in self.failures):
            return "a chapter does not run to its end at other parameters; mend it, or say there what is allowed"
        if self.contradicted or self.seen or self.typed:
            return "at other parameters a claim that is stated for them, or a figure, is not as it should be; see above"
        return ""

    def describe(self):
        """Return the table of the variations, and each claim that came out differently."""
        rows = [("variation", "chapters", "claims", "different")]
        for name, found in self.runs.items():
            if not found:
                continue
            different = sum(len(run["different"]) + bool(run["failed"]) for run in found.values())
            rows.append((name, len(found), sum(run["claims"] for run in found.values()), different))
        width = max(len(name) for name, *_ in rows) + 2
        lines = [f"{name:{width}}" + "".join(f"{entry:>10}" for entry in entries) for name, *entries in rows]
        for _, name, chapter, claim, problem in self.failures:
            lines.append(f"  {name}: {claim or chapter}: {problem}")
        lines += [f"  {claim or chapter} {what}" for chapter, claim, what in self.surprises]
        lines += [f"  {claim} is stated for {name}, and comes out differently" for name, claim in self.contradicted]
        lines += [f"  {chapter}, {name}: {problem}" for name, chapter, problem in self.seen]
        lines += [f"  {figure}: {words!r} whatever is drawn: compute it, or {SAYING}" for figure, words in self.typed]
        return "\n".join(lines)


def check_robustness(chapters, parameters, folder, *, tried, jobs=2, root=ROOT):
    """Execute chapters with code under variations, as far as it is not kept in a folder, and return what was found.

    `parameters` are those of all chapters by name. A run that did not fail is kept, and counts as long as the chapter,
    its parameters, the sources and the versions are the same.
    """
    runs, tasks, basis = {variation.name: {} for variation in tried}, {}, [sources(), _versions()]
    stated = {chapter.name: _families(chapter) for chapter in chapters}
    kinds = {variation.name: variation.kind for variation in tried}
    for variation in tried:
        look = variation.kind == OTHER
        for chapter in chapters:
            wanted = variation.parameters(chapter, parameters[chapter.name])
            if wanted is not None:
                key = cache_key(chapter, wanted, [*basis, stated[chapter.name], look], variation.environment)
                kept = Path(folder) / f"{key}.json"
                if kept.exists():
                    runs[variation.name][chapter.name] = json.loads(kept.read_text(encoding="utf-8"))
                else:
                    tasks[chapter.name, variation.name] = (chapter, wanted, variation.environment, look, kept)
    done = sum(map(len, runs.values()))
    with (
        Progress(done + len(tasks), done, unit="execution") as progress,
        closing(_by_threads(tasks, jobs)) as finished,
    ):
        for (chapter, name), outcome, exitcode in finished:
            died = {"claims": 0, "different": {}, "failed": f"its process {ended_by(exitcode)}"}, None
            run, seconds = outcome or died
            runs[name][chapter] = run
            if not run["failed"]:
                write_atomically(tasks[chapter, name][-1], json.dumps(run))
            other = run.get("contradicted") or run.get("seen") if kinds[name] in (STEP, OTHER) else run["different"]
            progress.report(f"{chapter}, {name}", failed=bool(run["failed"] or other), seconds=seconds)
    known = [read_yaml(path) if (path := Path(root) / file).exists() else {} for file in (MOVING, SAYING)]
    return Robustness(kinds, runs, *known)


def _families(chapter):
    """Return for which parameters the claims of a chapter are stated."""
    return [(claim.id, family_of(claim)) for claim in statements(chapter.path.read_text(encoding="utf-8"))]


def _by_threads(tasks, jobs):
    """Yield what comes of the tasks: `jobs` at once of those with one thread, fewer of those with more."""
    grouped = {}
    for name, arguments in tasks.items():
        threads = int(arguments[2].get("OMP_NUM_THREADS", 1))
        grouped.setdefault(threads, {})[name] = arguments
    for threads, some in grouped.items():
        yield from outcomes(_work, some, jobs=max(1, jobs // threads), preload=[__name__])


def _work(chapter, parameters, environment, look, _):
    """Execute a chapter in a process of its own; return what its claims gave, and the seconds."""
    start = time.monotonic()
    try:
        text, _ = run_chapter(chapter, parameters, report=True, figures=False, look=look, environment=environment)
        notebook = nbformat.reads(text, as_version=4)
        claims = ledger.collect({chapter.name: notebook}, as_recorded=False)
        other = [claim for claim in claims if claim["problem"]]
        run = {
            "claims": len(claims),
            "different": {claim["id"]: claim["problem"] for claim in other},
            "contradicted": [claim["id"] for claim in other if claim["applies"]],
            "seen": _seen(notebook),
            "figures": _figures(notebook),
            "failed": None,
        }
    except Exception as error:
        failure = failure_of(error)
        place = f"cell {failure.cell}: " if failure.cell else ""
        run = {"claims": 0, "different": {}, "failed": f"{place}{failure.reason}"}
    return run, time.monotonic() - start


def _seen(notebook):
    """Return what is wrong with the figures of an executed notebook, if they were looked at, and what cells warn of."""
    found = []
    for name, output in _outputs(notebook):
        problems = output.get("data", {}).get(LOOKED, {}).get("problems", [])
        found += [f"{name}: {problem}" for problem in problems[:SHOWN]]
        found += [f"{name}: and {len(problems) - SHOWN} more like these"] if len(problems) > SHOWN else []
        found += [f"{name}: {output.text.strip()}"] if output.get("name") == "stderr" else []
    return found


def _figures(notebook):
    """Return by name what each figure that was looked at draws, as a digest, and what it says."""
    looked = {name: output["data"][LOOKED] for name, output in _outputs(notebook) if LOOKED in output.get("data", {})}
    return {name: [each["data"], each["said"]] for name, each in looked.items()}


def _outputs(notebook):
    """Yield the outputs of an executed notebook, each with the name of its figure or else of its cell."""
    for cell in notebook.cells:
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name", cell.id)
        yield from ((name, output) for output in cell.get("outputs", []))


def write_summary(found, root=ROOT):
    """Add to the summary of a book what was found under each variation, and return its path."""
    known, versions = recorded.read(root, recorded.ROBUSTNESS), _versions()
    for name, runs in found.runs.items():
        known[name] = {
            "kind": found.kinds[name],
            "versions": versions,
            "claims": sum(run["claims"] for run in runs.values()),
            "different": {claim or chapter: problem for _, n, chapter, claim, problem in found.failures if n == name},
        }
    return recorded.write(root, recorded.ROBUSTNESS, known)


def _versions():
    """Return what decides the last digits."""
    return {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__} | {
        "processor": platform.machine(),
        "kernel": _core() or "unknown",
    }


def _core(environment=None):
    """Return the name of the kernel that NumPy's OpenBLAS chooses when it starts, None if there is none that works."""
    variables = os.environ | {"OPENBLAS_VERBOSE": "2"} | (environment or {})
    done = subprocess.run([sys.executable, "-c", PROBE], env=variables, capture_output=True, text=True)
    found = re.search(r"^Core: (\S+)$", done.stdout + done.stderr, re.MULTILINE)
    return found[1] if found and done.returncode == 0 else None
