"""Pages are read by two processes and written by two, where Sphinx has one that does most of it.

Those that read share nothing of which a page may tell that another has it too, such as labels: one has the pages of the
programming interface, half of the work, and one all others. On a Mac, libraries may not survive to be forked.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from ctypes import CDLL
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pickle import HIGHEST_PROTOCOL, dumps, loads
from signal import SIGKILL

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging, matching

FORKS = sys.platform == "linux"
APART = "chapters/api/"
PR_SET_PDEATHSIG = 1  # in Linux's prctl.h

logger = logging.getLogger(__name__)
matching._translate_pattern = cache(matching._translate_pattern)  # of all that is excluded, eight times for each page


class Builder(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with several processes; who adds to it an index of the search makes that in `note`."""

    def _read_serial(self, docnames):
        apart = [name for name in docnames if FORKS and name.startswith(APART)]
        if not apart:
            return super()._read_serial(docnames)
        forked.builder = self
        with _forks(1) as reader:
            read = reader.submit(forked, "read_apart", apart)
            super()._read_serial([name for name in docnames if name not in apart])
            self.env.merge_info_from(apart, loads(_told(*read.result())), self.app)

    def read_apart(self, docnames):
        """Read pages, and return the environment that knows them."""
        super()._read_serial(docnames)
        return dumps(self.env, HIGHEST_PROTOCOL)

    def _write_serial(self, docnames):
        forked.builder = self
        with _forks(2) if FORKS else nullcontext() as writers:
            written = (writers.map if FORKS else map)(forked, repeat("write_page"), docnames)
            for docname, done in zip(docnames, written):
                self.note(docname, _told(*done))

    def write_page(self, docname):
        """Write a page, and return what is to be noted of it."""
        doctree = self.env.get_and_resolve_doctree(docname, self)
        self.write_doc_serialized(docname, doctree)
        self.write_doc(docname, doctree)
        return self.images

    def note(self, docname, images):
        """Note what was found when a page was written, pages in their order: the images that are to be copied."""
        self.images.update(images)


def _forks(number):
    """Return processes that end with this one, however it ends."""
    return ProcessPoolExecutor(number, get_context("fork"), CDLL(None).prctl, (PR_SET_PDEATHSIG, SIGKILL))


def forked(work, argument):
    """Let a process that was forked do some work of the builder; return what it logged, and the result."""
    collector = logging.LogCollector()
    with collector.collect():
        result = getattr(forked.builder, work)(argument)
    logging.convert_serializable(collector.logs)
    return collector.logs, result


def _told(logs, result):
    for log in logs:
        logger.handle(log)
    return result
