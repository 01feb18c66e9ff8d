"""Living budgets: below the image of a figure that has one, what its script begins with.

``static/budget.js`` puts the network in the place of the image; without scripts, and on paper, there is nothing but the
figure.
"""

import json
from html import escape

from docutils import nodes

from edition.sphinx_ext.figures_page import figures_of

MARK = '<div class="living-budget"'
INVITATION = "Drag any line up or down. The jars follow; the total does not."
FILES = ("budget-kernel.js", "budget.js")


def add_controls(app, doctree, docname):
    """Put what is said, and the buttons, directly below the image of each figure that has a living budget."""
    for figure, record in figures_of(app, doctree, docname):
        if "budget" in record:
            figure.insert(1, nodes.raw("", control(record["budget"]), format="html"))


def control(network):
    """Return the lower part of a living budget as HTML; its size is that of the page without scripts, too."""
    data = escape(json.dumps(network, separators=(",", ":")))
    buttons = "".join(f'<button type="button" disabled>{text}</button>' for text in ("Start again", "Draw at random"))
    return f'{MARK} data-budget="{data}"><output>{INVITATION}</output>{buttons}</div>'


def load_files(app, pagename, templatename, context, doctree):
    """Load scripts and style where the page has a living budget."""
    if doctree is not None and any(raw.astext().startswith(MARK) for raw in doctree.findall(nodes.raw)):
        for script in FILES:
            app.add_js_file(script, loading_method="defer")
        app.add_css_file("budget.css")


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", add_controls)
    app.connect("html-page-context", load_files)
