"""Checks beside the text: on a page, setup is one line, and claims that hold leave the flow of the text.

Each section ends with one line, such as "7 checks hold", which opens to its claims with their evidence and their code;
where a claim was made, a mark in the margin leads there (`edition/static/checks.css` shows it where there is a margin).
Only what needs a correction, does not hold or cannot be tested speaks in the text. The code behind a figure is folded
below it. A page ends with one line that counts its claims; the button beside it (`edition/static/checks.js`) shows the
lines of the sections and the marks, which a reader with scripts does not see at first. All this is done to the tree of
a page in HTML; `edition.sphinx_ext.margin` does what paper can of it.
"""

import re
from collections import Counter
from itertools import groupby

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

from edition.claims.claim import CORRECTED, FAILS, HOLDS, UNTESTABLE, VERDICTS, Claim
from edition.sphinx_ext.claim_nodes import checked, claim, evidence, small_print
from edition.sphinx_ext.definitions import defined_elsewhere
from edition.sphinx_ext.folds import fold

__all__ = [
    "arrange",
    "before",
    "beside",
    "block_of",
    "cells_of",
    "claims_by_id",
    "found",
    "labelled_blocks",
    "marks_of",
    "place",
    "quiet",
    "shown",
    "speaks",
    "summary_of",
    "total_of",
]

NOT_RECORDED = "not as recorded"
WORDS = {  # of a verdict, by whether one or several have it, and where it follows another
    HOLDS: ("holds", "hold", ""),
    CORRECTED: ("holds with a correction", "hold with a correction", "with a correction"),
    FAILS: ("does not hold", "do not hold", "not holding"),
    UNTESTABLE: ("is not testable as stated", "are not testable as stated", "not testable"),
    NOT_RECORDED: ("is not as recorded", "are not as recorded", "not as recorded"),
}
IMPORTS = re.compile(r"^(import|from) ", re.MULTILINE)
SETUP = {"tag_parameters", "tag_injected-parameters", "tag_conditions"}
UNSEEN = (nodes.target, nodes.comment, nodes.Invisible)


def arrange(app, doctree, docname):
    """Fold the setup of a page, gather its checks, and put the code of its figures below them."""
    if app.builder.format != "html":
        return
    cells, made = cells_of(doctree), claims_by_id(doctree)
    elsewhere = defined_elsewhere(
        [("".join(code.astext() for code in _codes(cell)), _moved_to(cell, made)) for cell in cells]
    )
    fold_setup(cells)
    marked = beside(doctree)
    for cell, names in zip(cells, elsewhere):
        if claims := [made.pop(node["id"]) for node in cell.findall(checked) if node["id"] in made]:
            gather(cell, claims)
        elif any(True for _ in cell.findall(nodes.figure)):
            fold_below(cell).extend(_where(names))
    for node in made.values():  # what cannot be tested
        _line_of(node)["records"].append(node["record"])
    for line in doctree.findall(lambda node: isinstance(node, fold) and "checks" in node["classes"]):
        line["summary"] = summary_of([Claim(**record) for record in line["records"]])
    badges = _badges(doctree)
    for block, claims in marked.items():
        mark(block_of(block), claims, badges)  # a claim before which nothing stands is in the line by now


def conclude(app, doctree, docname):
    """End a page that makes claims with the line that counts them."""
    if app.builder.format == "html" and (made := claims_by_id(doctree)):
        doctree.next_node(nodes.section).append(
            nodes.paragraph("", f"{total_of(list(map(found, made.values())))}.", classes=["checks-of-page"])
        )


def fold_setup(cells):
    """Make one line of the parameters and imports that come before the first cell that shows something."""
    setup = []
    for cell in cells:
        if shown(cell) or quiet(cell):
            break
        if SETUP & set(cell["classes"]) or IMPORTS.search(cell.astext()):
            setup.append(cell)
    if setup:
        line = fold("", summary="Parameters and setup", classes=["quiet", "setup"])
        setup[0].parent.insert(setup[0].parent.index(setup[0]), line)
        for cell in setup:
            cell.parent.remove(cell)
            cell.insert(0, _take_code(cell))
            line += cell


