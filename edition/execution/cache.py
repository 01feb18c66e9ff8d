"""The cache of executed notebooks: each is kept with what its kernel read, and holds as long as that is the same.

The name of a notebook has its key, a digest of the chapter's code and parameters and of what it was executed with, and
its checksum; both files are written atomically. So an interrupted build resumes, and a damaged notebook is made again.
Beside it stand the digests of the files that its kernel read, and the versions of the packages that it used.

Words and comments of the chapter do not count, nor do comments of the modules that it read. Their docstrings do: a
command prints them as its help.
"""

import ast
import json
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

import nbformat
from tqdm import tqdm

from edition.book import ROOT
from edition.execution import kernels, one_chapter
from edition.execution.made_with import installed, machine
from edition.execution.reads import OURS
from edition.execution.text_changes import code, renew
from edition.files import write_atomically

__all__ = ["cache_key", "kept", "prune", "put", "seconds_of", "sources", "stamped"]

KEPT = 4  # executed notebooks kept of each chapter, so that changing back and forth costs nothing
EXECUTES = (one_chapter, kernels)  # outside of the kernels


def cache_key(chapter, parameters, *more):
    """Return the key of a chapter's notebook, which depends on all but its words and what its kernel reads."""
    made_with = [machine(), [_digest_of(Path(module.__file__)) for module in EXECUTES]]
    return _digest(json.dumps([code(chapter.notebook()[0]), parameters, made_with, more], sort_keys=True).encode())


def sources():
    """Return a digest of all code of the checkout and all packages, for what is kept without knowing what it read."""
    files = [path for name in OURS for path in sorted((ROOT / name).rglob("*.py*")) if path.suffix != ".pyc"]
    content = [f"{path.relative_to(ROOT)} {_digest(path.read_bytes())}" for path in files]
    return _digest(json.dumps([content, installed()], sort_keys=True).encode())


def kept(chapter, key, folder):
    """Return the notebook that is kept under a key, with the chapter's present text, and what was noted beside it.

    Both are None where what it read has changed; what is damaged is removed.
    """
    for note in sorted(folder.glob(f"{key}-*.json")):
        path = note.with_suffix(".ipynb")
        try:
            found = json.loads(note.read_text(encoding="utf-8"))
            text = path.read_text(encoding="utf-8")
            current = found["packages"] == _used(found["packages"], installed()) and all(
                _digest_of(ROOT / name) == digest for name, digest in found["reads"].items()
            )
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            current, text = True, ""
        if not current:
            continue
        if path.stem != _name(key, text):
            tqdm.write(f"{chapter.name}: the kept result is damaged, executing again")
            _remove(path)
            continue
        executed = nbformat.reads(text, as_version=4)
        former = executed.cells
        renew(executed, chapter.notebook()[0])
        if executed.cells != former:
            _remove(path)
            path = put(nbformat.writes(executed), found, folder, key)
        return path, found
    return None, None


def put(text, found, folder, key):
    """Keep the text of an executed notebook and what is known of its execution under its key; return its path."""
    path = folder / f"{_name(key, text)}.ipynb"
    write_atomically(path.with_suffix(".json"), json.dumps(found, indent=1))
    return write_atomically(path, text)


def stamped(noted, packages, since):
    """Return what a kernel noted with a digest of each file that it read, and the versions of the packages it used.

    A file has no digest where it may have changed after a time, while it was read. `packages` are those installed then.
    """
    paths = {name: ROOT / name for name in noted["reads"]}
    return {
        "reads": {name: _digest_of(path) if path.stat().st_mtime < since else None for name, path in paths.items()},
        "packages": _used(noted["modules"], packages),
        "megabytes": noted["megabytes"],
    }


def _used(modules, packages):
    return {name: packages[name] for name in modules if name in packages}


def seconds_of(folder):
    """Return what the slowest kept execution of a chapter took; where none is known, more than any."""
    found = []
    for note in folder.glob("*.json"):
        try:
            found.append(float(json.loads(note.read_text(encoding="utf-8"))["seconds"]))
        except (OSError, ValueError, LookupError, TypeError):
            continue  # it is removed when it is asked for
    return max(found, default=float("inf"))


def prune(folder):
    """Remove the oldest notebooks of a chapter beyond those that are kept, and files whose writing was cut short."""
    for path in folder.glob(".*"):
        path.unlink(missing_ok=True)
    found = sorted(folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[KEPT:]:
        _remove(path)


def _remove(path):
    path.unlink(missing_ok=True)
    path.with_suffix(".json").unlink(missing_ok=True)


def _name(key, text):
    return f"{key}-{_digest(text.encode())}"


def _digest(content):
    return sha256(content).hexdigest()[:16]


def _digest_of(path):
    """Return a digest of a file, of a module without its comments; None where there is no file."""
    return _content(path, path.stat().st_mtime_ns) if path.is_file() else None


@cache
def _content(path, changed):
    content = path.read_bytes()
    if path.suffix == ".py":
        with suppress(SyntaxError):  # while somebody edits it
            content = ast.dump(ast.parse(content)).encode()
    return _digest(content)
