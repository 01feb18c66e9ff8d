"""The page of the programming interface: its marker is replaced by the modules of the package, floor by floor."""

from edition.floors import FLOORS, modules

DOCUMENT, MARKER = "chapters/api", "% The modules are listed here when the book is built."
MODULE = """
### capacity.{name}

```{{eval-rst}}
.. automodule:: capacity.{name}
   :members:
```
"""


def listing():
    """Return the Markdown text of all modules."""
    present, parts = modules(), []
    for floor, rows in FLOORS.items():
        parts.append(f"\n## {floor}\n")
        parts += [MODULE.format(name=name) for row in rows for name in row if name in present]
    return "".join(parts)


def fill(app, docname, source):
    """Put the listing in place of the marker."""
    if docname == DOCUMENT:
        source[0] = source[0].replace(MARKER, listing())


def setup(app):
    """Register the extension."""
    app.connect("source-read", fill)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
