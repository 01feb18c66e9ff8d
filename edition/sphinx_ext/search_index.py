"""What the search knows of a page: the text of the article, without code, its outputs, evidence, and formulas.

Captions of figures are text of the article. Pages of the programming interface keep the text of their docstrings. The
numbers of equations, figures, statements and sections ("figure 5", "eq. (16)"), the symbols of the glossary and the
``keywords`` of a page's front matter are entries of Sphinx's index, which the search puts before all text.
"""

import re
import unicodedata

from docutils import nodes
from sphinx import addnodes
from sphinx.builders.html import StandaloneHTMLBuilder

from edition.claims.claim import anchor_of
from edition.claims.labels import NUMBERED, PAPERS, paper_number
from edition.sphinx_ext.claims_page import recorded
from edition.sphinx_ext.numbering import part

__all__ = ["GREEK", "Pages", "article", "entries"]

LEFT_OUT = (nodes.raw, nodes.math, nodes.math_block, nodes.comment)
CLASSES = {"cell_input", "claim", "claim-evidence", "chapter-links", "scale-note", "toctree-wrapper"}
SHORT = {"equation": "eq", "figure": "fig", "definition": "def", "property": "prop", "theorem": "thm"}
SHORT |= {"conjecture": "conj", "section": "sec", "appendix": "app"}
NUMBER = r"\d+(?:\.\d+)*"
SECTION = re.compile(rf"(?P<appendix>Appendix )?(?P<numbers>(?<=Appendix )[A-Z]|{NUMBER}(?: and {NUMBER})?)")
NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = {
    change(name): unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    for case, change in (("SMALL", str), ("CAPITAL", str.title))
    for name in NAMES.split()
}


class Pages(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with an index of articles in place of one of all that the pages hold."""

    def index_page(self, pagename, doctree, title):
        """Add a page to the index of the search."""
        text = article(doctree)
        listed = [("single", words, anchor, main, None) for words, anchor, main in entries(self.env, pagename, doctree)]
        text += addnodes.index(entries=listed)
        super().index_page(pagename, text, title)


def article(doctree):
    """Return a copy of a page's tree that holds its article's text only."""
    text = doctree.deepcopy()
    for node in list(text.findall(_is_output)):
        node[:] = [caption.deepcopy() for caption in node.findall(nodes.caption)]
    for node in list(text.findall(_is_left_out)):
        node.parent.remove(node)
    return text


def _is_output(node):
    return isinstance(node, nodes.container) and "cell_output" in node["classes"]


def _is_left_out(node):
    return isinstance(node, LEFT_OUT) or (isinstance(node, nodes.Element) and bool(CLASSES & set(node["classes"])))


def entries(env, docname, doctree):
    """Return what a reader may type, the place on a page that it leads to, and "main" unless only a claim is there."""
    texts = [meta["content"] for meta in doctree.findall(nodes.meta) if meta.get("name") == "keywords"]
    found = [(word.strip(), "", "main") for text in texts for word in text.split(",")]
    equations = env.get_domain("math").equations.items()
    numbers = [("equation", label, number, f"equation-{label}") for label, (at, number) in equations if at == docname]
    for kind, labels in env.toc_fignumbers.get(docname, {}).items():
        numbers += [(kind, label, ".".join(number), label) for label, number in labels.items()]
    for kind, label, number, anchor in numbers:
        if kind != "displaymath":  # Sphinx's own count of the equations
            paper = PAPERS[label.split("-")[0]] if paper_number(label) == number else None
            found += [(words, anchor, "main") for words in _called(kind, number, paper)]
    if part(docname) in PAPERS:
        found += _sections(doctree, PAPERS[part(docname)])
    for row in doctree.findall(lambda node: isinstance(node, nodes.row) and "symbols" in node):
        names = {name for symbol in row["symbols"] for name in re.findall(r"\\([A-Za-z]+)", symbol) if name in GREEK}
        found += [(text, row["ids"][0], "main") for name in names for text in (name, GREEK[name])]
    return found + [claim for record in recorded(env) or () for claim in _claimed(record, docname)]


def _sections(doctree, paper):
    """Return the entries of the sections and appendices of a paper that a page mirrors."""
    found = []
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        if title is not None and (match := SECTION.match(title.astext())):
            kind = "appendix" if match["appendix"] else "section"
            anchor = "" if isinstance(section.parent, nodes.document) else section["ids"][0]
            for number in match["numbers"].split(" and "):
                called = _called(kind, number, paper) + [number] * (kind == "section")
                found += [(words, anchor, "main") for words in called]
    return found


def _claimed(record, docname):
    """Return the entries of what a paper numbers and a page has a claim about."""
    label = record["id"].replace("/", "-", 1)
    if f"chapters/{record['chapter']}" != docname or (number := paper_number(label)) is None:
        return []
    paper, kind = (group[name] for group, name in zip((PAPERS, NUMBERED), label.split("-")))
    return [(words, anchor_of(record["id"]), "") for words in _called(kind.split()[0].lower(), number, paper)]


def _called(kind, number, paper):
    """Return how one thing that has a number is called, in a paper or in this edition."""
    words = [kind] + ([f"{SHORT[kind]}.", SHORT[kind]] if kind in SHORT else [])
    numbers = [number, f"({number})"] if kind == "equation" else [number]
    called = [f"{word} {text}" for word in words for text in numbers]
    return called + ([f"{kind} {number} of {paper}", f"{paper} {kind} {number}"] if paper else [])


def setup(app):
    """Register the extension."""
    app.add_builder(Pages, override=True)
