"""Pages are read by two processes and written by two, where Sphinx has one that does most of it.

Those that read share nothing of which a page may tell that another has it too, such as labels: one has the pages of the
programming interface, half of the work, and one all others. On a Mac, libraries may not survive to be forked.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache
from multiprocessing import get_context
from pickle import HIGHEST_PROTOCOL, dumps, loads

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging, matching
from sphinx.util.parallel import ParallelTasks

FORKS = sys.platform == "linux"
APART = "chapters/api/"

logger = logging.getLogger(__name__)
matching._translate_pattern = cache(matching._translate_pattern)  # of all that is excluded, eight times for each page


class Builder(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with several processes; who adds to it an index of the search makes that in `note`."""

    def _read_serial(self, docnames):
        apart, tasks = [name for name in docnames if FORKS and name.startswith(APART)], ParallelTasks(1)
        if apart:
            tasks.add_task(self._read_apart, apart, self._merge)
        super()._read_serial([name for name in docnames if name not in apart])
        tasks.join()

    def _read_apart(self, docnames):
        super()._read_serial(docnames)
        return dumps(self.env, HIGHEST_PROTOCOL)

    def _merge(self, docnames, env):
        self.env.merge_info_from(docnames, loads(env), self.app)

    def _write_serial(self, docnames):
        written.builder = self
        with ProcessPoolExecutor(2, get_context("fork")) if FORKS else nullcontext() as writers:
            for docname, (logs, found) in zip(docnames, (writers.map if FORKS else map)(written, docnames)):
                for log in logs:
                    logger.handle(log)
                self.note(docname, found)

    def write_page(self, docname):
        """Write a page, and return what is to be noted of it."""
        doctree = self.env.get_and_resolve_doctree(docname, self)
        self.write_doc_serialized(docname, doctree)
        self.write_doc(docname, doctree)
        return self.images

    def note(self, docname, images):
        """Note what was found when a page was written, pages in their order: the images that are to be copied."""
        self.images.update(images)


def written(docname):
    """Let a process that was forked write a page; return what it logged, and what it found."""
    collector = logging.LogCollector()
    with collector.collect():
        found = written.builder.write_page(docname)
    logging.convert_serializable(collector.logs)
    return collector.logs, found
