"""What readers move: sliders and live pictures below figures, and the explorer, each with the scripts that it needs.

A slider is part of the page but hidden until its script takes it into use, and the script of a scene puts a live
picture in the place of the image: without scripts, and on paper, there is nothing but the figure. On paper the words of
a link to a setting of the explorer stay: ``{explorer}`words <hierarchical.32.2.power-law>` `` names its architecture,
number of inputs, channels and process; so do those that set a live picture of their page to one of its states,
``{moves}`words <state>` ``.
"""

import json
import posixpath
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.util.docutils import ReferenceRole

from edition.sphinx_ext.figures_page import figures_of

COLORS = "colors.css"  # below _static
MOST_NAMED = 9  # places that there is room to name below a slider on a phone
EXPLORER = '<div class="explorer">'
PAGE = "chapters/beyond/explorer"
SETTING = re.compile(r"[a-z-]+\.\d+\.\d+\.[a-z-]+")


class Scene(NamedTuple):
    """What a kind of live picture loads, what it says at first, and its buttons."""

    files: tuple[str, ...]
    invitation: str
    buttons: tuple[str, ...] = ()


KERNEL = ("live.js", "budget-kernel.js")
SCENES = {
    "budget": Scene(
        (*KERNEL, "budget.js"),
        "Drag any line up or down. The jars change; their sum almost never does.",
        ("Start again", "Draw at random"),
    ),
    "plane": Scene(
        (*KERNEL, "plane.js"),
        "Drag the arrow. What one input gains the others lose.",
        ("Start again", "Second constraint"),
    ),
    "board": Scene(
        ("live.js", "board.js"),
        "Drag the floor. The cone grows by one to each side per layer, the band by a square root.",
        ("Start again", "Drop 100 balls"),
    ),
    "pole": Scene(
        (*KERNEL, "pole.js"),
        "Drag the pole along its line. The jars change; their sum does not.",
        ("Start again", "Second pole"),
    ),
    "parabola": Scene(
        (*KERNEL, "parabola.js"), "Drag the point along the curve. At the lowest loss it lies on the line."
    ),
    "pour": Scene(
        ("live.js", "pour.js"),
        "Drag the level of a jar up or down, or pour the shape of a model.",
        ("Recent past", "Further back", "Everything alike", "Empty", "Another litre"),
    ),
    "angle": Scene(("live.js", "angle.js"), "Drag the blue tip. The square of its shadow is its capacity."),
    "kink": Scene(("live.js", "kink.js"), "Drag the left end of the activation up or down."),
    "odometer": Scene(("live.js", "odometer.js"), "Touch a jar, or turn a digit: the path of that input lights up."),
    "fold": Scene(
        ("live.js", "fold.js"),
        "Touch a square. What stays grey is what its row misses times what its column misses.",
        ("One channel fewer", "One channel more"),
    ),
}


def add_controls(app, doctree, docname):
    """Put what a reader moves directly below the image of each figure that has it; the scene tells what it loads."""
    for figure, record in figures_of(app, doctree, docname):
        if "slider" in record:
            html = slider(record["name"], record["slider"], "../" * docname.count("/"))
            figure.insert(1, nodes.raw("", html, format="html", scene="slider"))
        if "live" in record:
            figure.insert(1, nodes.raw("", live(record["live"]), format="html", scene=record["live"]["scene"]))


def slider(name, slider, up):
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
    places = f"{range_}{ticks}{_named_places(slider['values'])}{output}"
    return f'<div class="figure-slider" data-slider="{data}" hidden>{label}{places}</div>'


def _named_places(values):
    """Return the line of the values below their places, empty where they are words or too many."""
    if len(values) > MOST_NAMED or any(isinstance(value, str) for value in values):
        return ""
    places = "".join(f"<span>{value:g}</span>" for value in values)
    return f'<div class="slider-values" aria-hidden="true">{places}</div>'


def live(data):
    """Return the lower part of a live picture as HTML; its size is that of the page without scripts, too."""
    scene = SCENES[data["scene"]]
    text = escape(json.dumps(data, separators=(",", ":")))
    buttons = "".join(f'<button type="button" disabled>{words}</button>' for words in scene.buttons)
    return f'<div class="live-controls" data-live="{text}"><output>{scene.invitation}</output>{buttons}</div>'


def load_files(app, pagename, templatename, context, doctree):
    """Load scripts and styles where the page has what they are for."""
    raw = list(doctree.findall(nodes.raw)) if doctree is not None else []
    found = sorted({node["scene"] for node in raw if "scene" in node})
    files = [name for scene in found if scene != "slider" for name in (*SCENES[scene].files, COLORS, "live.css")]
    files += ["sliders.js", "sliders.css"] * ("slider" in found)
    if any(EXPLORER in node.astext() for node in raw):
        files += ["budget-kernel.js", "explorer-charts.js", "explorer.js", "explorer.css"]
    for name in dict.fromkeys(files):
        if name.endswith(".js"):
            app.add_js_file(name, loading_method="defer")
        else:
            app.add_css_file(name)


def colors():
    """Return the style sheet of the colours that live pictures have of the figures."""
    from capacity.figures.style import COLORS, PALETTE

    names = {"capacity": COLORS["capacity"], "network": COLORS["parameters"], "unequal": PALETTE[1]}
    return ":root {" + "".join(f" --figure-{name}: {color};" for name, color in names.items()) + " }\n"


def write_colors(app, error):
    """Write the style sheet of the colours."""
    if error is None and app.builder.format == "html":
        Path(app.outdir, "_static", COLORS).write_text(colors(), encoding="utf-8")


class ExplorerRole(ReferenceRole):
    """A link to a setting of the explorer."""

    def run(self):
        if not SETTING.fullmatch(self.target):
            message = self.inliner.reporter.error(
                f"explorer: expected words <architecture.inputs.channels.process>, got {self.text!r}", line=self.lineno
            )
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        folder = posixpath.dirname(self.env.docname)
        address = f"{posixpath.relpath(PAGE, folder)}.html?setting={self.target}"
        return [nodes.reference(self.rawtext, self.title, refuri=address, internal=True)], []


class MovesRole(ReferenceRole):
    """Words that set a live picture of the page to a state that it has."""

    def run(self):
        """Return the words, of which the script of the picture makes a button."""
        return [nodes.inline(self.rawtext, self.title, classes=["moves", f"moves-{self.target}"])], []


def setup(app):
    app.connect("doctree-resolved", add_controls)
    app.connect("html-page-context", load_files)
    app.connect("build-finished", write_colors)
    app.add_role("explorer", ExplorerRole())
    app.add_role("moves", MovesRole())