def gather(cell, made):
    """Put the claims `made` that a cell checks at the end of its section, with its code unless it shows something else.

    A claim that holds leaves the text; of another its evidence is put there.
    """
    entry, line = nodes.container(classes=["cell", "check"]), _line_of(cell)
    line += entry
    line["records"] += [node["record"] for node in made]
    details = [nodes.paragraph("", text, classes=["claim-evidence"]) for node in made if (text := _full(node))]
    others = shown(cell)
    if others:
        fold_below(cell, f"code-{found(made[0]).anchor}")
        details += [nodes.paragraph("", "", _link(f"code-{found(made[0]).anchor}", "The code is in the text."))]
    else:
        details += [_take_code(cell)]
        cell.parent.remove(cell)
    for node in made:
        small = node.next_node(evidence)
        if speaks(node):
            entry += _evidence_of(node)
            node.remove(small)
            node += [
                nodes.Text(f" {found(node).warning()} ".replace("  ", " ")),
                _link(f"evidence-{found(node).anchor}", "Evidence and code"),
            ]
        else:
            small.replace_self(small_print(found(node).reading_line()))
            node.parent.remove(node)
            entry += node
    entry += fold("", *details, summary="Full evidence" if others else "Code and full evidence", classes=["quiet"])


def claims_by_id(page):
    """Return the nodes of a page's claims."""
    return {node["record"]["id"]: node for node in page.findall(claim)}


def beside(page):
    """Return the claims of a page that hold, by the block beside which they are to be marked.

    It is the block of the claim's section that has the claim's label, such as an equation, or else the one before it.
    """
    labelled, marked = labelled_blocks(page), {}
    for id, node in claims_by_id(page).items():
        if not speaks(node):
            block, own = labelled.get("-".join(id.split("/")[:2])), block_of(node)
            if block is None or block.parent is not own.parent:
                block = before(own) or own
            marked.setdefault(block, []).append(found(node))
    return marked


def fold_below(cell, *ids):
    """Fold the code of a cell below what it shows, with the passport of its figure if it shows one; return the fold."""
    figure = cell.next_node(nodes.figure)
    summary = "Code of this figure" if figure else "Code"
    folded = fold("", _take_code(cell), summary=summary, classes=["quiet"], ids=[*ids])
    line = nodes.container("", folded, classes=["below-output"])
    if figure:
        after = figure.parent.index(figure) + 1
        line += [node for node in figure.parent[after : after + 1] if isinstance(node, nodes.raw)]  # the passport
        figure.parent[after : after + len(line) - 1] = [line]
    else:
        cell += line
    return folded


def mark(block, claims, badges):
    """Put the marks of claims before the block beside which they are shown, in place of badges that show the same."""
    for made in claims:
        for badge in badges.get(made.anchor, []):
            badge["classes"].append("also-in-margin")
    marks = nodes.paragraph(classes=["check-marks"])
    for text, group in marks_of(claims):
        marks += _link(group[0].anchor, text, reftitle=f"holds: {', '.join(made.id for made in group)}")
    block.parent.insert(block.parent.index(block), marks)


def marks_of(claims):
    """Return the marks of claims that hold: for each place in the source, its text and its claims."""
    places = {}
    for made in claims:
        places.setdefault(place(made), []).append(made)
    several = {name: f" ({len(group)})" if len(group) > 1 else "" for name, group in places.items()}
    return [(f"{VERDICTS[HOLDS]} {name}{several[name]}", group) for name, group in places.items()]


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
    """Return how many claims a page makes, and how many of them do not simply hold.

    Such as "59 statements checked, 5 with a correction" or "2 statements checked: both hold".
    """
    counts = Counter(map(_state, claims))
    said = [f"{counts[state]} {words[2]}" for state, words in WORDS.items() if words[2] and counts[state]]
    number = "1 statement checked" if len(claims) == 1 else f"{len(claims)} statements checked"
    all_hold = {1: ": it holds", 2: ": both hold"}.get(len(claims), ": all hold")
    return number + (", " + ", ".join(said) if said else all_hold)


def place(claim):
    """Return where the source of a claim says it, in the few words that a margin holds.

    >>> place(Claim("linear/eq-6", "", "paper 1, Equation (6)", "identity", "holds"))
    'Equation 6'
    """
    words = (claim.source.partition(", ")[2] or claim.source).partition(", ")[0]
    return "our own" if words == "this book" else re.sub(r"\((\S+)\)", r"\1", words)


def _state(claim):
    return NOT_RECORDED if claim.problem else claim.verdict


def _full(node):
    """Return the full evidence of a claim, after the place of the claim where its cell makes several."""
    text = found(node).full_evidence()
    return text and f"{place(found(node))}: {text}"


