"""Tests of properties try the same examples each time; nbval compares references but for the last digits of numbers."""

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell, IPyNbFile

from edition.verification.chapter_references import SKIPPED, adopt

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("reproducible")


class ReferenceCell(IPyNbCell):
    """A cell of a reference, of which only the printed text is compared, number by number."""

    def compare_outputs(self, test, ref, skip_compare=None):
        """Return whether the outputs agree with those of the reference."""
        return super().compare_outputs(adopt(test, ref), ref, (*self.parent.skip_compare, *SKIPPED))


class ReferenceFile(IPyNbFile):
    """The reference of a chapter."""

    def collect(self):
        """Yield its cells."""
        for found in super().collect():
            options = {"cell_num": found.cell_num, "cell": found.cell, "options": found.options}
            yield ReferenceCell.from_parent(self, name=found.name, **options)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Collect references where nbval would collect notebooks."""
    found = yield
    return [ReferenceFile.from_parent(parent, path=f.path) if isinstance(f, IPyNbFile) else f for f in found]
