"""Execution of the chapters: in parallel, each in its own process, and only those whose code changed.

An executed notebook is kept under a name that holds the hash of everything it was made from and the checksum of what it
is, and it appears under this name in one step. So an interrupted build resumes, and a damaged result is made again.
"""

import hashlib
import json
import os
import platform
import resource
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError, strip_color
from tqdm import tqdm
from traitlets.config import Config

from capacity._files import write_atomically
from edition.book import ROOT
from edition.execution import timings as took
from edition.execution.progress import Progress
from edition.execution.renewal import code, renew
from edition.execution.workers import outcomes

__all__ = ["Failure", "Result", "execute", "execute_all", "source_digest"]

KEPT = 4  # executed notebooks kept of each chapter, so that changing back and forth costs nothing
EDITION = (  # what acts on execution
    "__init__",
    "book",
    "claims/claim",
    "claims/expectations",
    "execution/execute",
    "figures/capture",
    "figures/explorer",
)
READ = ("requirements.txt", "benchmarks/results.json")  # what chapters read beside their own text
TIMINGS = Path("executed") / "timings.json"
CELL_TIMEOUT = 900  # seconds
TRACEBACK_LINES = 12


@dataclass(frozen=True)
class Failure:
    """Why a chapter failed, and where: the cell's number and its line in the text."""

    cell: int | None
    line: int | None
    reason: str
    traceback: str

    def describe(self, path):
        """Return the message for people; `path` is the chapter's file."""
        where = f"{path}:{self.line}: cell {self.cell}" if self.cell else f"{path}"
        tail = "".join(f"\n    {line}" for line in self.traceback.splitlines()[-TRACEBACK_LINES:])
        return f"{where}: {self.reason}{tail}"


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


def source_digest(root=ROOT):
    """Return the hash of what chapters depend on beside their text: package, claims, dependencies, data, Python."""
    root = Path(root)
    capacity, edition = (Path(find_spec(name).submodule_search_locations[0]) for name in ("capacity", "edition"))
    files = [(capacity, path) for path in capacity.rglob("*") if path.suffix != ".pyc"]
    files += [(root, path) for path in (root / "chapters").rglob("*") if path.suffix != ".md"]
    files += [(edition, edition / f"{name}.py") for name in EDITION] + [(root, root / name) for name in READ]
    digest = hashlib.sha256(f"{sys.version_info[:3]} {platform.machine()}".encode())
    for base, path in sorted(files):
        if path.is_file() and not path.name.startswith("."):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(base)} {content}\n".encode())
    return digest.hexdigest()


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
    digest, timings = source_digest(root), took.read(build / TIMINGS)
    keys = {chapter.name: _key(chapter, parameters[chapter.name], digest) for chapter in chapters}
    kept = {chapter.name: _kept(chapter, keys[chapter.name], build, timings) for chapter in chapters}
    results = {n: Result(p, cached=True, **timings.get(n, {}).get(p.stem, {})) for n, p in kept.items() if p}
    write_atomically(build / TIMINGS, took.text(timings))
    pending = [chapter for chapter in chapters if chapter.name not in results]
    pending.sort(
        key=lambda chapter: -max((run["seconds"] for run in timings.get(chapter.name, {}).values()), default=1e9)
    )
    by_name = {chapter.name: chapter for chapter in pending}
    tasks = {n: (c, parameters[n], build / "executed" / n, keys[n]) for n, c in by_name.items()}
    with (
        Progress(len(chapters), len(results)) as progress,
        closing(outcomes(_work, tasks, jobs=jobs, preload=["edition.execution.execute"])) as finished,
    ):
        for name, result, exitcode in finished:
            if result is None:
                result = Result(failure=Failure(None, None, f"its process ended with {exitcode}", ""))
            results[name] = result
            progress.report(by_name[name], result)
            if result.path:
                took.note(timings, name, result)
                write_atomically(build / TIMINGS, took.text(timings))
    return {chapter.name: results[chapter.name] for chapter in chapters}


def execute(chapter, parameters, destination, *, report=False):
    """Execute one chapter with papermill and write the notebook, without timings or paths, to `destination`.

    With `report`, claims that do not come out as recorded are shown instead of raised.

    Raises
    ------
    PapermillExecutionError
        If a cell raises; `cell_index` and `line` are those of the chapter's text.
    """
    return _put(_perform(chapter, parameters, report)[0], destination)


