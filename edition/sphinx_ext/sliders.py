"""Sliders: the control below the image of a figure that has more pictures than the one at rest.

It is part of the page but hidden until ``static/sliders.js`` takes it into use: without scripts, and on paper, there is
nothing but the figure.
"""

import json
from html import escape

from docutils import nodes

from edition.sphinx_ext.figure_passports import figures_of

MARK = '<div class="figure-slider"'
MOST_NAMED = 9  # places that there is room to name below the control on a phone


def add_controls(app, doctree, docname):
    """Put the control directly below the image of each figure that has one."""
    for figure, record in figures_of(app, doctree, docname):
        if "slider" in record:
            html = control(record["name"], record["slider"], "../" * docname.count("/"))
            figure.insert(1, nodes.raw("", html, format="html"))


def control(name, slider, up):
    """Return the control of a slider as HTML; `up` leads from its page to the site's root.

    The native control chooses the place in the list of the pictures, whatever the values are. Its places are equally
    far apart; numbers below them say where the values are not.
    """
    id, texts, last = f"{name}-slider", slider["texts"], len(slider["texts"]) - 1
    shown = {"pictures": [f"{up}{path}" for path in slider["pictures"]], "texts": texts}
    data = escape(json.dumps(shown, ensure_ascii=False, separators=(",", ":")))
    label = f'<label for="{id}">{escape(slider["label"])}</label>'
    options = "".join(f'<option value="{index}"></option>' for index in range(last + 1))
    range_ = (
        f'<input type="range" id="{id}" min="0" max="{last}" step="1" value="{slider["start"]}" list="{id}-ticks"'
        f' aria-valuetext="{escape(texts[slider["start"]])}" autocomplete="off">'
    )
    output = f'<output for="{id}" aria-live="off">{escape(texts[slider["start"]])}</output>'
    ticks = f'<datalist id="{id}-ticks">{options}</datalist>'
    return f'{MARK} data-slider="{data}" hidden>{label}{range_}{ticks}{_named_places(slider["values"])}{output}</div>'


def _named_places(values):
    """Return the line of the values below their places, empty where they are words or too many."""
    if len(values) > MOST_NAMED or any(isinstance(value, str) for value in values):
        return ""
    places = "".join(f"<span>{value:g}</span>" for value in values)
    return f'<div class="slider-values" aria-hidden="true">{places}</div>'


def load_files(app, pagename, templatename, context, doctree):
    """Load script and style where the page has a slider."""
    if doctree is not None and any(raw.astext().startswith(MARK) for raw in doctree.findall(nodes.raw)):
        app.add_js_file("sliders.js", loading_method="defer")
        app.add_css_file("sliders.css")


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", add_controls)
    app.connect("html-page-context", load_files)
