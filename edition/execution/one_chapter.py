"""One chapter executed: the notebook without anything that differs between executions, or a failure."""

import json
import os
import re
from dataclasses import dataclass
from unittest.mock import patch

import nbformat
from papermill import PapermillExecutionError, execute_notebook
from papermill.engines import NBClientEngine, papermill_engines

from edition.execution import kernels
from edition.execution.reads import FILE

__all__ = ["Failure", "failure_of", "prepared", "run_chapter"]

CELL_TIMEOUT = 900  # seconds
TRACEBACK_LINES = 12
COLOR = re.compile(r"\x1b\[[\d;]*m")
QUIET = ("--log-level=50", "--HistoryManager.enabled=False")  # cells tell what fails, and nobody asks for what ran
PYTHON = {"kernel_name": kernels.NAME, "language": "python"}
LOOK = ("--ext=capacity_studies.notebook.look",)
EXTENSIONS = ("--ext=capacity_studies.notebook.capture", "--ext=edition.execution.reads")


class InMemory(NBClientEngine):
    """papermill's engine, which hands over the notebook at once instead of writing all of it twice per cell."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, hand_over, **options):
        hand_over(nb_man.nb)
        return super().execute_managed_notebook(nb_man, kernel_name, **options)


papermill_engines.register(InMemory.__name__, InMemory)


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
    begun = []
    with kernels.settings() as (folder, config, variables):
        noted = folder / "reads.json"
        variables |= {FILE: str(noted), "CAPACITY_CLAIMS": "report" if report else ""} | (environment or {})
        try:
            with patch.dict(os.environ, variables, clear=True):
                executed = execute_notebook(
                    notebook,
                    None,
                    parameters,
                    cwd=chapter.path.parent,
                    progress_bar=False,
                    execution_timeout=timeout,
                    engine_name=InMemory.__name__,
                    hand_over=begun.append,
                    kernel_manager_class=kernels.Kernel,
                    record_timing=False,
                    shutdown_kernel="immediate",  # it has nothing more to tell
                    extra_arguments=[*QUIET, *(EXTENSIONS if figures else ()), *(LOOK if look else ())],
                    config=config,
                    **PYTHON,
                )
        except Exception as error:
            error.executed = begun[-1] if begun else None
            error.failure = _located(error, lines)
            raise
        return nbformat.writes(_plain(executed)), json.loads(noted.read_text(encoding="utf-8")) if figures else {}


def prepared(notebook, parameters):
    """Return a notebook with papermill's cell that sets parameters, ready to be executed."""
    return _plain(execute_notebook(notebook, None, parameters, prepare_only=True, **PYTHON))


def _plain(notebook):
    """Return a notebook without what differs between executions."""
    del notebook.metadata["papermill"]
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        if "injected-parameters" in cell.metadata.get("tags", ()):
            cell.id = "injected-parameters"
        elif not cell.metadata.get("tags"):
            cell.metadata.pop("tags", None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def failure_of(error):
    """Return the `Failure` that an error of an execution carries, or one without a place."""
    return getattr(error, "failure", None) or Failure(None, None, _reason(error), "")


def _located(error, lines):
    """Return the failure with its place: the last cell that papermill began."""
    begun = [
        cell.id
        for cell in (error.executed.cells if error.executed else ())
        if cell.id in lines
        and cell.cell_type == "code"
        and cell.source.strip()
        and cell.metadata["papermill"]["status"] != "pending"
    ]
    cell = list(lines).index(begun[-1]) + 1 if begun else None
    traceback = COLOR.sub("", "\n".join(getattr(error, "traceback", ())))
    return Failure(cell, lines[begun[-1]] if begun else None, _reason(error), traceback)


def _reason(error):
    if isinstance(error, PapermillExecutionError):
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
