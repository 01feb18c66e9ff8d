"""nbval compares what each chapter prints at the quick scale with its reference, but for the last digits of numbers.

A chapter is executed for that as it is for the book, and kept for `make quick`, which keeps what it executes for the
tests.
"""

from collections import defaultdict
from functools import cache

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile, find_comment_markers

from edition.book import ROOT, WHOLE, book, chosen, parameters_at
from edition.execution.all_chapters import execute_all
from edition.verification.chapter_references import FOLDER, adopt, printed, reference_notebook

__all__ = ["ReferenceFile", "at_quick_scale"]


class ReferenceCell(IPyNbCell):
    """A cell of a chapter, of which only the printed text is compared, number by number; warnings are refused."""

    def runtest(self):
        """Compare the outputs of the cell; where the chapter failed, the first cell says why at length."""
        if failure := self.parent.failure:
            reason = failure.describe(self.parent.chapter.path.relative_to(ROOT))
            pytest.fail(reason.splitlines()[0] if self.cell_num else reason, pytrace=False)
        if self.options["check"] and not self.compare_outputs(self.parent.outputs[self.cell.id], self.cell.outputs):
            self.raise_cell_error("Cell outputs differ", "\n".join(self.comparison_traceback))

    def compare_outputs(self, test, ref, skip_compare=None):
        """Return whether the outputs agree with those of the reference."""
        text = adopt(printed(test), printed(ref))
        shown = [nbformat.v4.new_output("stream", text=text)] if text else []
        return super().compare_outputs(shown + [output for output in test if output.get("name") == "stderr"], ref)

    def repr_failure(self, excinfo):
        """Return what failed, and what to do where it should be so."""
        if isinstance(excinfo.value, pytest.fail.Exception):
            return str(excinfo.value)
        return f"{super().repr_failure(excinfo)}\nif that is right: make reference CHAPTERS={self.parent.chapter.name}"


class ReferenceFile(IPyNbFile):
    """A chapter with its reference; either has the path."""

    def setup(self):
        """Execute the chapter, unless an execution of it as it is now is kept."""
        name = self.chapter.name
        result = execute_all([self.chapter], {name: self.parameters}, ROOT / "_build", jobs=1)[name]
        self.failure = result.failure
        cells = [] if self.failure else nbformat.read(result.path, as_version=4).cells
        self.outputs = {cell.id: cell.outputs for cell in cells if cell.cell_type == "code"}

    def collect(self):
        """Yield the code cells of the chapter."""
        chapters, parameters = at_quick_scale(self.config.getoption("part", WHOLE))
        folder = FOLDER if self.path.is_relative_to(ROOT / FOLDER) else "chapters"
        self.chapter = chosen(self.path.relative_to(ROOT / folder).with_suffix("").as_posix(), chapters)
        self.parameters = parameters[self.chapter.name]
        self.nb = reference_notebook(self.chapter, self.parameters)
        for number, cell in enumerate(self.nb.cells):
            options = defaultdict(bool, {"check": True} | dict(find_comment_markers(cell.source)))
            yield ReferenceCell.from_parent(self, name=cell.id, cell_num=number, cell=cell, options=options)


@cache
def at_quick_scale(part=WHOLE):
    """Return the chapters of a part and their parameters."""
    chapters = book(part=part)
    return chapters, parameters_at("quick", chapters)
