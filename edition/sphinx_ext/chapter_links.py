"""The links below the title of a chapter, to its executed notebook and its text, here and where it is hosted."""

from pathlib import Path

from docutils import nodes

from edition.citation import binder, hosted
from edition.sphinx_ext.figure_passports import recorded


def add_links(app, doctree, docname):
    """Below the title of an executed chapter, link to what it is on disk, and where known to a Jupyter that runs it."""
    path = Path(app.env.doc2path(docname))
    if app.builder.format != "html" or (content := recorded(app.env)) is None or path.suffix != ".ipynb":
        return
    source = f"{'../' * docname.count('/')}_sources/{docname}"
    links = {"Its text": f"{source}.md"}
    shared = content["edition"]
    if "repository" in shared:
        name, commit = docname.removeprefix("chapters/"), shared.get("commit", "HEAD").split()[0]
        links["Run in Binder"] = binder(shared["repository"], commit, name)
        links["Source"] = hosted(shared, f"{docname}.md")
    line = nodes.paragraph(classes=["chapter-links"])
    line += nodes.raw(
        "", f'<a href="{source}.ipynb" download>Executed notebook</a>', format="html"
    )  # a browser shows JSON
    for text, address in links.items():
        line += [nodes.Text(" · "), nodes.reference("", text, refuri=address)]
    title = doctree.next_node(nodes.title)
    title.parent.insert(title.parent.index(title) + 1, line)


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", add_links)
