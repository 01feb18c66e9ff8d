"""The book on paper: what the pages say in HTML is said in LaTeX, with the same numbers and the same verdicts.

Paper shows what a page shows before anything is unfolded: the code of figures and claims is left out, and so are the
pages that only make sense on a screen; claims that hold are in the ledger, which leads to where they are made. All this
happens to the one tree that the LaTeX builder assembles.
"""

from pathlib import Path

from docutils import nodes
from sphinx.addnodes import start_of_file, toctree
from sphinx_proof.nodes import proof_node

from edition.claims.ledger import as_claim
from edition.publishing.pdf import SCREEN_ONLY
from edition.sphinx_ext.checks import found, is_checks, speaks
from edition.sphinx_ext.claim_nodes import claim, verdict_node
from edition.sphinx_ext.claim_records import recorded as recorded_claims
from edition.sphinx_ext.exercises import print_exercises
from edition.sphinx_ext.figures_page import recorded as recorded_figures

STYLE = Path(__file__).with_name("printing.sty")


def configure(app, config):
    """Give LaTeX the book's style, the macros that formulas have on the pages, subtitle, version and commit."""
    macros = config.tex_macros.items()
    commands = "".join(f"\\newcommand{{\\{name}}}{{{body}}}\n" for name, body in macros)
    edition = (recorded_figures(app) or {"edition": {}})["edition"]
    subtitle = edition.get("title", "").partition(": ")[2]
    commands += f"\\newcommand{{\\booksubtitle}}{{{subtitle[:1].upper()}{subtitle[1:]}}}\n"
    config.latex_elements = config.latex_elements | {"preamble": f"\\usepackage{{{STYLE.stem}}}\n{commands}"}
    config.latex_additional_files = [str(STYLE)]
    config.today = ", ".join(f"{word} {edition[word]}" for word in ("version", "commit") if word in edition)


def adapt(app, doctree, docname):
    """Adapt the assembled book to paper."""
    if app.builder.name != "latex":
        return
    claims = {record["id"].replace("/", "-"): as_claim(record) for record in recorded_claims(app.env) or ()}
    figures = (recorded_figures(app.env) or {"figures": []})["figures"]
    sliders = {record["name"]: record["slider"] for record in figures if "slider" in record}
    leave_out(doctree)
    introduce(doctree)
    for name, page in pages(doctree, docname):
        numbers = app.env.toc_fignumbers.get(name, {})
        leave_to_ledger(page)
        number(page, numbers)
        say_where_sliders_stand(page, sliders)
        frame_statements(page, numbers, claims)
        print_exercises(page)
    insert_parts(doctree, app.env.get_doctree(docname))
    unlink(doctree)


def leave_out(doctree):
    """Remove the pages for the screen, and on the others the code that is folded, and cells that show nothing else."""
    for file in list(doctree.findall(start_of_file)):
        if file["docname"] in SCREEN_ONLY:
            file.parent.remove(file)
    for cell in list(doctree.findall(nodes.container)):
        if {"tag_hide-input", "tag_conditions"} & {*cell["classes"]}:
            cell.remove(next(part for part in cell if "cell_input" in part["classes"]))
            if not cell.children:
                cell.parent.remove(cell)


def leave_to_ledger(page):
    """Leave the cells that check claims out, and of a claim that holds the anchor, to which the ledger leads."""
    for node in list(page.findall(claim)):
        if not speaks(node):
            # followed by a text, since Sphinx writes no label for a target before a section
            node.replace_self([nodes.target("", "", ids=[found(node).anchor]), nodes.Text("")])
    for cell in list(page.findall(is_checks)):
        cell.parent.remove(cell)


def introduce(doctree):
    """Make a chapter, Introduction, of what the first page says before the others are inserted."""
    page = doctree.next_node(nodes.section)
    end = next((i for i, node in enumerate(page) if "toctree-wrapper" in node.get("classes", ())), len(page))
    introduction = nodes.section("", nodes.title("", "Introduction"), *page[1:end], ids=["introduction"])
    page[1:end] = [introduction]


def pages(doctree, root):
    """Return the name and the tree of each page; that of the first is its introduction."""
    files = [(file["docname"], file) for file in doctree.findall(start_of_file)]
    return [(root, doctree.next_node(nodes.section).next_node(nodes.section)), *files]


def insert_parts(doctree, contents):
    """Begin each part of the table of contents with its title."""
    files = {file["docname"]: file for file in doctree.findall(start_of_file)}
    for tree in contents.findall(toctree):
        first = next((files[name] for _, name in tree["entries"] if name in files), None)
        if tree.get("caption") and first:
            insert_before(first, _latex(rf"\part{{{tree['caption']}}}"))


def insert_before(node, new):
    """Insert a node before another one."""
    node.parent.insert(node.parent.index(node), new)


def number(page, numbers):
    """Let each figure, table and equation of a page carry the number that it has on the screen."""
    for kind, made in (("figure", nodes.figure), ("table", nodes.table)):
        for node in list(page.findall(made)):
            if value := next((numbers[kind][id] for id in node["ids"] if id in numbers.get(kind, {})), None):
                _set_number(node, kind, ".".join(value))
    for node in list(page.findall(nodes.math_block)):
        if node.get("number"):
            _set_number(node, "equation", node["number"])


def _set_number(node, kind, value):
    insert_before(node, _latex(rf"\renewcommand{{\the{kind}}}{{{value}}}"))


def say_where_sliders_stand(page, sliders):
    """End the caption of a figure that has more pictures on the screen with the place that is printed."""
    for figure in page.findall(nodes.figure):
        for slider in (sliders[id] for id in figure["ids"] if id in sliders):
            place = slider["texts"][slider["start"]].rstrip(".")
            figure.next_node(nodes.caption).append(
                nodes.Text(f" On paper the slider, {slider['label']}, is at {place}.")
            )


def frame_statements(page, numbers, claims):
    """Set definitions, properties, theorems and proofs as such, each with its number and the verdict of its claim."""
    for node in list(page.findall(lambda node: isinstance(node, nodes.Element) and "realtype" in node)):
        title, section = node
        value = next((numbers[node["countertype"]][id] for id in node["ids"]), ())
        name = nodes.strong("", " ".join([node["realtype"].title(), *value]))
        head = nodes.paragraph("", "", name, *title.children)
        if made := claims.get(node["label"]):
            head += [nodes.Text(" "), verdict_node(made)]
        target = nodes.target("", "", ids=node["ids"])
        begin, end = _latex(r"\begin{statement}"), _latex(r"\end{statement}")
        node.replace_self([target, begin, head, _latex(r"\nopagebreak"), *section.children, end])
    for node in list(page.findall(proof_node)):
        node.replace_self([child for admonition in node for child in admonition] + [_latex(r"\qedmark")])


def unlink(doctree):
    """Leave the text of links that lead to no place in this book, nor to another site."""
    names = {file["docname"] for file in doctree.findall(start_of_file)} | {doctree["docname"]}
    for node in list(doctree.findall(nodes.reference)):
        address = node.get("refuri", "#")
        inside = address.startswith("%") and address[1:].split("#")[0] in names
        if not (inside or address.startswith("#") or ":" in address):
            node.replace_self(node.children)


def _latex(text):
    return nodes.raw("", text, format="latex")


def setup(app):
    app.connect("config-inited", configure)
    app.connect("doctree-resolved", adapt, priority=900)
