"""Aliases for the search: words that a reader types, and the place that they mean.

"figure 5", "eq. 12", "property 3", "appendix b" and "5.1" come from the numbers that things carry in the book, symbols
from the page where they first stand in a formula, and other words from the ``keywords`` of a page's front matter. More
can be added while pages are read, with `add_alias`. The script ``search.js`` puts what an alias means before all else.
"""

import json
import re
import unicodedata
from html import escape
from pathlib import Path

from docutils import nodes

from edition.claims.claim import NUMBERED, PAPERS, anchor_of
from edition.claims.labels import paper_number
from edition.sphinx_ext.claims_page import recorded
from edition.sphinx_ext.doctrees import doctree_to_look_at
from edition.sphinx_ext.numbering import part, reading_order

__all__ = ["add_alias", "aliases"]

FILE = "search-aliases.js"
SHORT = {
    "equation": ["eq", "eqn"],
    "figure": ["fig"],
    "definition": ["def"],
    "property": ["prop"],
    "theorem": ["thm"],
    "conjecture": ["conj"],
    "section": ["sec"],
    "appendix": ["app"],
}
NUMBER = r"\d+(?:\.\d+)*"
SECTION = re.compile(rf"(?P<appendix>Appendix )?(?P<numbers>(?<=Appendix )[A-Z]|{NUMBER}(?: and {NUMBER})?)")
NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = {
    change(name): unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    for case, change in (("SMALL", str), ("CAPITAL", str.title))
    for name in NAMES.split()
}


def add_alias(env, alias, docname, anchor, title):
    """Let a search for a text lead to a place, before those that follow from numbers and formulas.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        While pages are read.
    alias : str
        What a reader types; capitals and small letters are the same.
    docname, anchor : str
        The page, and the id on it; an empty anchor is the page itself.
    title : str
        What the result is called, in plain text.
    """
    _added(env).setdefault(docname, []).append((alias, docname, anchor, title))


def aliases(env):
    """Return all aliases of a book as tuples of text, page, anchor, and title, the most relevant of a text first."""
    pages = {docname: doctree_to_look_at(env, docname) for docname in reading_order(env)}
    found = [alias for docname in pages for alias in _added(env).get(docname, [])]
    for docname, doctree in pages.items():
        found += [(word, docname, "", env.titles[docname].astext()) for word in _keywords(doctree)]
    for docname, doctree in pages.items():
        found += _numbered(env, docname) + (_sections(doctree, docname) if part(docname) in PAPERS else [])
    found += _claimed(env, {title for *_, title in found})
    return list(dict.fromkeys(found + _symbols({d: t for d, t in pages.items() if part(d) in PAPERS})))


def _keywords(doctree):
    """Return the keywords of a page."""
    texts = [meta["content"] for meta in doctree.findall(nodes.meta) if meta.get("name") == "keywords"]
    return [word.strip() for text in texts for word in text.split(",")]


def _numbered(env, docname):
    """Return the aliases of the equations, figures, tables and statements of a page."""
    equations = {
        f"equation-{label}": (label, "equation", number)
        for label, (home, number) in env.get_domain("math").equations.items()
        if home == docname
    }
    others = {
        id: (id, kind, ".".join(number))
        for kind, found in env.toc_fignumbers.get(docname, {}).items()
        if kind != "displaymath"  # Sphinx's own count of the equations
        for id, number in found.items()
    }
    found = []
    for anchor, (label, kind, number) in (equations | others).items():
        paper = PAPERS[label.split("-")[0]] if paper_number(label) == number else None
        found += _called(kind, number, docname, anchor, paper)
    return found


def _claimed(env, known):
    """Return the aliases of what the papers number and no page shows as such, `known` apart: the claim about it."""
    found = []
    for record in recorded(env) or ():
        label = record["id"].replace("/", "-", 1)
        if (number := paper_number(label)) is not None:
            paper, kind = (group[name] for group, name in zip((PAPERS, NUMBERED), label.split("-")))
            place = f"chapters/{record['chapter']}", anchor_of(record["id"])
            called = _called(kind.split()[0].lower(), number, *place, paper)
            found += [alias for alias in called if alias[-1] not in known]
    return found


def _sections(doctree, docname):
    """Return the aliases of the sections and appendices of a paper that a page mirrors."""
    found = []
    for section in doctree.findall(nodes.section):
        title = next(section.findall(nodes.title), None)
        if title is not None and (match := SECTION.match(title.astext())):
            kind = "appendix" if match["appendix"] else "section"
            top = isinstance(section.parent, nodes.document)
            for number in match["numbers"].split(" and "):
                found += _called(kind, number, docname, "" if top else section["ids"][0], PAPERS[part(docname)])
    return found


def _called(kind, number, docname, anchor, paper):
    """Return the aliases of one thing that has a number, in a paper or in this edition."""
    texts = [f"{word} {number}" for word in (kind, *SHORT.get(kind, []))] + ([number] if kind == "section" else [])
    title = f"{kind.capitalize()} {number}" + (f" of {paper}" if paper else "")
    texts += [f"{text} of {paper}" for text in texts if paper] + [f"{paper} {text}" for text in texts if paper]
    return [(text, docname, anchor, title) for text in texts]


def _symbols(pages):
    """Return the aliases of the Greek letters: the section where each first stands in a formula."""
    first = {}
    for docname, doctree in pages.items():
        for formula in doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))):
            for name in re.findall(r"\\([A-Za-z]+)", formula.astext()):
                if name in GREEK and name not in first:
                    first[name] = docname, _section_of(formula)
    return [
        (text, docname, anchor, f"{GREEK[name]}, where it is first used")
        for name, (docname, anchor) in first.items()
        for text in (GREEK[name], name)
    ]


def _section_of(node):
    """Return the anchor of the section that a node stands in, empty for that of the page."""
    while node.parent is not None and not isinstance(node, nodes.section):
        node = node.parent
    return "" if node.parent is None or isinstance(node.parent, nodes.document) else node["ids"][0]


def script(found):
    """Return the aliases as the script that the search page loads: the places once each, and by text their numbers."""
    places, texts = {}, {}
    for text, *place in found:
        number = places.setdefault(tuple(place), len(places))
        texts.setdefault(text.lower(), {})[number] = None
    shown = [(docname, anchor, escape(title)) for docname, anchor, title in places]
    texts = {text: list(numbers) for text, numbers in texts.items()}
    content = {"places": shown, "texts": texts, "greek": GREEK}
    return f"const searchAliases = {json.dumps(content, ensure_ascii=False, sort_keys=True)};\n"


def load(app, pagename, templatename, context, doctree):
    """Write the aliases and load them, with the script that uses them, on the page of the search only."""
    if pagename == "search":
        folder = Path(app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(script(aliases(app.env)), encoding="utf-8")
        for name in (FILE, "search.js"):
            app.add_js_file(name, loading_method="defer")
        app.add_css_file("search.css")


def forget(app, env, docname):
    """Forget the aliases that a page added, when it is read again."""
    _added(env).pop(docname, None)


def _added(env):
    if not hasattr(env, "edition_aliases"):
        env.edition_aliases = {}
    return env.edition_aliases


def setup(app):
    """Register the extension."""
    app.connect("env-purge-doc", forget)
    app.connect("html-page-context", load)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
