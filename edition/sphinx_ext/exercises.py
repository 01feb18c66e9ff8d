"""Exercises (sphinx-exercise): each with its solution directly below, folded, and its code executed like every cell.

On a page a solution is one quiet line that opens, also without scripts; on paper it stands below its exercise.
"""

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node, is_extension_node, solution_node

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


def depart_solution(translator, node):
    """End a solution."""
    translator.body.append("</details>\n")


def print_statements(app, doctree, docname):
    """On paper, set an exercise as a statement, and what its solution says below it."""
    for node in list(doctree.findall(is_extension_node)) if app.builder.name == "latex" else ():
        title, section = node
        content = [nodes.paragraph("", "", nodes.strong("", "", *title.children)), *section.children]
        if isinstance(node, solution_node):
            node.replace_self([nodes.target("", "", ids=node["ids"]), *content])
        else:
            target = rf"\phantomsection\label{{exercise:{node['label']}}}"  # which references to it name
            node.replace_self([_latex(target + r"\begin{statement}"), *content, _latex(r"\end{statement}")])


def _latex(text):
    return nodes.raw("", text, format="latex")


def load_style(app, pagename, templatename, context, doctree):
    """Load the style where the page has an exercise."""
    if doctree is not None and next(doctree.findall(is_exercise_node), None):
        app.add_css_file(OURS)


def setup(app):
    """Register the extension."""
    app.setup_extension("sphinx_exercise")
    app.add_node(solution_node, override=True, html=(visit_solution, depart_solution))
    app.registry.css_files = [(name, options) for name, options in app.registry.css_files if name != THEIRS]
    app.connect("doctree-read", name_contents)
    app.connect("doctree-resolved", print_statements)
    app.connect("html-page-context", load_style)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
