"""Exercises (sphinx-exercise): each with its solution directly below, folded, and its code executed like every cell.

On a page a solution is one quiet line that opens, also without scripts; on paper all solutions are the last chapter of
the text, and exercise and solution name each other's page.
"""

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node, is_extension_node, solution_node

from edition.sphinx_ext.folds import depart_fold

__all__ = ["print_exercises", "solutions_chapter"]

CONTENT = (["exercise-content"], ["solution-content"])  # the ids of all sections that hold what they say
THEIRS, OURS = "exercise.css", "exercises.css"


class elsewhere(nodes.General, nodes.Element):
    """What comes from another page, `docname`: its labels begin with the name of that."""


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


def visit_elsewhere(translator, node):
    """Begin what has the labels of another page."""
    translator.curfilestack.append(node["docname"])


def depart_elsewhere(translator, node):
    """Return to the labels of this page."""
    translator.curfilestack.pop()


def print_exercises(page):
    """Set the exercises of a page as statements with the page numbers of their solutions, and take these out."""
    titles, taken = {}, []
    solved = {node["target_label"]: node["label"] for node in page.findall(solution_node)}
    for node in list(page.findall(is_extension_node)):
        title, section = node
        if isinstance(node, solution_node):
            exercise = node["target_label"]
            taken += [
                nodes.target("", "", ids=node["ids"]),
                _latex(r"\medskip"),
                _heading(titles[exercise], f"solution:{exercise}", f"exercise:{exercise}", "The exercise: "),
                _latex(r"\nopagebreak"),
                *section.children,
            ]
            node.parent.remove(node)
        else:
            exercise = node["label"]
            titles[exercise] = title
            heading = nodes.paragraph("", "", nodes.strong("", "", *title.children))
            if exercise in solved:
                heading += _page_of(f"solution:{exercise}", "Solution: ")
            # The label, which references name.
            begin = rf"\phantomsection\label{{exercise:{exercise}}}\begin{{statement}}"
            node.replace_self([_latex(begin), heading, *section.children, _latex(r"\end{statement}")])
    return taken


def solutions_chapter(solutions):
    """Return the chapter of solutions, with a section for each page that has some."""
    chapter = nodes.section("", nodes.title("", "Solutions to the exercises"), ids=["solutions"])
    for docname, (title, content) in solutions.items():
        part = nodes.section("", title.deepcopy(), *content, ids=["solutions"])
        chapter += elsewhere("", part, docname=docname)
    return chapter


def _heading(title, label, exercise, word):
    name = nodes.strong("", "", *(child.deepcopy() for child in title.children))
    return nodes.paragraph("", "", _latex(rf"\phantomsection\label{{{label}}}"), name, *_page_of(exercise, word))


def _page_of(label, word):
    return [_latex(rf"\hfill{{\sffamily\small {word}page~\pageref{{{label}}}}}")]


def _latex(text):
    return nodes.raw("", text, format="latex")


def load_style(app, pagename, templatename, context, doctree):
    """Load the style where the page has an exercise."""
    if doctree is not None and next(doctree.findall(is_exercise_node), None):
        app.add_css_file(OURS)


def setup(app):
    """Register the extension."""
    app.setup_extension("sphinx_exercise")
    app.add_node(solution_node, override=True, html=(visit_solution, depart_fold))
    app.add_node(elsewhere, latex=(visit_elsewhere, depart_elsewhere))
    app.registry.css_files = [(name, options) for name, options in app.registry.css_files if name != THEIRS]
    app.connect("doctree-read", name_contents)
    app.connect("html-page-context", load_style)
