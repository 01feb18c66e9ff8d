"""The cache of executed notebooks: each is kept with what its kernel read, and holds as long as that is the same.

The name of a notebook has its key, a digest of the chapter's code and parameters and of what it was executed with, and
its checksum; both files are written atomically. So an interrupted build resumes, and a damaged notebook is made again.
Beside it stand the digests of the files that its kernel read, and the versions of the packages that it used.

Words and comments of the chapter do not count, nor do docstrings and comments of the modules that it read, unless some
of its code looks at such texts: it may print them, as a command does with its help.
"""

import ast
import json
import re
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
TEXTS = {"__doc__", "click", "doctest", "getcomments", "getdoc", "getsource", "getsourcelines", "help", "pydoc"}
MAY_NAME_TEXTS = re.compile(rf"\b(?:{'|'.join(sorted(TEXTS))})\b|\?\s*$|^\s*\?", re.MULTILINE)  # IPython has fit?


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
            reads, verbatim = found["reads"], found["verbatim"]
            current = found["packages"] == _used(found["packages"], installed()) and all(
                _digest_of(ROOT / name, verbatim=verbatim) == digest for name, digest in reads.items()
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


def stamped(noted, chapter, packages, since):
    """Return what a kernel noted with a digest of each file that it read, and the versions of the packages it used.

    A file has no digest where it may have changed after a time, while it was read. `packages` are those installed then.
    """
    paths = {name: ROOT / name for name in noted["reads"]}
    sources = [cell.source for cell in chapter.notebook()[0].cells if cell.cell_type == "code"]
    sources += [path.read_text(encoding="utf-8") for path in paths.values() if path.suffix == ".py"]
    verbatim = any(map(_looks_at_texts, sources))
    return {
        "reads": {n: _digest_of(p, verbatim=verbatim) if p.stat().st_mtime < since else None for n, p in paths.items()},
        "packages": _used(noted["modules"], packages),
        "verbatim": verbatim,
        "megabytes": noted["megabytes"],
    }


def _used(modules, packages):
    return {name: packages[name] for name in modules if name in packages}


def _looks_at_texts(source):
    """Return whether code may read docstrings or the text of code; what no Python can read, such as fit?, may."""
    if not MAY_NAME_TEXTS.search(source):
        return False
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return True
    kinds = {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name", ast.ImportFrom: "module", ast.Constant: "value"}
    words = (getattr(node, kinds[type(node)]) for node in ast.walk(tree) if type(node) in kinds)
    return any(isinstance(word, str) and word.partition(".")[0] in TEXTS for word in words)


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


def _digest_of(path, *, verbatim=False):
    """Return a digest of a file, of a module without its words unless verbatim; None where there is no file."""
    return _content(path, path.stat().st_mtime_ns, verbatim) if path.is_file() else None


@cache
def _content(path, changed, verbatim):
    content = path.read_bytes()
    if path.suffix == ".py" and not verbatim:
        with suppress(SyntaxError):  # while somebody edits it
            content = ast.dump(_Wordless().visit(ast.parse(content))).encode()
    return _digest(content)


class _Wordless(ast.NodeTransformer):
    """What leaves out docstrings."""

    def visit_Expr(self, node):
        """Return a statement unless it is nothing but a text."""
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node
