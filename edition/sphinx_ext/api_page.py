"""The page of the programming interface: its marker is replaced by the modules of the package, floor by floor."""

import inspect
import re
from importlib import import_module

from edition.floors import FLOORS, modules

DOCUMENT, MARKER = "chapters/api", "% The modules are listed here when the book is built."
MARKUP = re.compile(r"(`+.*?`+|(?<!\S)\*{1,2}[^\s*][^*]*\*{1,2}(?!\w))")  # what is meant as such: `code`, *words*
MODULE = """
### capacity.{name}

```{{eval-rst}}
.. automodule:: capacity.{name}
   :members:
```
"""


def listing():
    """Return the Markdown text of all modules: for each floor what they are for, then what they offer."""
    present, parts = modules(), []
    for floor, rows in FLOORS.items():
        names = [name for row in rows for name in row if name in present]
        parts.append(f"\n## {floor}\n\n")
        parts += [f"- {{py:mod}}`capacity.{name}`: {_summary(name)}\n" for name in names]
        parts += [MODULE.format(name=name) for name in names]
    return "".join(parts)


def _summary(name):
    """Return the first sentence of a module's docstring."""
    doc = inspect.getdoc(import_module(f"capacity.{name}"))
    return re.split(r"\.\s|\n\n", doc)[0].replace("\n", " ").rstrip(".")


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
