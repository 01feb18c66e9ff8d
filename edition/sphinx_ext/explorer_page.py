"""The scripts of the explorer and plotly.js, from its installed distribution: only the explorer's page loads them."""

from importlib.resources import files
from pathlib import Path

from docutils import nodes
from sphinx.util.fileutil import copy_asset

LIBRARY = "plotly.min.js"
MARK = '<div class="explorer">'


def load_scripts(app, pagename, templatename, context, doctree):
    """Copy the library into the site and load it, where the page has an explorer."""
    if doctree is None or not any(MARK in raw.astext() for raw in doctree.findall(nodes.raw)):
        return
    copy_asset(str(files("plotly") / "package_data" / LIBRARY), str(Path(app.outdir) / "_static"))
    for script in (LIBRARY, "explorer-charts.js", "explorer.js"):
        app.add_js_file(script, loading_method="defer")
    app.add_css_file("explorer.css")


def setup(app):
    """Register the extension."""
    app.connect("html-page-context", load_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
