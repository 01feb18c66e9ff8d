"""One chapter as a page of its own, at a reader's parameters: what leads to other pages becomes words.

The page says below its title at which values it was executed, because its captions and its words are those of the
chapter, which may speak of others. Values that are words, such as the name of a process, stand in the captions too.
"""

import re

from nbformat.v4 import new_markdown_cell

from capacity_studies.notebook.check import MIME
from edition.chapter_text import declared
from edition.claims.claim import anchor_of
from edition.publishing.links import figure, labels, unlinked

__all__ = ["detach", "tell_values"]

TITLE = re.compile(r"^# .*$", re.MULTILINE)


def detach(notebook):
    """Make words of what leads out of an executed notebook."""
    own = labels(notebook.cells)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = unlinked(cell.source, own)


def tell_values(notebook, values, claims):
    """Say below the title with which values a notebook was executed, and which of its claims come out differently."""
    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    applying = {claim["id"]: claim["applies"] for claim in claims}
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if record := output.get("data", {}).get(MIME):
            record["applies"] = applying[record["id"]]
    if values:
        book = {name: f" (in the book `{each.default}`)" for name, each in declared(notebook).items()}
        listed = ", ".join(f"`{name} = {value!r}`{book.get(name, '')}" for name, value in values.items())
        words = (
            f"This page was run with {listed}. {_different(claims)} "
            "What the text computes is of this run; its other words, the captions and the descriptions of figures are "
            "those of the chapter at its own values."
        )
        _tell_in_figures(notebook, values)
        note = f"```{{note}}\n{words}\n```"
        first = next(cell for cell in prose if TITLE.search(cell.source))
        end = TITLE.search(first.source).end()
        first.source, rest = first.source[:end], first.source[end:].strip()
        added = [new_markdown_cell(text, id=f"single-{k}") for k, text in enumerate([note, rest]) if text]
        after = notebook.cells.index(first) + 1
        notebook.cells[after:after] = added


def _different(claims):
    """Return which of some claims, whose places are on this page, come out differently."""
    if not (other := [claim for claim in claims if claim["problem"]]):
        return f"All {len(claims)} claims come out as in the book."
    links = {
        applies: ", ".join(
            f"[{claim['id']}](#{anchor_of(claim['id'])})" for claim in other if claim["applies"] == applies
        )
        for applies in (True, False)
    }
    words = [f"{len(other)} of {len(claims)} claims come out differently."]
    words += [f"**Although they are stated for these values:** {links[True]}."] if links[True] else []
    words += [f"Not stated for these values: {links[False]}."] if links[False] else []
    return " ".join(words)


def _tell_in_figures(notebook, values):
    """Say of each figure with which values it was drawn, where they are words, and that it is described at others."""
    said = ", ".join(f"`{name} = {value!r}`" for name, value in values.items() if isinstance(value, str))
    for cell in notebook.cells:
        if caption := figure(cell).get("caption", "").rstrip():
            drawn = f"Drawn with {said or 'the values above'}, and described as it is with the book's."
            figure(cell)["caption"] = f"{caption} *{drawn}*"
            image = cell.metadata["mystnb"].setdefault("image", {})
            image["alt"] = f"With the book's values: {image.get('alt', '')}"
