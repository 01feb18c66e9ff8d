"""The explorer's page, which alone loads its scripts, and the links to its settings from elsewhere.

The role ``{explorer}`words <hierarchical.32.2.power-law>` `` leads to a setting: its architecture, number of inputs,
channels and process. On paper the words stay.
"""

import posixpath
import re

from docutils import nodes
from sphinx.util.docutils import ReferenceRole

PAGE = "chapters/beyond/explorer"
SETTING = re.compile(r"[a-z-]+\.\d+\.\d+\.[a-z-]+")
MARK = '<div class="explorer">'


def load_scripts(app, pagename, templatename, context, doctree):
    """Load the scripts where the page has an explorer."""
    if doctree is None or not any(MARK in raw.astext() for raw in doctree.findall(nodes.raw)):
        return
    for script in ("explorer-charts.js", "explorer.js"):
        app.add_js_file(script, loading_method="defer")
    app.add_css_file("explorer.css")


class ExplorerRole(ReferenceRole):
    """A link to a setting of the explorer."""

    def run(self):
        """Return the link, or what is wrong with its setting."""
        if not SETTING.fullmatch(self.target):
            message = self.inliner.reporter.error(
                f"explorer: expected words <architecture.inputs.channels.process>, got {self.text!r}", line=self.lineno
            )
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        folder = posixpath.dirname(self.env.docname)
        address = f"{posixpath.relpath(PAGE, folder)}.html?setting={self.target}"
        return [nodes.reference(self.rawtext, self.title, refuri=address, internal=True)], []


def setup(app):
    """Register the extension."""
    app.add_role("explorer", ExplorerRole())
    app.connect("html-page-context", load_scripts)
