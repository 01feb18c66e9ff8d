"""The line below the title of a page that tells a copy at other values than the papers' from the published book.

It stands on every page that has computed results: the executed chapters, and those that list claims or show figures.
The book at the papers' values has no such line, and neither has a chapter on its own, which tells its values itself.
"""

from pathlib import Path

from docutils import nodes

from edition.sphinx_ext.staged import staged

__all__ = ["add_note"]

COMPUTED = {"claims.json", "figures.json"}
WORDS = {"quick": "Small scale"}
RERUN = "chapters/rerun"


def add_note(app, doctree, docname):
    """Tell below the title of a page with computed results at which scale they were computed, if not the papers'."""
    scale, title = (staged(app.env, "receipt.json") or {}).get("scale"), doctree.next_node(nodes.title)
    if app.builder.format != "html" or scale not in WORDS or title is None or not _is_computed(app.env, docname):
        return
    line = nodes.paragraph("", f"{WORDS[scale]}: made with ", classes=["scale-note"])
    line += [nodes.literal("", f"parameters/{scale}.yml"), nodes.Text(", not with the papers' values")]
    if RERUN in app.env.found_docs:
        address = app.builder.get_relative_uri(docname, RERUN)
        line += [
            nodes.Text(" ("),
            nodes.reference("", "how to build those", refuri=address, internal=True),
            nodes.Text(")"),
        ]
    line += nodes.Text(".")
    title.parent.insert(title.parent.index(title) + 1, line)


def _is_computed(env, docname):
    """Return whether a page is an executed chapter, or shows what chapters computed."""
    shown = {Path(name).name for name in env.dependencies[docname]}
    return Path(env.doc2path(docname)).suffix == ".ipynb" or bool(COMPUTED & shown)


def setup(app):
    """Register the extension; the links of a chapter, which come later, stand before the line."""
    app.connect("doctree-resolved", add_note, priority=400)
