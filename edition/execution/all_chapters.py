"""Execution of the chapters: in parallel, each in its own process, and only those that the cache does not have."""

import resource
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from edition.book import ROOT
from edition.execution import resource_usage
from edition.execution.cache import cache_key, kept, prune, put, source_digests
from edition.execution.one_chapter import Failure, failure_of, run_chapter
from edition.execution.progress import Progress
from edition.execution.workers import outcomes
from edition.files import write_atomically

__all__ = ["Result", "execute", "execute_all"]

FOLDER = "executed"  # of the notebooks and of what they took
USAGE = "usage.json"


@dataclass(frozen=True)
class Result:
    """What executing a chapter gave: the notebook's path, or why there is none.

    What it took is there where it is known: seconds, megabytes, and in `cells` the seconds of each code cell by its id.
    """

    path: Path | None = None
    failure: Failure | None = None
    seconds: float | None = None
    megabytes: float | None = None
    cells: dict = field(default_factory=dict)
    cached: bool = field(default=False, compare=False)


def execute_all(chapters, parameters, build, *, jobs=2, root=ROOT):
    """Execute chapters in parallel, reusing what is unchanged.

    Parameters
    ----------
    chapters : list of Chapter
        The chapters, those without code left out.
    parameters : dict
        Parameters by chapter name.
    build : Path
        The folder of all results.
    jobs : int
        How many chapters run at once.

    Returns
    -------
    dict
        A `Result` for every chapter by name; a chapter that fails does not keep the others from running.
    """
    executed, sources = build / FOLDER, source_digests(chapters, root)
    usage = resource_usage.read(executed / USAGE)
    keys = {chapter.name: cache_key(chapter, parameters[chapter.name], sources[chapter.name]) for chapter in chapters}
    found = {chapter.name: kept(chapter, keys[chapter.name], executed / chapter.name, usage) for chapter in chapters}
    results = {n: Result(p, cached=True, **usage.get(n, {}).get(p.stem, {})) for n, p in found.items() if p}
    write_atomically(executed / USAGE, resource_usage.as_json(usage))
    pending = [chapter for chapter in chapters if chapter.name not in results]
    pending.sort(key=lambda chapter: -_expected_seconds(usage.get(chapter.name, {})))
    tasks = {c.name: (c, parameters[c.name], executed / c.name, keys[c.name]) for c in pending}
    with (
        Progress(len(chapters), len(results)) as progress,
        closing(outcomes(_work, tasks, jobs=jobs, preload=[__name__])) as finished,
    ):
        for name, result, exitcode in finished:
            if result is None:
                result = Result(failure=Failure(None, None, f"its process ended with {exitcode}", ""))
            results[name] = result
            progress.report(name, failed=bool(result.failure), seconds=result.seconds)
            if result.path:
                resource_usage.record(usage, name, result)
                write_atomically(executed / USAGE, resource_usage.as_json(usage))
    return {chapter.name: results[chapter.name] for chapter in chapters}


def execute(chapter, parameters, destination, *, report=False):
    """Execute one chapter with papermill and write the notebook, without timings or paths, to `destination`.

    With `report`, claims that do not come out as recorded are shown instead of raised.

    Raises
    ------
    PapermillExecutionError
        If a cell raises; `failure.cell` and `failure.line` are those of the chapter's text.
    """
    return write_atomically(destination, run_chapter(chapter, parameters, report=report)[0])


def _expected_seconds(runs):
    """Return what the slowest kept execution took; a chapter of which none is known comes first."""
    return max((run["seconds"] for run in runs.values()), default=1e9)


def _work(chapter, parameters, folder, key):
    """Execute a chapter in a process of its own and return the `Result`."""
    start, cells = time.monotonic(), {}
    try:
        text, cells = run_chapter(chapter, parameters)
        path, failure = put(text, folder, key), None
        prune(folder)
    except Exception as error:
        path, failure = None, failure_of(error)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    return Result(path, failure, round(time.monotonic() - start, 2), round(memory, 1), cells)
