"""One chapter as a page of its own, at a reader's parameters: what leads to other pages becomes words.

The page says below its title at which values it was executed, because its captions and its words are those of the
chapter, which may speak of others. Values that are words, such as the name of a process, stand in the captions too.
"""

import re

from nbformat.v4 import new_markdown_cell

from edition.chapter_text import declared
from edition.claims.labels import paper_number

__all__ = ["detach"]

LABEL = re.compile(r"^\(([\w-]+)\)=$|^:(?:label|name): ([\w-]+)$|\$\$ \(([\w-]+)\)$", re.MULTILINE)
TITLE = re.compile(r"^# .*$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)#\s]*\.md(?:#[^)]*)?\)")
ROLE = re.compile(r"\{(eq|numref|ref|prf:ref|term|explorer)\}`(?:([^`<]*?)\s*<([^`>]*)>|([^`]*))`")
KINDS = {"fig": "Figure", "prop": "Property", "def": "Definition", "thm": "Theorem", "conj": "Conjecture"}


def detach(notebook, values):
    """Make an executed notebook a page without a book around it."""
    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    figures = {c.metadata.get("mystnb", {}).get("figure", {}).get("name") for c in notebook.cells}
    own = {label for cell in prose for found in LABEL.findall(cell.source) for label in found if label} | figures

    def without_link(role):
        kind, title, target, alone = role.groups()
        target = target or alone
        if kind in ("term", "explorer"):
            return title or alone
        return role[0] if target in own else title or _named(kind, target)

    for cell in prose:
        cell.source = ROLE.sub(without_link, LINK.sub(r"\1", cell.source))
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
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if said and "caption" in figure:
            figure["caption"] = f"{figure['caption'].rstrip()} Drawn with {said}."


def _named(kind, label):
    """Return what a reference to another chapter's label says: the paper's number where there is one."""
    number = paper_number(label)
    if number is None:
        return "elsewhere in the book"
    return f"({number})" if kind == "eq" else f"{KINDS.get(label.split('-')[1], 'Section')} {number}"
