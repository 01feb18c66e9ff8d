"""nbval compares what each chapter prints at the quick scale with its reference, but for the last digits of numbers.

A chapter is executed for that, unless `make quick` has executed it as it is now: then what it printed is compared.
"""

from collections import defaultdict
from functools import cache

import nbformat
from nbval.plugin import IPyNbCell, IPyNbFile, find_comment_markers

from edition.book import ROOT, book, chosen, parameters_at
from edition.execution.all_chapters import kept_outputs
from edition.verification.chapter_references import FOLDER, adopt, printed, reference_notebook

__all__ = ["ReferenceFile", "at_quick_scale"]


class ReferenceCell(IPyNbCell):
    """A cell of a chapter, of which only the printed text is compared, number by number; warnings are refused."""

    def runtest(self):
        """Execute the cell and compare its outputs, or compare those of the book's execution."""
        printed_in_the_book = self.parent.printed_in_the_book
        if printed_in_the_book is None:
            super().runtest()
        elif self.options["check"] and not self.compare_outputs(printed_in_the_book[self.cell.id], self.cell.outputs):
            self.raise_cell_error("Cell outputs differ", "\n".join(self.comparison_traceback))

    def compare_outputs(self, test, ref, skip_compare=None):
        """Return whether the outputs agree with those of the reference."""
        text = adopt(printed(test), printed(ref))
        shown = [nbformat.v4.new_output("stream", text=text)] if text else []
        return super().compare_outputs(shown + [output for output in test if output.get("name") == "stderr"], ref)

    def repr_failure(self, excinfo):
        """Return what failed, and what to do where it should be so."""
        return f"{super().repr_failure(excinfo)}\nif that is right: make reference CHAPTERS={self.parent.chapter.name}"


class ReferenceFile(IPyNbFile):
    """A chapter with its reference; either has the path."""

    def setup(self):
        """Start a kernel, unless the book has outputs of the chapter as it is now."""
        self.printed_in_the_book = kept_outputs(self.chapter, self.parameters, ROOT / "_build")
        if self.printed_in_the_book is None:
            super().setup()

    def collect(self):
        """Yield the code cells of the chapter."""
        chapters, parameters = at_quick_scale()
        folder = FOLDER if self.path.is_relative_to(ROOT / FOLDER) else "chapters"
        self.chapter = chosen(self.path.relative_to(ROOT / folder).with_suffix("").as_posix(), chapters)
        self.parameters = parameters[self.chapter.name]
        self.nb = reference_notebook(self.chapter, self.parameters)
        for number, cell in enumerate(self.nb.cells):
            options = defaultdict(bool, {"check": True} | dict(find_comment_markers(cell.source)))
            yield ReferenceCell.from_parent(self, name=cell.id, cell_num=number, cell=cell, options=options)


@cache
def at_quick_scale():
    """Return the chapters and their parameters."""
    chapters = book()
    return chapters, parameters_at("quick", chapters)
