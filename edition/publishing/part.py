"""A part of the book that stands alone: what leads out of it says so, and what lists everything has what is there."""

import json
import re

from nbformat.v4 import new_markdown_cell

from edition.book import IN_WHOLE, onward, page_name
from edition.publishing.links import figure, labels, page_at, unlinked

__all__ = ["bibliography", "confine", "contents", "of_sources", "redirects"]

MARK = " (in the whole book)"
BLOCK = re.compile(r"^\+\+\+(?: (.*))?\n", re.MULTILINE)  # where one begins, and its options
CITED = re.compile(r"\{(?:cite(?::\w+)?\}`|citation\} )([^`\n]+)")
EXPLORER = "beyond/explorer"


def confine(chapters, notebooks, texts, address=None):
    """Let nothing lead out of some chapters: change their executed notebooks, and return the texts of the others.

    `address` is that of the pages of the whole book, where it is known.
    """
    texts = {name: _in_part(text) for name, text in texts.items()}
    cells = {name: notebook.cells for name, notebook in notebooks.items()}
    cells |= {name: [new_markdown_cell(text)] for name, text in texts.items()}
    names, own = {chapter.name for chapter in chapters}, labels(cell for found in cells.values() for cell in found)

    def confined(text, name):
        return unlinked(
            text,
            own,
            stays=lambda page: page_at(page, name) in names,
            words_only=() if EXPLORER in names else ("explorer",),
            mark=MARK,
            address=(lambda page: f"{address}chapters/{page_at(page, name)}.html") if address else None,
        )

    for name, found in cells.items():
        for cell in found:
            if cell.cell_type == "markdown":
                cell.source = confined(cell.source, name)
            if "caption" in figure(cell):
                figure(cell)["caption"] = confined(figure(cell)["caption"], name)
    return {name: cells[name][0].source for name in texts}


def _in_part(text):
    """Return the text of a page without the blocks that only the whole book has."""
    first, *rest = BLOCK.split(text)
    blocks = zip(rest[::2], rest[1::2])
    return "".join(
        [first, *(words for given, words in blocks if IN_WHOLE not in json.loads(given or "{}").get("tags", []))]
    )


def contents(found, names):
    """Return a table of contents, or what lies below an entry of one, with those entries only that have the names."""
    if isinstance(found, list):
        kept = [contents(each, names) for each in found if "file" not in each or page_name(each["file"]) in names]
        return [each for each in kept if "chapters" not in each or each["chapters"]]
    return {k: contents(v, names) if isinstance(v, list) else v for k, v in found.items() if k != "meta"}


def redirects(found, names):
    """Return those of the former addresses that lead to a page with one of the names."""
    places = onward(found)
    return {old: new for old, new in found.items() if places[old.removeprefix("chapters/")] in names}


def bibliography(works, texts):
    """Return those entries of a bibliography that some texts cite."""
    cited = {key.strip() for text in texts for keys in CITED.findall(text) for key in keys.split(",")}
    first, *entries = re.split(r"^(?=@)", works, flags=re.MULTILINE)
    return "".join([first, *(entry for entry in entries if entry.partition("{")[2].partition(",")[0].strip() in cited)])


def of_sources(ids, earlier, covered):
    """Return those former ids and covered sentences whose sources have claims among those with the ids."""
    here = {_source(id) for id in ids}
    earlier = {group: {id: v for id, v in found.items() if _source(id) in here} for group, found in earlier.items()}
    return earlier, [row for row in covered if row.source.partition("-")[0] in here]


def _source(id):
    return id.partition("/")[0]
