"""What is kept of the former pages, so that an edit of words makes the page anew that has them, and no other.

Sphinx reads a page again if a file that it was made from is newer than its last reading. What is staged anew therefore
replaces only the files whose content changed. The former pages are forgotten as a whole where anything else than words
of pages changed: what builds them, the package that they document, the settings, the glossary, the claims, the figures,
the list of pages. Docstrings of the package are words too: Sphinx knows which pages show them
(`edition.sphinx_ext.api_page`). That pages which others refer to keep their titles and numbers is seen to while they
are built, by `edition.sphinx_ext.references`.
"""

import json
import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path

from edition.book import ROOT
from edition.execution.source_code import read_code
from edition.files import write_atomically
from edition.publishing.commit import ORIGIN

__all__ = ["basis", "remember", "renew", "taken_up"]

MADE = Path("_build")  # below the staged book, of Jupyter Book
STAMP = MADE / "made-from"
STATIC = MADE / "html" / "_static"
LATE = ("*.css", "mathjax")  # come into it after pages, in whose addresses of them there is no checksum therefore
FIGURES, RECEIPT, EVERYWHERE = "figures.json", "receipt.json", "chapters/glossary.md"
DOCUMENTED, BUILDS = "capacity", "edition"
LOCK = "requirements.txt"


def renew(folder, fresh):
    """Give a folder the content of a fresh one, which is used up, and leave alone the files that have it already.

    Where nothing changed of the figures but the lines on which the chapters draw them, their file is no newer either:
    a line is shown on the page of its chapter only, which has changed itself.
    """
    folder, fresh = Path(folder), Path(fresh)
    former, staged = set(_files(folder)), _files(fresh)
    for name in former - set(staged):
        (folder / name).unlink()
    for path in (fresh, *fresh.rglob("*/")):
        (folder / path.relative_to(fresh)).mkdir(parents=True, exist_ok=True)
    for name in staged:
        old, new = folder / name, fresh / name
        if name in former and old.read_bytes() == new.read_bytes():
            continue
        if name in former and name == FIGURES and _without_lines(old) == _without_lines(new):
            os.utime(new, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
        new.replace(old)
    shutil.rmtree(fresh)


def taken_up(folder, basis):
    """Return whether the former pages of a staged book remain but for those of changed words; otherwise remove them.

    What they were made from, their `basis`, is noted again when the pages are finished: not if a build is cut short.
    """
    path = Path(folder) / STAMP
    remain = path.is_file() and path.read_text(encoding="utf-8") == basis
    path.unlink(missing_ok=True)
    if not remain:
        shutil.rmtree(Path(folder) / MADE, ignore_errors=True)
    for late in [path for pattern in LATE for path in (Path(folder) / STATIC).glob(pattern)]:
        shutil.rmtree(late) if late.is_dir() else late.unlink()
    return remain


def remember(folder, basis):
    """Note what the pages that were just made in a staged book were made from."""
    write_atomically(Path(folder) / STAMP, basis)


def _files(folder):
    """Return the names of the files of a staged book, without what is made in it."""
    found = (path.relative_to(folder) for path in sorted(Path(folder).rglob("*")) if path.is_file())
    return [path.as_posix() for path in found if path.parts[0] != MADE.name]


def basis(folder):
    """Return a digest of all that pages are made from, but for their words and what is copied as it is."""
    folder = Path(folder)
    names = _files(folder)
    content = {name: _digest((folder / name).read_bytes()) for name in names if not _is_of_a_page(name)}
    if FIGURES in names:
        content[FIGURES] = _digest(_without_lines(folder / FIGURES).encode())
    code = {name: read_code(path.read_text(encoding="utf-8")).digest for name, path in _sources(DOCUMENTED)}
    made_with = {name: _digest(path.read_bytes()) for name, path in [*_sources(BUILDS), (LOCK, ROOT / LOCK)]}
    return _digest(json.dumps([names, content, code, made_with, sys.version]).encode())


def _sources(package):
    """Yield name and path of each file of a package's code."""
    for path in sorted((ROOT / package).rglob("*.py*")):
        if path.suffix != ".pyc":
            yield path.relative_to(ROOT).as_posix(), path


def _is_of_a_page(name):
    """Return whether a staged file holds the words of a page, is published as it is, or says of what commit it is."""
    words = name.startswith("chapters/") and Path(name).suffix in (".md", ".ipynb") and name != EVERYWHERE
    return words or name in (RECEIPT, ORIGIN) or name.startswith("extra/")


def _without_lines(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    figures = [{key: value for key, value in record.items() if key != "line"} for record in content["figures"]]
    return json.dumps(content | {"figures": figures}, sort_keys=True)


def _digest(content):
    return sha256(content).hexdigest()
