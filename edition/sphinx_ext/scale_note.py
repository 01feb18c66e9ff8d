"""The line below the title of a page that tells a copy at other values than the papers', or of a part, from the book.

At other values it stands on every page that has computed results: the executed chapters, and those that list claims or
show figures. Of a part it stands on the first page and on those that list what a part does not have all of. The whole
book at the papers' values has no such line, and neither has a chapter on its own, which tells its values itself.
"""

from pathlib import Path

from docutils import nodes

from edition.book import WHOLE
from edition.sphinx_ext.staged import staged

__all__ = ["add_note"]

COMPUTED = {"claims.json", "figures.json"}
WORDS = {"quick": "Small scale"}
RERUN = "chapters/rerun"


def add_note(app, doctree, docname):
    """Tell below the title of a page at which scale its results were computed, and of which part it is."""
    made, title = staged(app.env, "receipt.json") or {}, doctree.next_node(nodes.title)
    if app.builder.format != "html" or title is None:
        return
    scale, part = made.get("scale"), made.get("part", WHOLE)
    is_chapter, lists = Path(app.env.doc2path(docname)).suffix == ".ipynb", _lists(app.env, docname)
    lines = []
    if part != WHOLE and (docname == app.config.root_doc or (lists and not is_chapter)):
        lines.append(
            _line(
                nodes.Text("A part of the book: "),
                nodes.literal("", f"make book PART={part}"),
                nodes.Text(" made it, and "),
                nodes.literal("", "make book"),
                nodes.Text(" makes the whole."),
            )
        )
    if scale in WORDS and (lists or is_chapter):
        lines.append(
            _line(
                nodes.Text(f"{WORDS[scale]}: made with "),
                nodes.literal("", f"parameters/{scale}.yml"),
                nodes.Text(", not with the papers' values"),
                *_how(app, docname),
                nodes.Text("."),
            )
        )
    place = title.parent.index(title) + 1
    title.parent[place:place] = lines


def _line(*parts):
    return nodes.paragraph("", "", *parts, classes=["scale-note"])


def _how(app, docname):
    """Return where it says how to build the book at the papers' values, if there is such a page."""
    if RERUN not in app.env.found_docs:
        return []
    address = app.builder.get_relative_uri(docname, RERUN)
    link = nodes.reference("", "how to build those", refuri=address, internal=True)
    return [nodes.Text(" ("), link, nodes.Text(")")]


def _lists(env, docname):
    """Return whether a page shows what chapters computed."""
    return bool(COMPUTED & {Path(name).name for name in env.dependencies[docname]})


def setup(app):
    """Register the extension; the links of a chapter, which come later, stand before the line."""
    app.connect("doctree-resolved", add_note, priority=400)
