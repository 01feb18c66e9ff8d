"""The cache of executed notebooks: each is kept under its key, a digest of everything that it was made from.

The name of a notebook holds its key and its checksum, and it is written atomically. So an interrupted build resumes,
and a damaged notebook is made again. A key covers the chapter's code and parameters, and its sources: the modules of
`capacity` and `edition` that the code uses, the data that it may read, the locked dependencies, Python and the machine.
"""

import hashlib
import json
import platform
import sys
from pathlib import Path

import nbformat
from tqdm import tqdm

from edition.book import ROOT
from edition.execution import resource_usage
from edition.execution.dependencies import Packages, dependencies
from edition.execution.source_code import read_code
from edition.execution.text_changes import code, renew
from edition.files import write_atomically

__all__ = ["cache_key", "kept", "prune", "put", "source_digests"]

KEPT = 4  # executed notebooks kept of each chapter, so that changing back and forth costs nothing
EXTENSION = "import edition.figures.capture"  # what every kernel loads
MACHINERY = (
    "edition.book",
    "edition.chapter_text",
    "edition.execution.one_chapter",
)  # what acts on execution outside the kernel
LOCK = "requirements.txt"
DATA = "benchmarks/results.json"  # outside the chapters' folder


def source_digests(chapters, root=ROOT, packages=None, *, machine=True):
    """Return the digest of each chapter's sources: all that it depends on beside its own text and its parameters.

    Parameters
    ----------
    chapters : list of Chapter
        The chapters, with or without code.
    root : Path, optional
        The folder of the book.
    packages : Packages, optional
        Those whose modules count; by default `capacity`, `studies` and `edition` as they are installed.
    machine : bool, optional
        Whether Python and the processor count too.

    Returns
    -------
    dict of str to str
        By the name of the chapter.
    """
    packages, root = packages or Packages.installed("capacity", "studies", "edition"), Path(root)
    files = [path for path in sorted((root / "chapters").rglob("*")) if path.is_file() and path.suffix != ".md"]
    scripts = [read_code(path.read_text(encoding="utf-8")) for path in files if path.suffix == ".py"]
    shared = {
        "python": f"{sys.version_info[:3]} {platform.machine()}" if machine else None,
        "lock": _checksum((root / LOCK).read_bytes()),
        "beside": {str(path.relative_to(root)): _checksum_of(path) for path in files if path.name[0] != "."},
        "scripts": [dependencies(script, packages) for script in scripts],
        "kernel": dependencies(read_code(EXTENSION), packages),
        "machinery": {name: packages.module(name).code.digest for name in MACHINERY if name in packages.files},
    }
    return {chapter.name: _digest(shared | _used(chapter, root, packages)) for chapter in chapters}


def cache_key(chapter, parameters, source_digest):
    """Return the key of a chapter's notebook: it is the same as long as the notebook would be, its words apart."""
    return _digest([code(chapter.notebook()[0]), parameters, source_digest])[:16]


def kept(chapter, key, folder, usage):
    """Return the notebook that is kept under a key, with the chapter's present text; remove a damaged one instead.

    Parameters
    ----------
    chapter : Chapter
        The chapter.
    key : str
        Its present key.
    folder : Path
        Where the chapter's notebooks are kept.
    usage : dict
        The `resource_usage`, in which a notebook that takes over new words is renamed.

    Returns
    -------
    Path or None
    """
    for path in folder.glob(f"{key}-*.ipynb"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.stem == f"{key}-{_checksum(text.encode())}":
            executed = nbformat.reads(text, as_version=4)
            former = executed.cells
            ids = renew(executed, chapter.notebook()[0])
            if executed.cells == former:
                return path
            fresh = put(nbformat.writes(executed), folder, key)
            if fresh != path:
                resource_usage.move(usage, chapter.name, path.stem, fresh.stem, ids)
                path.unlink()
            return fresh
        tqdm.write(f"{chapter.name}: the kept result is damaged, executing again")
        path.unlink()
    return None


def put(text, folder, key):
    """Keep the text of an executed notebook under its key and return its path."""
    return write_atomically(folder / f"{key}-{_checksum(text.encode())}.ipynb", text)


def prune(folder):
    """Remove the oldest notebooks of a chapter beyond those that are kept."""
    found = sorted(folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[KEPT:]:
        path.unlink(missing_ok=True)


def _used(chapter, root, packages):
    """Return the digests of what the code of a chapter uses: modules of the packages, and the data that it may read."""
    cells = [cell.source for cell in chapter.notebook()[0].cells if cell.cell_type == "code"]
    used = read_code("\n".join(cells))
    found = dependencies(used, packages)
    texts = [used.text, *(packages.module(name).code.text for name in found if name in packages.files)]
    may_read = "edition.book" in found or any(part in text for part in Path(DATA).parts for text in texts)
    return {"modules": found, "data": _checksum_of(root / DATA) if may_read else None}


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _checksum(content):
    return hashlib.sha256(content).hexdigest()[:16]


def _checksum_of(path):
    return _checksum(path.read_bytes()) if path.is_file() else None
