"""Checks on a page: setup is one line, and so are the claims of a section that hold, with their evidence and code.

Each section ends with one line, such as "7 checks hold", which opens to what its list states, the evidence, and the
code of its cells with the tag ``checks``. Only what needs a correction, does not hold or cannot be tested speaks in the
text. The code behind a figure is folded below it. A page ends with one line that counts its claims; the button beside
it (`edition/static/checks.js`) shows the lines of the sections, which a reader with scripts does not see at first.
"""

import re
from collections import Counter

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

from edition.claims.claim import CORRECTED, FAILS, HOLDS, UNTESTABLE, Claim
from edition.claims.labels import SOURCES, group_of
from edition.sphinx_ext.claim_nodes import checked, claim, evidence, small_print
from edition.sphinx_ext.shared import fold, insert_plumbing

NOT_RECORDED, NOT_STATED = "not as recorded", "not for these values"
WORDS = {  # of a verdict, by whether one or several have it, and where it follows another
    HOLDS: ("holds", "hold", ""),
    CORRECTED: ("holds with a correction", "hold with a correction", "with a correction"),
    FAILS: ("does not hold", "do not hold", "not holding"),
    UNTESTABLE: ("is not testable as stated", "are not testable as stated", "not testable"),
    NOT_RECORDED: ("is not as recorded", "are not as recorded", "not as recorded"),
    NOT_STATED: ("is not for these values", "are not for these values", "not for these values"),
}
IMPORTS = re.compile(r"^(import|from) ", re.MULTILINE)
SETUP = {"tag_parameters", "tag_injected-parameters", "tag_conditions"}
UNSEEN = (nodes.target, nodes.comment, nodes.Invisible)


def arrange(app, doctree, docname):
    """Fold the setup of a page and the checks of each section, and put the code of its figures below them."""
    if app.builder.format != "html":
        return
    fold_setup(app, doctree, docname)
    made = claims_by_id(doctree)
    for section in dict.fromkeys(block_of(node).parent for node in doctree.findall(is_checks)):
        fold_checks(section, made)
    for cell in filter(_is_cell, list(doctree.findall(nodes.container))):
        if figure := cell.next_node(nodes.figure):
            fold_below(cell, figure)


def conclude(app, doctree, docname):
    """End a page that makes claims with the line that counts them."""
    if app.builder.format == "html" and (made := claims_by_id(doctree)):
        doctree.next_node(nodes.section).append(
            nodes.paragraph("", f"{total_of(list(map(found, made.values())))}.", classes=["checks-of-page"])
        )


def fold_setup(app, doctree, docname):
    """Make one line of the parameters and imports that come before the first cell that shows or checks something."""
    setup = []
    for cell in filter(_is_cell, doctree.findall(nodes.container)):
        if is_checks(cell) or _shown(cell):
            break
        if SETUP & set(cell["classes"]) or IMPORTS.search(cell.astext()):
            setup.append(cell)
    if setup:
        line = fold("", summary="Parameters and setup", classes=["quiet", "setup"])
        insert_plumbing(app, docname, line, (setup[0].parent, setup[0].parent.index(setup[0])))
        for cell in setup:
            cell.parent.remove(cell)
            cell.insert(0, _take_code(cell))
            line += cell


def fold_checks(section, made):
    """Fold in one line the claims of a section that hold, the evidence of those that speak, and the code of all."""
    cells = [node for node in section if is_checks(node)]
    claims = [made[node["id"]] for cell in cells for node in cell.findall(checked) if node["id"] in made]
    untested = [node for node in section if isinstance(node, claim) and found(node).verdict == UNTESTABLE]
    entry, full = nodes.container(classes=["check"]), []
    for node in claims:
        full += [
            nodes.paragraph("", f"{place(found(node))}: {found(node).full_evidence()}", classes=["claim-evidence"])
        ]
        small = node.next_node(evidence)
        if speaks(node):
            entry += _evidence_of(node)
            warning, link = found(node).warning(), _link(f"evidence-{found(node).anchor}", "Evidence and code")
            node.remove(small)
            node += [nodes.Text(f" {warning} " if warning else " "), link]
        else:
            small.replace_self(small_print(found(node).reading_line()))
            node.parent.remove(node)
            entry += node
    codes = [_take_code(cell) for cell in cells]
    entry += fold("", *full, *codes, summary="Code and full evidence", classes=["quiet"])
    summary = summary_of(list(map(found, claims + untested)))
    cells[0].replace_self(fold("", entry, summary=summary, classes=["quiet", "checks"]))
    for cell in cells[1:]:
        section.remove(cell)