def _perform(chapter, parameters, report=False):
    """Return the text of the executed notebook, and the seconds of each cell by its id."""
    notebook, lines = chapter.notebook()
    with tempfile.TemporaryDirectory(prefix="chapter-") as folder:
        path = Path(folder) / "chapter.ipynb"
        nbformat.write(notebook, path)
        environment = {
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "CAPACITY_CLAIMS": "report" if report else "",
        }
        before = {name: os.environ.get(name) for name in environment}
        os.environ.update(environment)
        try:
            papermill.execute_notebook(
                path,
                path,
                parameters=parameters,
                cwd=chapter.path.parent,
                kernel_name="python3",
                progress_bar=False,
                execution_timeout=CELL_TIMEOUT,
                extra_arguments=["--ext=edition.figures.capture", "--log-level=50"],  # what fails is told by the cell
                config=Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}}),
            )
        except Exception as error:
            error.failure = _failure(error, nbformat.read(path, as_version=4), lines)
            raise
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
        executed = nbformat.read(path, as_version=4)
    code = [cell for cell in executed.cells if cell.cell_type == "code" and cell.id in lines]
    seconds = {cell.id: round(cell.metadata["papermill"]["duration"], 3) for cell in code}
    return nbformat.writes(_clean(executed, notebook)), seconds


def _put(text, destination):
    """Write an executed notebook and return its path; a name may ask for the checksum of the text."""
    destination = Path(destination)
    if "{checksum}" in destination.name:
        destination = destination.with_name(destination.name.format(checksum=_checksum(text.encode())))
    return write_atomically(destination, text)


def _work(chapter, parameters, folder, key):
    """Execute a chapter in a process of its own and return the `Result`."""
    start, cells = time.monotonic(), {}
    try:
        text, cells = _perform(chapter, parameters)
        path, failure = _put(text, folder / f"{key}-{{checksum}}.ipynb"), None
        _prune(folder)
    except Exception as error:
        path, failure = None, getattr(error, "failure", None) or Failure(None, None, _reason(error), "")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    return Result(path, failure, round(time.monotonic() - start, 2), round(memory, 1), cells)


def _failure(error, notebook, lines):
    """Locate the error: the cell that raised, or else the last one that papermill started."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id in lines]
    raised = [cell for cell in cells if any(output.output_type == "error" for output in cell.outputs)]
    started = [cell for cell in cells if cell.metadata.get("papermill", {}).get("start_time")]
    cell = next(iter(raised + started[::-1]), None)
    traceback = strip_color("\n".join(error.traceback)) if isinstance(error, PapermillExecutionError) else ""
    number = list(lines).index(cell.id) + 1 if cell else None
    return Failure(number, lines[cell.id] if cell else None, _reason(error), traceback)


def _reason(error):
    if isinstance(error, PapermillExecutionError):
        return strip_color(f"{error.ename}: {error.evalue}")
    return f"{type(error).__name__}: {strip_color(str(error)).strip()}"


def _clean(executed, source):
    """Drop what differs from one execution to the next, and give the injected cell a stable id."""
    executed.metadata.pop("papermill", None)
    for cell in executed.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = f"{source.cells[0].id.rsplit('-', 1)[0]}-parameters"
    return executed


def _joined(outputs):
    """Join neighbouring pieces of what a cell prints: where they are cut depends on how busy the machine is."""
    joined = []
    for output in outputs:
        if joined and output.output_type == "stream" and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _key(chapter, parameters, digest):
    content = json.dumps([code(chapter.notebook()[0]), parameters, digest], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _checksum(content):
    return hashlib.sha256(content).hexdigest()[:16]


def _kept(chapter, key, build, timings):
    """Return the kept notebook of this key, with the chapter's present text; remove a damaged one instead."""
    for path in (build / "executed" / chapter.name).glob(f"{key}-*.ipynb"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.stem == f"{key}-{_checksum(text.encode())}":
            executed = nbformat.reads(text, as_version=4)
            ids = renew(executed, chapter.notebook()[0])
            fresh = _put(nbformat.writes(executed), path.with_name(f"{key}-{{checksum}}.ipynb"))
            if fresh != path:
                took.move(timings, chapter.name, path.stem, fresh.stem, ids)
                path.unlink()
            return fresh
        tqdm.write(f"{chapter.name}: the kept result is damaged, executing again")
        path.unlink()
    return None


def _prune(folder):
    kept = sorted(folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[KEPT:]:
        path.unlink(missing_ok=True)
