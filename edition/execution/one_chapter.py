"""One chapter executed: the notebook without anything that differs between executions, or a failure."""

import json
import re
from dataclasses import dataclass

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from papermill.parameterize import parameterize_notebook

from edition.book import ROOT
from edition.execution import kernels
from edition.execution.reads import FILE

__all__ = ["Failure", "failure_of", "prepared", "run_chapter"]

CELL_TIMEOUT = 900  # seconds
TRACEBACK_LINES = 12
COLOR = re.compile(r"\x1b\[[\d;]*m")
QUIET = ("--log-level=50", "--HistoryManager.enabled=False")  # cells tell what fails, and nobody asks for what ran
LOOK = ("--ext=capacity_studies.notebook.look",)
EXTENSIONS = ("--ext=capacity_studies.notebook.capture", "--ext=edition.execution.reads")


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


def run_chapter(chapter, parameters, *, report=False, figures=True, look=False, environment=None, timeout=CELL_TIMEOUT):
    """Execute a chapter in a kernel of its own; return the text of the notebook, and what its kernel noted.

    `report` shows claims that are not as recorded instead of raising; `figures` keeps each figure as data and for
    print, and notes the files that were read and the megabytes; `look` puts what is wrong with a figure beside it. An
    error carries its `failure`, and as `executed` the notebook as far as it came.
    """
    notebook, lines = chapter.notebook()
    executed = prepared(notebook, parameters)
    with kernels.settings() as (folder, config, variables):
        client = NotebookClient(
            executed,
            kernel_manager_class=kernels.Kernel,
            kernel_name=kernels.NAME,
            timeout=timeout,
            record_timing=False,
            shutdown_kernel="immediate",  # it has nothing more to tell
            extra_arguments=[*QUIET, *(EXTENSIONS if figures else ()), *(LOOK if look else ())],
            resources={"metadata": {"path": str(chapter.path.parent)}},
            config=config,
        )
        noted = folder / "reads.json"
        variables |= {FILE: str(noted), "CAPACITY_CLAIMS": "report" if report else ""} | (environment or {})
        try:
            client.execute(env=variables)
        except Exception as error:
            error.executed, error.failure = executed, _located(error, client, lines)
            raise
        found = _noted(noted) if figures else {}
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return nbformat.writes(executed), found


def _noted(file):
    """Return what a kernel noted, if its code was that of this checkout."""
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"code": []}
    if (code := found.pop("code")) != [str(ROOT)]:
        raise RuntimeError(
            f"expected a kernel with the code of {ROOT}, got one with that of {' and '.join(code) or 'no checkout'}; "
            "remove .venv and give make setup"
        )
    return found


def prepared(notebook, parameters):
    """Return a notebook with papermill's cell that sets parameters, ready to be executed."""
    if not parameters:
        return notebook
    notebook.metadata["papermill"] = {}  # which papermill adds where it reads a notebook from a file, as it does tags
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", [])
    ready = parameterize_notebook(notebook, parameters, kernel_name=kernels.NAME, language="python")
    del ready.metadata["papermill"]
    for cell in ready.cells:
        if "injected-parameters" in cell.metadata["tags"]:
            cell.id = "injected-parameters"
        elif not cell.metadata["tags"]:
            del cell.metadata["tags"]
    return ready


def failure_of(error):
    """Return the `Failure` that an error of an execution carries, or one without a place."""
    return getattr(error, "failure", None) or Failure(None, None, _reason(error), "")


def _located(error, client, lines):
    """Return the failure with its place: the cell that was launched last."""
    cells = [cell for cell in client.nb.cells if cell.cell_type == "code" and cell.source.strip()]
    launched = [cell.id for cell in cells[: client.code_cells_executed] if cell.id in lines]
    traceback = COLOR.sub("", error.traceback) if isinstance(error, CellExecutionError) else ""
    if not launched:
        return Failure(None, None, _reason(error), traceback)
    return Failure(list(lines).index(launched[-1]) + 1, lines[launched[-1]], _reason(error), traceback)


def _reason(error):
    if isinstance(error, CellExecutionError):
        return COLOR.sub("", f"{error.ename}: {error.evalue}")
    return f"{type(error).__name__}: {COLOR.sub('', str(error)).strip()}"


def _joined(outputs):
    """Join neighbouring pieces of what a cell prints: where they are cut depends on how busy the machine is."""
    joined = []
    for output in outputs:
        if joined and output.output_type == "stream" and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined
