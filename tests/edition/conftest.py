"""The pages of a small book, and its document for paper: built once for all tests that look at them."""

import json
import os
from contextlib import contextmanager

import pytest
import yaml
from filelock import FileLock
from preloaded import Preloaded
from small_books import cell, write_book
from small_site import (
    CHECKS,
    CITING,
    CLAIMS,
    COVERAGE,
    ERRATA,
    EXERCISES,
    FIGURE,
    GLOSSARY,
    OBTAIN,
    ONE,
    PAGES,
    PRINTED,
    PRINTED_CHECKS,
    PRINTED_CLAIMS,
    PRINTED_FIGURE,
    PRINTED_TOC,
    RECEIPT,
    REPOSITORY,
    ROBUSTNESS,
    SHOWN,
    SLIDER,
    TWO,
    WORDS,
)

from edition import recorded
from edition.book import ROOT, book, read_yaml
from edition.execution.all_chapters import Result, execute
from edition.publishing import site
from edition.publishing.site import build_html, build_latex, stage


@pytest.fixture(scope="session")
def builder():
    """Return Jupyter Book, which is imported once."""
    preloaded = Preloaded()
    yield preloaded
    preloaded.close()


@pytest.fixture
def imported_once(builder, monkeypatch):
    """Build pages with what is imported once."""
    monkeypatch.setattr(site, "subprocess", builder)


@contextmanager
def made_once(factory, name):
    """Give a folder that the processes of one run of the tests share, and whether it is still to be filled."""
    shared = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    with FileLock(shared / f"{name}.lock"):
        yield shared / name, not (shared / f"{name}.done").exists()
        (shared / f"{name}.done").touch()


@pytest.fixture(scope="session")
def site_root(tmp_path_factory):
    """Return a small book with a page of everything that a page can have."""
    figures = [FIGURE.format(name="linear-fig-5"), SLIDER]
    one = ONE + "\n".join(map(cell, figures)) + CLAIMS + cell(CHECKS, "checks") + EXERCISES.format(cell=cell("a = 1"))
    pages = {
        name: (ROOT / "chapters" / f"{name}.md").read_text() for name in ("claims", "figures", "rerun", "bibliography")
    }
    pages |= {"receipt": RECEIPT}
    pages |= {"errata": ERRATA, "linear/words": WORDS, "glossary": GLOSSARY}
    counts = "```{claims-summary}\n```\n\nTo change: {claims-changed}`linear`."
    pages["counts"] = f"# Counts\n\n{counts}\n\n{CITING}\n\n{SHOWN}\n{OBTAIN}"
    with made_once(tmp_path_factory, "book") as (root, missing):
        if missing:
            write_book(root, {"intro": "# Book\n", "linear/one": one, "linear/two": TWO} | pages)
            listed = read_yaml(root / "_toc.yml")
            one, *others = listed.pop("chapters")
            parts = [{"caption": "Elsewhere", "chapters": [one]}, {"caption": "The rest", "chapters": others}]
            (root / "_toc.yml").write_text(yaml.safe_dump(listed | {"parts": parts}))
            (root / "ledger").mkdir()
            (root / "ledger" / "coverage.csv").write_text(COVERAGE)
            recorded.write(root, recorded.ROBUSTNESS, json.loads(ROBUSTNESS))
            source = root / "CITATION.cff"
            source.write_text(source.read_text() + f"repository-code: {REPOSITORY}\nurl: {PAGES}\n")
    return root


@pytest.fixture(scope="session")
def html(site_root, builder, tmp_path_factory):
    """Return the folder of its pages."""
    with made_once(tmp_path_factory, "pages") as (folder, missing):
        if missing:
            took = {"linear/one": Result(seconds=2.5, packages=("numpy 2.0", "scipy 1.16"))}
            build_staged(build_html, folder, site_root, took, builder)
    return folder / "_build" / "html"


@pytest.fixture(scope="session")
def latex(tmp_path_factory, builder):
    """Return the folder of the LaTeX document of a small book."""
    figures = [PRINTED_FIGURE.format(name="linear-fig-5"), SLIDER]
    claims = PRINTED_CLAIMS + cell(PRINTED_CHECKS, "checks")
    end = "\n## Exercises\n\n" + EXERCISES.format(cell=cell("print('seen')"))
    conditions = cell("assert 2 > 1, 'twoness'", "conditions")
    one = PRINTED + conditions + "\n".join(map(cell, figures)) + claims + end
    pages = {name: (ROOT / "chapters" / f"{name}.md").read_text() for name in ("figures", "claims")}
    intro = "# Book\n\nFirst words.\n\n## More\n\nOthers.\n"
    texts = {
        "intro": intro + OBTAIN,
        "linear/one": one,
        "linear/two": "# Two & more\n",
        "receipt": RECEIPT,
        "glossary": GLOSSARY,
        "errata": "# Errata\n",
    }
    with made_once(tmp_path_factory, "paper") as (folder, missing):
        if missing:
            root = write_book(tmp_path_factory.mktemp("book"), texts | pages)
            (root / "_toc.yml").write_text(PRINTED_TOC)
            build_staged(build_latex, folder, root, {"linear/one": Result()}, builder)
    return folder / "_build" / "latex"


def build_staged(build, folder, root, took, builder):
    """Execute the chapter of a small book, stage it and build it."""
    chapters = book(root)
    executed = {"linear/one": execute(chapters["linear/one"], {}, root / "_build" / "one.ipynb")}
    run = {"scale": "default", "chapters": took}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "subprocess", builder)
        build(folder, stage(list(chapters.values()), executed, folder, root=root, run=run))
