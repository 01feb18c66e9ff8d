"""What all tests keep to: the same examples each time, relative comparisons, nothing that another command built.

What a machine lacks is skipped and counted in the last line; a reason that is not on the list here fails the run. With
`--part`, tests of what that part of the book does without are left out: the files that _toc.yml lists for it, and what
has the mark `whole`.
"""

import doctest
import os
import re
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from edition.book import ROOT, WHOLE, book, is_in, left_out

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("reproducible")

# With pytest's own default of 1e-12, `approx(8e-140, rel=1e-14)` would be met by 0. Where 0 is expected, name `abs`.
type(pytest.approx(0.0)).DEFAULT_ABSOLUTE_TOLERANCE = 0.0

LACKING = {  # what a test may be skipped for want of, by what its reason has
    r"browser": "a browser (make test-browser)",
    r"\btorch\b|\+SKIP": "PyTorch",
    r"\bonnxscript\b|older exporter|\bfacenet-pytorch\b": "what PyTorch's files need",
    r"\b(curvlinops|nngeometry|relucent|torchinfo)\b": "optional peers",
    r"\bgroff\b": "groff",
    r"\bgit\b": "git",
    r"\bXeLaTeX\b": "TeX",
    r"\bdataset-fashion-mnist\b": "Fashion-MNIST",
    r"another processor": "an x86-64 processor",
}
collect_ignore = [] if find_spec("torch") else ["helpers/built_networks.py"]  # by the doctests of all modules
LEFT_OUT = pytest.StashKey()
BUILT = ROOT / "_build"
CACHE = BUILT / "executed"


def pytest_addoption(parser):
    """Let a run name the part of the book whose tests it is, and what may not be lacking."""
    parser.addoption("--lacking", help="fail where a test is skipped for want of this, as the last line names it")
    parser.addoption("--part", default=WHOLE, help="the part of the book to test, one of those that _toc.yml knows")


def pytest_configure(config):
    """Refuse a part that there is not; read once what it does without."""
    try:
        config.stash[LEFT_OUT] = left_out(config.getoption("part"))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_ignore_collect(collection_path, config):
    """Leave out the files that a part does without."""
    if collection_path.is_relative_to(ROOT):
        return is_in(collection_path.relative_to(ROOT), config.stash[LEFT_OUT]) or None
    return None


def pytest_collection_modifyitems(config, items):
    """Leave out the tests that are about the whole book; run the examples of PyTorch where it is."""
    if find_spec("torch"):
        for example in (each for item in items for each in getattr(getattr(item, "dtest", None), "examples", ())):
            example.options.pop(doctest.SKIP, None)
    whole = [item for item in items if item.get_closest_marker("whole") and config.getoption("part") != WHOLE]
    if whole:
        config.hook.pytest_deselected(items=whole)
        items[:] = [item for item in items if item not in whole]


@pytest.fixture(scope="session")
def chapters(request):
    """Return the chapters of the book, or of the part that is tested."""
    return book(part=request.config.getoption("part"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Count what was skipped, by what is lacking, once all else is told."""
    result = yield
    if reporter := session.config.pluginmanager.get_plugin("terminalreporter"):
        reasons = [report.longrepr[2] for report in reporter.stats.get("skipped", [])]
        named = [next((name for words, name in LACKING.items() if re.search(words, text)), None) for text in reasons]
        if reasons:
            counts = Counter(name for name in named if name).most_common()
            reporter.write_line(f"skipped for want of: {', '.join(f'{name} {count}' for name, count in counts)}")
        if session.config.getoption("lacking") in {*named} - {None}:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if None in named:
            unknown = sorted({text for text, name in zip(reasons, named) if name is None})
            reporter.write_line(f"skipped for a reason that tests/conftest.py does not list: {'; '.join(unknown)}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return result


def refuse_what_was_built(event, arguments):
    """Refuse to open what another command built, at import too; chapters are executed where nothing is kept of them."""
    if event in {"open", "os.listdir", "os.scandir"} and isinstance(arguments[0], str | bytes):
        path = Path(os.fsdecode(arguments[0])).absolute()
        if BUILT in path.parents and not path.is_relative_to(CACHE) and "BROWSER_SITE" not in os.environ:
            raise AssertionError(f"expected no test to read what another command built, got {path}; use fixture `site`")


sys.addaudithook(refuse_what_was_built)
