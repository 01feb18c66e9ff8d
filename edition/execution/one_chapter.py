"""One chapter executed with papermill: the notebook without anything that differs between executions, or a failure."""

import os
import tempfile
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import papermill
from papermill.engines import papermill_engines
from papermill.exceptions import PapermillExecutionError, strip_color
from papermill.execute import raise_for_execution_errors
from traitlets.config import Config

__all__ = ["Failure", "failure_of", "prepared", "run_chapter"]

KERNEL = "python3"
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


def run_chapter(chapter, parameters, *, report=False, figures=True, environment=None, timeout=CELL_TIMEOUT):
    """Execute a chapter in a kernel of its own.

    Parameters
    ----------
    chapter : Chapter
        The chapter.
    parameters : dict
        The values that replace its own.
    report : bool
        Whether claims that do not come out as recorded are shown instead of raised.
    figures : bool
        Whether each figure is kept as data, for print and for phones too; that takes longer than to draw it.
    environment : dict, optional
        Variables of the kernel's environment, such as another number of threads than one.
    timeout : int
        After how many seconds a cell is given up.

    Returns
    -------
    text : str
        The executed notebook.
    seconds : dict
        What each code cell took, by its id.

    Raises
    ------
    PapermillExecutionError
        If a cell raises; its attribute `failure` is the `Failure`, as it is with any other error, and `executed` the
        notebook as far as it came.
    """
    notebook, lines = chapter.notebook()
    claims = {"CAPACITY_CLAIMS": "report" if report else ""}
    executed = prepared(notebook, parameters)
    try:
        _run_papermill(executed, chapter.path.parent, claims | (environment or {}), timeout, figures)
    except Exception as error:
        error.executed, error.failure = executed, _located(error, executed, lines)
        raise
    cells = [cell for cell in executed.cells if cell.cell_type == "code" and cell.id in lines]
    seconds = {cell.id: round(cell.metadata["papermill"]["duration"], 3) for cell in cells}
    return nbformat.writes(_clean(executed)), seconds


def prepared(notebook, parameters):
    """Return a notebook with the cell that sets parameters, ready to be executed."""
    return papermill.execute_notebook(notebook, None, parameters, prepare_only=True, kernel_name=KERNEL)


def failure_of(error):
    """Return the `Failure` that an error of an execution carries, or one without a place."""
    return getattr(error, "failure", None) or Failure(None, None, _reason(error), "")


def _run_papermill(notebook, folder, environment, timeout, figures):
    """Execute a notebook in place, in a kernel that works in `folder`.

    This asks papermill's engine itself: `papermill.execute_notebook` keeps no notebook of what failed unless it writes
    one before and after each cell, which takes longer than most cells do.
    """
    with (
        _environment({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} | environment),
        tempfile.TemporaryDirectory(prefix="chapter-") as sockets,
        chdir(folder),
    ):
        papermill_engines.execute_notebook_with_engine(
            None,  # the usual one
            notebook,
            KERNEL,
            progress_bar=False,
            execution_timeout=timeout,
            extra_arguments=["--log-level=50", *["--ext=edition.figures.capture"] * figures],  # cells tell what fails
            config=Config(
                {
                    "KernelManager": {"transport": "ipc", "ip": str(Path(sockets) / "kernel")},
                    "NotebookClient": {"shutdown_kernel": "immediate"},  # it has nothing more to tell
                }
            ),
        )
        raise_for_execution_errors(notebook, None)


@contextmanager
def _environment(variables):
    """Set environment variables, which a kernel inherits, for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _located(error, notebook, lines):
    """Return the failure with its place: the cell that raised, or else the last one that papermill started."""
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


def _clean(executed):
    """Drop what differs from one execution to the next, and give the injected cell a stable id."""
    executed.metadata.pop("papermill", None)
    for cell in executed.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = "injected-parameters"
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
