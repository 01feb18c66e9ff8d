"""Exercises (sphinx-exercise): each with its solution directly below, folded, and its code executed like every cell.

On a page a solution is one quiet line that opens, also without scripts; on paper nothing is folded.
"""

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node, is_extension_node, solution_node

from edition.sphinx_ext.shared import depart_fold

CONTENT = (["exercise-content"], ["solution-content"])  # the ids of all sections that hold what they say
THEIRS, OURS = "exercise.css", "exercises.css"


def name_contents(app, doctree):
    """Make unique the ids that sphinx-exercise repeats."""
    for node in doctree.findall(is_extension_node):
        for section in node:
            if section["ids"] in CONTENT:
                section["ids"] = [f"{node['label']}-content"]


def visit_solution(translator, node):
    """Begin a solution with the line that opens it, which is its title."""
    translator.body.append(translator.starttag(node, "details", suffix=""))
    translator.body.append(f"<summary>{node.pop(0).astext()}</summary>\n")


def print_exercises(page):
    """Set the exercises of a page as statements, and each solution below a heading of its own."""
    for node in list(page.findall(is_extension_node)):
        title, section = node
        heading = nodes.paragraph("", "", nodes.strong("", "", *title.children))
        label, begin, end = nodes.target("", "", ids=node["ids"]), r"\medskip", ""
        if not isinstance(node, solution_node):  # references name another label
            begin, end = rf"\phantomsection\label{{exercise:{node['label']}}}\begin{{statement}}", r"\end{statement}"
        node.replace_self([label, _latex(begin), heading, _latex(r"\nopagebreak"), *section.children, _latex(end)])


def _latex(text):
    return nodes.raw("", text, format="latex")


def load_style(app, pagename, templatename, context, doctree):
    """Load the style where the page has an exercise."""
    if doctree is not None and next(doctree.findall(is_exercise_node), None):
        app.add_css_file(OURS)


def setup(app):
    app.setup_extension("sphinx_exercise")
    app.add_node(solution_node, override=True, html=(visit_solution, depart_fold))
    app.registry.css_files = [(name, options) for name, options in app.registry.css_files if name != THEIRS]
    app.connect("doctree-read", name_contents)
    app.connect("html-page-context", load_style)
