"""Execution of the chapters: in parallel, each in its own process, and only those that the cache does not have."""

import os
import re
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from edition.execution.cache import cache_key, kept, prune, put, seconds_of, stamped
from edition.execution.made_with import installed
from edition.execution.one_chapter import Failure, failure_of, run_chapter
from edition.execution.progress import Progress
from edition.execution.workers import ended_by, outcomes
from edition.files import NO_SPACE, write_atomically

__all__ = ["Result", "execute", "execute_all", "kept_reads"]

FOLDER = "executed"  # of the notebooks
REFUSED = re.compile(r"OSError: \[Errno (\d+)\]")


@dataclass(frozen=True)
class Result:
    """What executing a chapter gave: the notebook's path and what it took, or why there is none."""

    path: Path | None = None
    failure: Failure | None = None
    seconds: float | None = None
    megabytes: float | None = None
    packages: tuple = ()  # with their versions, of which it has executed something
    cached: bool = field(default=False, compare=False)


def execute_all(chapters, parameters, build, *, jobs=2):
    """Execute chapters in parallel, reusing what is unchanged."""
    tasks, results = {}, {}
    # The longest first, so that no processor waits at the end; the papers' own, which come first, are short.
    for chapter in sorted(chapters, key=lambda chapter: seconds_of(build / FOLDER / chapter.name))[::-1]:
        key, folder = cache_key(chapter, parameters[chapter.name]), build / FOLDER / chapter.name
        path, found = kept(chapter, key, folder)
        if path:
            results[chapter.name] = _result(path, found, cached=True)
        else:
            tasks[chapter.name] = chapter, parameters[chapter.name], folder, key, installed()
    with (
        Progress(len(chapters), len(results)) as progress,
        closing(outcomes(_work, tasks, jobs=jobs, preload=[__name__])) as finished,
    ):
        for name, result, exitcode in finished:
            result = result or Result(failure=Failure(None, None, f"its process {ended_by(exitcode)}", ""))
            results[name] = result
            progress.report(name, failed=bool(result.failure), seconds=result.seconds)
    return {chapter.name: results[chapter.name] for chapter in chapters}


def execute(chapter, parameters, destination, *, report=False):
    """Execute one chapter and write the notebook, without timings or paths, to `destination`.

    With `report`, claims that do not come out as recorded are shown instead of raised. An error carries its `failure`.
    """
    return write_atomically(destination, run_chapter(chapter, parameters, report=report)[0])


def kept_reads(chapter, parameters, build):
    """Return the files that an execution of the chapter as it is now read, None without one."""
    path, found = kept(chapter, cache_key(chapter, parameters), build / FOLDER / chapter.name)
    return set(found["reads"]) if path else None


def _result(path, found, *, cached=False):
    packages = {package for packages in found["packages"].values() for package in packages}
    return Result(path, None, found["seconds"], found["megabytes"], tuple(sorted(packages)), cached)


def _work(chapter, parameters, folder, key, packages):
    """Execute a chapter in a process of its own and return the `Result`; a full disk is no failure of the chapter."""
    start, began = time.monotonic(), time.time()
    try:
        text, found = run_chapter(chapter, parameters)
    except Exception as error:
        failure = failure_of(error)
        refused = REFUSED.match(failure.reason)
        if refused and (number := int(refused[1])) in NO_SPACE:  # here or to the kernel
            raise OSError(number, os.strerror(number)) from error
        return Result(failure=failure, seconds=round(time.monotonic() - start, 2))
    found = stamped(found, packages, began) | {"seconds": round(time.monotonic() - start, 2)}
    path = put(text, found, folder, key)
    prune(folder)
    return _result(path, found)
