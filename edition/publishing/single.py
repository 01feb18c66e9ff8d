"""One chapter as a page of its own, at a reader's parameters: what leads to other pages becomes words.

The page says below its title at which values it was executed, because its captions and its words are those of the
chapter, which may speak of others. Values that are words, such as the name of a process, stand in the captions too.
"""

import re

from nbformat.v4 import new_markdown_cell

from edition.chapter_text import declared
from edition.publishing.links import figure, labels, unlinked

__all__ = ["detach"]

TITLE = re.compile(r"^# .*$", re.MULTILINE)


def detach(notebook, values):
    """Make an executed notebook a page without a book around it."""
    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    own = labels(notebook.cells)
    for cell in prose:
        cell.source = unlinked(cell.source, own)
    if values:
        book = {name: f" (in the book `{each.default}`)" for name, each in declared(notebook).items()}
        listed = ", ".join(f"`{name} = {value!r}`{book.get(name, '')}" for name, value in values.items())
        words = f"This page was run with {listed}. Words and captions are those of the chapter at its own values."
        _name_in_captions(notebook, {name: value for name, value in values.items() if isinstance(value, str)})
        note = f"```{{note}}\n{words}\n```"
        first = next(cell for cell in prose if TITLE.search(cell.source))
        end = TITLE.search(first.source).end()
        first.source, rest = first.source[:end], first.source[end:].strip()
        added = [new_markdown_cell(text, id=f"single-{k}") for k, text in enumerate([note, rest]) if text]
        after = notebook.cells.index(first) + 1
        notebook.cells[after:after] = added


def _name_in_captions(notebook, values):
    """Say at the end of each caption with which values the figure was drawn."""
    said = ", ".join(f"`{name} = {value!r}`" for name, value in values.items())
    for cell in notebook.cells:
        shown = figure(cell)
        if said and "caption" in shown:
            shown["caption"] = f"{shown['caption'].rstrip()} Drawn with {said}."
