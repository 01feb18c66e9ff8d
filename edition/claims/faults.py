"""Planted faults: the list of them, and the summary of who noticed each.

A fault replaces a piece of code in a function of the package, or in a chapter. A claim *meets* it if that line ran
before the claim was made, and *catches* it if the claim then does not come out as recorded.
"""

import ast
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from edition import recorded
from edition.book import Chapter, page_name, renamed

__all__ = ["LIST", "Fault", "by_claim", "code_of", "read_faults", "read_summary", "read_unreachable", "write_summary"]

LIST = Path("ledger") / "faults.toml"
FOLDERS = ("capacity", "capacity_inspection", "capacity_studies")  # where a function may have moved
DEFINITION = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Fault:
    """A planted fault: in a function of a file, or anywhere in it, `old` is replaced by `new`.

    How `old` is broken into lines does not matter, and a function that moved to another file is found there.
    """

    name: str
    file: str
    function: str
    old: str
    new: str

    def place(self, root):
        """Return the file of the fault in the book below `root`, and the line where it begins, from 1.

        What it replaces must stand exactly once in the function, else it no longer applies: a ValueError.
        """
        path, first, _, _ = self._found(Path(root))
        return path, first

    def plant(self, root):
        """Replace the code in the copy of the book below `root`."""
        path, first, last, faulty = self._found(Path(root))
        lines = path.read_text(encoding="utf-8").splitlines()
        lines[first - 1 : last] = faulty.splitlines()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _found(self, root):
        """Return the file, the first and last line of what is replaced, and what these lines become."""
        own = root / self.file
        if not own.is_file() and (now := renamed(root).get(page_name(self.file))):
            own = root / f"chapters/{now}.md"
        if own.is_file() and (found := self._in(own)):
            return own, *found
        modules = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py")) if self.function]
        if len(moved := [(path, *found) for path in modules if (found := self._in(path))]) == 1:
            return moved[0]
        place = f"{self.file}:{self.function}".rstrip(":")
        raise ValueError(f"{LIST}: {self.name}: expected {self.old!r} once in {place}, where it no longer stands so")

    def _in(self, path):
        code, words = code_of(path), re.findall(r"\w+|[^\w\s]", self.old)
        ends = [r"\b" if re.match(r"\w", word) else "" for word in (words[0], words[-1])]
        found = list(re.finditer(ends[0] + r"\s*".join(map(re.escape, words)) + ends[1], code))
        lines = [(code.count("\n", 0, match.start()) + 1, code.count("\n", 0, match.end()) + 1) for match in found]
        bodies = _bodies(code, self.function) if found else []
        inside = [n for n, (line, _) in enumerate(lines) if any(first <= line <= last for first, last in bodies)]
        if len(inside) != 1:
            return None
        start, end = found[inside[0]].span()
        try:
            ast.parse(code[:start] + self.new + code[end:])
        except SyntaxError:
            return None
        return *lines[inside[0]], code[:start].rpartition("\n")[2] + self.new + code[end:].partition("\n")[0]


def code_of(path):
    """Return the text of a module, or that of a chapter with nothing but its code, at the same lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    notebook, starts = Chapter(path.stem, path).notebook()
    lines = [""] * len(text.splitlines())
    for cell in notebook.cells:
        if cell.cell_type == "code":
            source, first = cell.source.splitlines(), starts[cell.id] - 1
            lines[first : first + len(source)] = source
    return "\n".join(lines)


def _bodies(code, function):
    """Return the first and last line of each function or class of a qualified name; of all code, if it is empty."""
    bodies = [(1, code.count("\n") + 1)]
    for name in filter(None, function.split(".")):
        inner = [(first, last) for each, first, last in _definitions(code) if each == name]
        bodies = [body for body in inner if any(first <= body[0] and body[1] <= last for first, last in bodies)]
    return bodies


@lru_cache(maxsize=1024)
def _definitions(code):
    """Return the name, the first and the last line of each function and class."""
    return [(n.name, n.lineno, n.end_lineno) for n in ast.walk(ast.parse(code)) if isinstance(n, DEFINITION)]


def read_faults(root):
    """Return the planted faults of a book by name, none where it has no list."""
    faults = {}
    for name, entry in _content(root).items():
        if name != "reasons":
            old, new = entry.get("change") or ("", "")
            if set(entry) != {"at", "change"} or not old or old == new:
                raise ValueError(f"{LIST}: {name}: expected at = 'file:function', change = ['old', 'new'], got {entry}")
            faults[name] = Fault(name, *entry["at"].partition(":")[::2], old, new)
    return faults


def read_unreachable(root):
    """Return, by id or by chapter, why no planted fault can reach a claim."""
    return _content(root).get("reasons", {})


def read_summary(root):
    """Return, by name, who noticed each fault when it was last run, and which claims did."""
    return recorded.read(root, recorded.FAULTS)


def write_summary(root, found):
    """Add what was found of some faults to the summary of those in the list, and return its path."""
    known = {name: entry for name, entry in read_summary(root).items() if name in read_faults(root)}
    return recorded.write(root, recorded.FAULTS, known | found)


def by_claim(root):
    """Return, by id, how many planted faults made a claim fail; where none can, by id or by chapter, why."""
    caught = Counter(id for entry in read_summary(root).values() for id in entry["claims"])
    return {id: {"caught": 0, "reason": reason} for id, reason in read_unreachable(root).items()} | {
        id: {"caught": count, "reason": None} for id, count in caught.items()
    }


def _content(root):
    path = Path(root) / LIST
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
