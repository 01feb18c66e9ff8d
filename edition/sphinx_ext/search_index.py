"""What the search knows of a page: the text of the article, without code, its outputs, evidence, and formulas.

Captions of figures are text of the article. Pages of the programming interface keep the text of their docstrings. The
numbers of equations, figures, statements and sections ("figure 5", "eq. (16)"), the symbols of the glossary and the
``keywords`` of a page's front matter are entries of Sphinx's index, which the search puts before all text.

Text is found by passages, the sections of the pages: how often each has which word is in a script of its own, by which
`edition/static/search.js` ranks them, and so is what it quotes, all of it compressed. Sphinx's index, which knows of a
page only whether it has a word, has no text.
"""

import json
import re
import unicodedata
import zlib
from base64 import b64encode
from collections import Counter
from functools import cache, partial
from html import unescape
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.search.en import SearchEnglish

from edition.claims.claim import anchor_of
from edition.claims.labels import NUMBERED, PAPERS, paper_number
from edition.sphinx_ext.claim_records import recorded
from edition.sphinx_ext.formulas import typesetter
from edition.sphinx_ext.numbering import part
from edition.sphinx_ext.processes import Builder

LEFT_OUT = (nodes.raw, nodes.math, nodes.math_block, nodes.comment)
CLASSES = {"cell_input", "claim", "claim-evidence", "chapter-links", "receipt", "scale-note", "toctree-wrapper"}
SHORT = {"equation": "eq", "figure": "fig", "definition": "def", "property": "prop", "theorem": "thm"}
SHORT |= {"conjecture": "conj", "section": "sec", "appendix": "app"}
PASSAGES = "search-passages.js"  # below _static
QUOTED = 4000  # letters of a section from which a result may quote; lists such as the ledger have many more
TITLE = 3  # times that a word of a passage's title counts
LATER = re.compile(r"\N{INTERLINEAR ANNOTATION ANCHOR}(\d+)\N{INTERLINEAR ANNOTATION TERMINATOR}")  # a formula
WORD = re.compile(r"[^\W_]+")
MATHML = re.compile(r"<math.*</math>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
STEM = cache(SearchEnglish({}).stem)  # the script of the page of the search has the same
NUMBER = r"\d+(?:\.\d+)*"
SECTION = re.compile(rf"(?P<appendix>Appendix )?(?P<numbers>(?<=Appendix )[A-Z]|{NUMBER}(?: and {NUMBER})?)")
NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = {
    change(name): unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    for case, change in (("SMALL", str), ("CAPITAL", str.title))
    for name in NAMES.split()
}


class Pages(Builder):
    """The builder of pages, with an index of articles in place of one of all that the pages hold."""

    def init(self):
        """Begin with no passage."""
        super().init()
        self.passages, self.quoted = {}, {}

    def index_page(self, pagename, doctree, title):
        """Find what the search is to know of a page."""
        text, listed, formulas = article(doctree), entries(self.env, pagename, doctree), []
        names = [name for name, anchor, main in listed if main and not anchor]
        indexed = [node["entries"] for node in text.findall(addnodes.index)]
        indexed.append([("single", words, anchor, main, None) for words, anchor, main in listed])
        self.found = {
            "title": title,
            "passages": passages(text, [title, *names]),
            "quoted": quoted(doctree, {anchor for _, anchor, _ in listed}, partial(_later, formulas)),
            "formulas": formulas,
            "headings": [(section[0].astext(), section["ids"]) for section in _headed(text)],
            "keywords": [node.copy() for node in text.findall(nodes.meta)],
            "indexed": indexed,
        }

    def write_page(self, docname):
        """Write a page, and return with the rest what is to be known of it."""
        return super().write_page(docname), self.found

    def note(self, docname, found):
        """Add a page to the index of the search."""
        rest, page = found
        super().note(docname, rest)
        self.passages[docname] = page["passages"]
        typed = [self.typed(tex) for tex in page["formulas"]]
        self.quoted[docname] = {
            anchor: " ".join(LATER.sub(lambda match: typed[int(match[1])], words).split())[:QUOTED]
            for anchor, words in page["quoted"].items()
        }
        parts = [nodes.section("", nodes.title("", text), ids=ids) for text, ids in page["headings"]]
        parts += [*page["keywords"], *(addnodes.index(entries=entries) for entries in page["indexed"])]
        super().index_page(docname, nodes.container("", *parts), page["title"])

    def typed(self, tex):
        """Return a formula as plain text."""
        return unescape(TAG.sub("", MATHML.search(typesetter(self.app)(tex))[0]))

    def dump_search_index(self):
        """Write what the search knows."""
        super().dump_search_index()
        path = Path(self.outdir) / "_static" / PASSAGES
        content = b64encode(zlib.compress(compact(self.passages, self.quoted).encode(), level=9)).decode()
        path.write_text(f'window.searchPassages = "{content}";\n', encoding="utf-8")


def article(doctree):
    """Return a copy of a page's tree that holds its article's text only."""
    return _cut(doctree.deepcopy())


def _cut(text):
    for node in list(text.findall(_is_output)):
        node[:] = [caption.deepcopy() for caption in node.findall(nodes.caption)]
    for node in list(text.findall(_is_left_out)):
        node.parent.remove(node)
    return text


def quoted(doctree, anchors, typed):
    """Return the text of each section and documented object of a page by its anchor, and of what else is led to.

    It has no code; formulas are `typed` as text, a figure is quoted by its caption, an equation by what leads up to it.
    """
    text, found = doctree.deepcopy(), {}
    for formula in list(text.findall(nodes.math)):
        formula.replace_self(nodes.Text(typed(formula.astext())))
    for code in list(text.findall(lambda node: isinstance(node, (nodes.literal_block, nodes.doctest_block)))):
        code.parent.remove(code)
    for caption in text.findall(nodes.caption):
        caption["ids"] = caption.parent["ids"]
    for block in text.findall(nodes.math_block):
        before = block.parent.children[: block.parent.index(block)]
        if lead := [node for node in before if isinstance(node, nodes.paragraph)][-1:]:
            lead[0]["ids"] = lead[0]["ids"] + block["ids"]
    for node in _cut(text).findall(nodes.Element):
        if isinstance(node, addnodes.desc) or (isinstance(node, nodes.section) and isinstance(node[0], nodes.title)):
            here, parts = [_anchor(node)], _own(node)
        else:
            here = [id for id in node.get("ids", ()) if id in anchors or id.startswith("term-")]
            parts = [node.parent if isinstance(node, nodes.term) else node]
        if words := " ".join(" ".join(part.astext() for part in parts).split()) if here else "":
            found.update(dict.fromkeys((anchor for anchor in here if anchor not in found), words))
    return found


def _own(section):
    return [child for child in section if not isinstance(child, (nodes.section, addnodes.desc, nodes.title))]


def _anchor(section):
    """Return where a section or a documented object is on its page."""
    if isinstance(section.parent, nodes.document):
        return ""
    named = next((child for child in section if isinstance(child, addnodes.desc_signature)), section)
    return (named["ids"] or section["ids"])[0]


def passages(text, names):
    """Return anchor, title and words of each passage of an article: first what names the page, then its sections.

    What names it has None as its anchor, the page's first section none. A documented object is a passage, too.
    """
    found = [(None, "", Counter(word for name in names for word in words(name)))]
    for section in text.findall(lambda node: isinstance(node, (nodes.section, addnodes.desc))):
        title = next((child for child in section if isinstance(child, (nodes.title, addnodes.desc_signature))), None)
        if title is None:
            continue
        counts = Counter(word for child in _own(section) for word in words(child.astext()))
        counts.update({word: TITLE * times for word, times in Counter(words(_name(title))).items()})
        found.append((_anchor(section), _name(title), counts))
    return found


def _name(title):
    return title.get("fullname") or title.astext()


def words(text):
    """Return the words of a text as the search compares them: without accents, in American spelling, stemmed.

    >>> words("Normalised by Daróczy's behaviour"), words("normalizes behavior")
    (['normal', 'by', 'daroczi', 'behavior'], ['normal', 'behavior'])
    """
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
    return [stem for word in WORD.findall(plain) if (stem := STEM(_american(word)))]


def _american(word):
    """Return a long word as Americans spell it, more or less: what matters is that both spellings become one."""
    if len(word) < 6:
        return word
    return re.sub(r"is(e[drs]?|ers|ing|ations?)$", r"iz\1", word).replace("our", "or", 1)


def compact(found, texts):
    """Return passages and what is quoted as JSON.

    It has the pages, the passages with their page's number, by word where it is how often, texts by page and anchor.
    """
    listed = [(page, *passage) for page in sorted(found) for passage in found[page]]
    places = {}
    for number, (*_, counts) in enumerate(listed):
        for word, times in counts.items():
            places.setdefault(word, []).extend((number, times))
    pages = {page: number for number, page in enumerate(sorted(found))}
    shown = [[pages[page], anchor, title, counts.total()] for page, anchor, title, counts in listed]
    content = {"pages": [*pages], "passages": shown, "words": dict(sorted(places.items())), "texts": texts}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _later(formulas, tex):
    """Return what stands for a formula until it is typed; note the formula."""
    formulas.append(tex)
    return f"\N{INTERLINEAR ANNOTATION ANCHOR}{len(formulas) - 1}\N{INTERLINEAR ANNOTATION TERMINATOR}"


def _headed(section):
    """Return the sections below a node that are in nothing but sections."""
    return [found for child in section if isinstance(child, nodes.section) for found in (child, *_headed(child))]


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


def load_passages(app, pagename, templatename, context, doctree):
    """Load the passages on the page of the search only."""
    if pagename == "search":
        app.add_js_file(PASSAGES)


def setup(app):
    app.add_builder(Pages, override=True)
    app.connect("html-page-context", load_passages)
