"""Live pictures: below the image of a figure that has one, what its script begins with.

The script of a scene puts the live picture in the place of the image; without scripts, and on paper, there is nothing
but the figure.
"""

import json
from html import escape
from typing import NamedTuple

from docutils import nodes

from edition.sphinx_ext.figure_passports import figures_of

MARK = '<div class="live-controls"'


class Scene(NamedTuple):
    """What a kind of live picture loads, what it says at first, and its buttons."""

    files: tuple[str, ...]
    invitation: str
    buttons: tuple[str, ...]


SCENES = {
    "budget": Scene(
        ("live.js", "budget-kernel.js", "budget.js"),
        "Drag any line up or down. The jars change; their sum does not.",
        ("Start again", "Draw at random"),
    ),
    "plane": Scene(
        ("live.js", "budget-kernel.js", "plane.js"),
        "Drag the arrow. What one input gains the others lose.",
        ("Start again", "Second constraint"),
    ),
    "board": Scene(
        ("live.js", "board.js"),
        "Drag the floor. The cone grows by one to each side per layer, the band by a square root.",
        ("Start again", "Drop 100 balls"),
    ),
    "pole": Scene(
        ("live.js", "budget-kernel.js", "pole.js"),
        "Drag the pole along its line. The jars change; their sum does not.",
        ("Start again", "Second pole"),
    ),
    "parabola": Scene(
        ("live.js", "budget-kernel.js", "parabola.js"),
        "Drag the point along the curve. At the lowest loss it lies on the line.",
        (),
    ),
    "pour": Scene(
        ("live.js", "pour.js"),
        "Drag the level of a jar up or down, or pour the shape of a model.",
        ("Recent past", "Further back", "Everything alike", "Empty", "Another litre"),
    ),
    "angle": Scene(
        ("live.js", "angle.js"),
        "Drag the blue tip. The square of its shadow is its capacity.",
        (),
    ),
    "kink": Scene(
        ("live.js", "kink.js"),
        "Drag the left end of the activation up or down.",
        (),
    ),
    "odometer": Scene(
        ("live.js", "odometer.js"),
        "Touch a jar, or turn a digit: the path of that input lights up.",
        (),
    ),
    "fold": Scene(
        ("live.js", "fold.js"),
        "Touch a square. What stays grey is what its row misses times what its column misses.",
        ("One channel fewer", "One channel more"),
    ),
}


def add_controls(app, doctree, docname):
    """Put what is said, and the buttons, directly below the image of each figure that has a live picture."""
    for figure, record in figures_of(app, doctree, docname):
        if "live" in record:
            figure.insert(1, nodes.raw("", control(record["live"]), format="html", scene=record["live"]["scene"]))


def control(data):
    """Return the lower part of a live picture as HTML; its size is that of the page without scripts, too."""
    scene = SCENES[data["scene"]]
    text = escape(json.dumps(data, separators=(",", ":")))
    buttons = "".join(f'<button type="button" disabled>{words}</button>' for words in scene.buttons)
    return f'{MARK} data-live="{text}"><output>{scene.invitation}</output>{buttons}</div>'


def load_files(app, pagename, templatename, context, doctree):
    """Load scripts and style where the page has a live picture."""
    found = {raw["scene"] for raw in doctree.findall(nodes.raw) if "scene" in raw} if doctree is not None else set()
    for script in dict.fromkeys(name for scene in sorted(found) for name in SCENES[scene].files):
        app.add_js_file(script, loading_method="defer")
    if found:
        app.add_css_file("live.css")


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", add_controls)
    app.connect("html-page-context", load_files)
