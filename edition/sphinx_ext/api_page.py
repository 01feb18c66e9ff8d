"""The page of the programming interface: its marker is replaced by the rooms of the package, each with its names."""

import inspect
import re
from importlib import import_module

import capacity

DOCUMENT, MARKER = "chapters/api", "% The rooms are listed here when the book is built."
MARKUP = re.compile(r"(`+.*?`+|(?<!\S)\*{1,2}[^\s*][^*]*\*{1,2}(?!\w))")  # what is meant as such: `code`, *words*


def rooms():
    """Return the names of the package's rooms and of its modules that stand for one."""
    return [name for name in capacity.__all__ if inspect.ismodule(getattr(capacity, name))]


def listing():
    """Return the Markdown text of all rooms: what each is for, then what it offers."""
    return "".join(f"\n## capacity.{name}\n\n```{{eval-rst}}\n{_room(name)}```\n" for name in rooms())


def _room(name):
    room, directives = import_module(f"capacity.{name}"), []
    for member in room.__all__:
        if inspect.isclass(getattr(room, member)):
            directives.append(f".. autoclass:: capacity.{name}.{member}\n   :members:\n")
        elif inspect.isroutine(getattr(room, member)):
            directives.append(f".. autofunction:: capacity.{name}.{member}\n")
    return f".. automodule:: capacity.{name}\n   :no-members:\n\n" + "\n".join(directives)


def fill(app, docname, source):
    """Put the listing in place of the marker."""
    if docname == DOCUMENT:
        source[0] = source[0].replace(MARKER, listing())


def escape_formulas(app, what, name, obj, options, lines):
    """Let |k - j|, a*b and a_+ stand as they are: docstrings write formulas as plain text, without markup."""
    doctest = False
    for index, line in enumerate(lines):
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest:
            parts = MARKUP.split(line)
            parts[::2] = [re.sub(r"[|*]|(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
            lines[index] = "".join(parts)


def setup(app):
    """Register the extension."""
    app.connect("source-read", fill)
    app.connect("autodoc-process-docstring", escape_formulas, priority=400)  # before numpydoc
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