def fold_below(cell, figure):
    """Fold the code of a cell below its figure, beside the passport of that."""
    line = nodes.container("", fold("", _take_code(cell), summary="Code of this figure", classes=["quiet"]))
    line["classes"] += ["below-output"]
    after = figure.parent.index(figure) + 1
    passport = [node for node in figure.parent[after : after + 1] if isinstance(node, nodes.raw)]
    figure.parent[after : after + len(passport)] = [line]
    line += passport


def claims_by_id(page):
    """Return the nodes of a page's claims."""
    return {node["record"]["id"]: node for node in page.findall(claim)}


def found(node):
    """Return the `Claim` of a claim's node."""
    return Claim(**node["record"])


def speaks(node):
    """Return whether a claim stays in the text: all do but those that hold and came out as recorded."""
    return _state(found(node)) != HOLDS


def summary_of(claims):
    """Return how the claims of a section come out: "7 checks hold", or "1 check holds, 2 with a correction"."""
    counts = Counter(map(_state, claims))
    parts = []
    for state, words in WORDS.items():
        if number := counts[state]:
            first = f"check {words[0]}" if number == 1 else f"checks {words[1]}"
            parts.append(f"{number} {words[2] if parts else first}")
    return ", ".join(parts)


def total_of(claims):
    """Return how many claims a page makes, each source's and this book's apart, and how many do not simply hold.

    Such as "59 statements of paper 1 checked, 5 with a correction; 2 of this book: both hold".
    """
    groups = {group: [claim for claim in claims if group_of(claim.source) == group] for group in SOURCES}
    return "; ".join(_total(group, mine) for group, mine in groups.items() if mine)


def _total(group, claims):
    counts = Counter(map(_state, claims))
    said = [f"{counts[state]} {words[2]}" for state, words in WORDS.items() if words[2] and counts[state]]
    number = (
        f"{len(claims)} statement{'s' * (len(claims) > 1)} of {'other sources' if group == 'others' else group} checked"
    )
    all_hold = {1: ": it holds", 2: ": both hold"}.get(len(claims), ": all hold")
    return number + (", " + ", ".join(said) if said else all_hold)


def place(claim):
    """Return where the source of a claim says it, in a few words.

    >>> place(Claim("linear/eq-6", "", "paper 1, Equation (6)", "identity", "holds"))
    'Equation 6'
    """
    words = (claim.source.partition(", ")[2] or claim.source).partition(", ")[0]
    return "our own" if words == "this book" else re.sub(r"\((\S+)\)", r"\1", words)


def block_of(node):
    """Return the block of its section that a node is, or is in."""
    while not isinstance(node.parent, nodes.section):
        node = node.parent
    return node


def is_checks(node):
    """Return whether a node is a cell that checks the claims of its section."""
    return isinstance(node, nodes.Element) and "tag_checks" in node.get("classes", ())


def _state(claim):
    return claim.verdict if not claim.problem else NOT_RECORDED if claim.applies else NOT_STATED


def _evidence_of(node):
    """Return the line that has the evidence of a claim that speaks in the text."""
    made = found(node)
    line = nodes.paragraph(ids=[f"evidence-{made.anchor}"])
    line += [nodes.Text(f"{made.mark().split()[0]} "), _link(made.anchor, f"{place(made)}, in the text")]
    line += small_print(made.reading_line())
    return line


def _link(anchor, text):
    return nodes.reference("", text, refuri=f"#{anchor}", internal=True)


def _is_cell(node):
    return node.get("nb_element") == "cell_code"


def _shown(cell):
    """Return what the outputs of a cell show."""
    outputs = [part for part in cell if part.get("nb_element") == "cell_code_output"]
    return [node for output in outputs for node in output if not isinstance(node, UNSEEN)]


def _take_code(cell):
    """Take the code out of a cell, and out of what it may be folded in, and return it."""
    code = next(node for node in cell.findall(nodes.container) if node.get("nb_element") == "cell_code_source")
    code.parent.remove(code)
    for emptied in [node for node in cell if isinstance(node, HideCodeCellNode)]:
        cell.remove(emptied)
    return code


def setup(app):
    """Register the extension; it follows the others that add to a page's tree, such as passports and verdicts."""
    app.setup_extension("edition.sphinx_ext.shared")
    app.connect("doctree-resolved", arrange, priority=600)
    app.connect("doctree-resolved", conclude, priority=610)
