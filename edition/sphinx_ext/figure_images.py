"""The images of figures on a page: one per theme, another for phones, enlarged by a click.

They are the files that the passport offers, so that a page and what is taken from it cannot differ.
"""

import re

from docutils import nodes

from edition.figures.narrow import WIDTHS
from edition.sphinx_ext.figures_page import images, recorded

WIDE = 96 * max(WIDTHS) + 1  # pixels
SIDES = re.compile(r"\b(left|right|centre)\b", re.IGNORECASE)
STACKED = " On this narrow screen the panels stand in fewer columns: read them row by row, from left to right."


def show_images(app, doctree, docname):
    """Show each recorded figure by its files; without scripts its link leads to the image alone."""
    if app.builder.format != "html" or (content := recorded(app.env)) is None:
        return
    records = {r["name"]: r for r in content["figures"] if f"chapters/{r['chapter']}" == docname}
    up = "../" * docname.count("/")
    for figure in doctree.findall(nodes.figure):
        if record := next((records[id] for id in figure["ids"] if id in records), None):
            for image in list(figure.findall(nodes.image)):
                image.replace_self(nodes.raw("", enlargeable(record, up), format="html"))
            for caption in figure.findall(nodes.caption):
                if is_stacked(record) and SIDES.search(caption.astext()):
                    caption += nodes.inline("", STACKED, classes=["stacked-panels"])


def enlargeable(record, up):
    """Return the images of a figure as HTML, in a link to the image; `up` leads from the page to the site's root.

    One that is wide and has no layout for phones is marked.
    """
    wide = " wide" * ("narrow" not in record and record["sizes"]["image"][0] > WIDE)
    target = f'href="{up}{record["image"]}" data-dark="{up}{record["image_dark"]}" title="Enlarge"'
    return f'<a class="enlarge{wide}" {target}>{images(record, up, phones=True)}</a>'


def is_stacked(record):
    """Return whether panels that stand side by side in a figure are one below the other in its layout for phones."""
    sizes = record["sizes"]
    return "narrow" in record and sizes["narrow"][1] > 1.3 * sizes["image"][1]


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", show_images)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