def _evidence_of(node):
    """Return the line that has the evidence of a claim that speaks in the text."""
    made = found(node)
    line = nodes.paragraph(ids=[f"evidence-{made.anchor}"])
    line += [nodes.Text(f"{made.mark().split()[0]} "), _link(made.anchor, f"{place(made)}, in the text")]
    line += small_print(made.reading_line())
    return line


def _link(anchor, text, **attributes):
    return nodes.reference("", text, refuri=f"#{anchor}", internal=True, **attributes)


def cells_of(doctree):
    """Return the cells of code."""
    return [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]


def shown(cell):
    """Return what the outputs of a cell show."""
    outputs = [part for part in cell if part.get("nb_element") == "cell_code_output"]
    return [node for output in outputs for node in output if not isinstance(node, UNSEEN)]


def _codes(cell):
    """Return the code of a cell in a list, which is empty where the page leaves it out."""
    return [node for node in cell.findall(nodes.container) if node.get("nb_element") == "cell_code_source"]


def _moved_to(cell, claims):
    """Return the anchor beside which `gather` puts the code of a cell that only checks `claims`, None of others."""
    made = next((claims[node["id"]] for node in cell.findall(checked) if node["id"] in claims), None)
    if made is None or shown(cell):
        return None
    return f"evidence-{found(made).anchor}" if speaks(made) else found(made).anchor


def _where(names):
    """Return a line that leads to where names of a figure's code are defined, if that is among the checks."""
    if not names:
        return []
    line = nodes.paragraph("", "Defined elsewhere: ", classes=["claim-evidence"])
    for place, group in groupby(sorted(names, key=names.get), key=names.get):
        line += [part for name in group for part in (nodes.literal("", name), nodes.Text(", "))][:-1]
        line += [nodes.Text(" in "), _link(place, "a check"), nodes.Text("; ")]
    line[-1] = nodes.Text(".")
    return [line]


def _take_code(cell):
    """Take the code out of a cell, and out of what it may be folded in, and return it."""
    code = _codes(cell)[0]
    code.parent.remove(code)
    for emptied in [node for node in cell if isinstance(node, HideCodeCellNode)]:
        cell.remove(emptied)
    return code


def _line_of(cell):
    """Return the line that has the checks of the section of a cell, a new one at the end of its own text if need be."""
    section = block_of(cell).parent
    if line := next((node for node in section if isinstance(node, fold) and "checks" in node["classes"]), None):
        return line
    end = next((i for i, node in enumerate(section) if isinstance(node, nodes.section)), len(section))
    while isinstance(section[end - 1], nodes.target):  # it names what follows
        end -= 1
    line = fold("", summary="", records=[], classes=["quiet", "checks"])
    section.insert(end, line)
    return line


def block_of(node):
    """Return the block of its section that a node is, or is in."""
    while not isinstance(node.parent, nodes.section):
        node = node.parent
    return node


def before(block):
    """Return the block before one in its section, None where it is the first."""
    earlier = block.parent[: block.parent.index(block)]
    text = [node for node in earlier if not isinstance(node, (*UNSEEN, fold, claim, nodes.title)) and not quiet(node)]
    return text[-1] if text else None


def quiet(node):
    """Return whether a node is a cell that checks claims and shows nothing."""
    return any(True for _ in node.findall(checked)) and node.get("nb_element") == "cell_code" and not shown(node)


def labelled_blocks(doctree):
    """Return the block of its section that has each label of an equation, a figure, a definition or the like."""
    named = {node.get("label"): node for node in doctree.findall(nodes.math_block)}
    for node in doctree.findall(nodes.Element):
        if isinstance(node, nodes.figure) or "realtype" in node:
            named |= dict.fromkeys(node["ids"], node)
    return {label: block_of(node) for label, node in named.items() if label}


def _badges(doctree):
    """Return the verdicts in titles of definitions, properties and the like, by the anchor that they lead to."""
    badges = {}
    for link in doctree.findall(nodes.reference):
        if "claim" in link["classes"]:
            badges.setdefault(link.get("refuri", "").partition("#")[2], []).append(link)
    return badges


def setup(app):
    """Register the extension; it follows the others that add to a page's tree, such as passports and verdicts."""
    app.setup_extension("edition.sphinx_ext.folds")
    app.connect("doctree-resolved", arrange, priority=600)
    app.connect("doctree-resolved", conclude, priority=610)
