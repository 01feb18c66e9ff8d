r"""The glossary: its table of symbols, and the links to it that the chapters carry without saying so in their text.

In each section of a chapter the first mention of a term, and the first formula that is nothing but a symbol, lead to
their entries. Only prose is linked, and only as much of it as leaves a page calm.
"""

import re
from collections import Counter

from docutils import nodes

from edition.book import onward
from edition.sphinx_ext.claim_nodes import claim
from edition.sphinx_ext.claim_records import TITLES, ClaimsDirective
from edition.sphinx_ext.numbering import part
from edition.sphinx_ext.shared import doctree_to_look_at

GLOSSARY, FIRST = "chapters/glossary", "chapters/intro"
COLUMNS = ("Symbol", "Meaning", "Unit or shape", "Where")
# Terms that are ordinary words as well, or stand in every line: the role `term` links them where a chapter wants it.
BY_HAND = {
    "capacity",
    "chain rule",
    "channel",
    "claim",
    "drift",
    "excess",
    "feature",
    "gain",
    "lag",
    "strength",
    "white",
}
BY_HAND |= {"capacity allocation", "decoupling", "tap"}
SPACE = 240  # characters of a paragraph per link in it, two lines or three
PROSE = (nodes.document, nodes.section, nodes.bullet_list, nodes.enumerated_list, nodes.list_item)
FORMULA = re.compile(r"\$([^$]+)\$")


class Symbols(ClaimsDirective):
    """A table of symbols; a line of the content has five or six fields, separated by bars with spaces around them.

    These are the symbols, which share the rest; what they mean; the unit or shape; where they are introduced; the
    pages on which they mean this, as paths below the chapters' folder, of a page or of all pages of a part; and the
    public name that stands for them in code.
    """

    has_content = True

    def run(self):
        rows = [self.symbols(line) for line in self.content if line.strip()]
        table = self.table(COLUMNS, [], [15, 45, 20, 20])
        table["classes"] = ["symbols-table", "longtable", "colwidths-given"]
        table.next_node(nodes.tbody).extend(rows)
        return [table]

    def symbols(self, line):
        """Return the row of a line."""
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) not in (5, 6) or not FORMULA.findall(fields[0]):
            raise self.error(
                f"symbols: expected $symbol$ | meaning | shape | where | pages | name in code, got {line!r}; "
                "write these, the last where there is one"
            )
        cells = [[self.inline(field)] for field in fields[:4]]
        cells[1] += [self.inline(f"In code: {{name}}`{name}`") for name in fields[5:]]
        row = self.row(cells)
        symbols = FORMULA.findall(fields[0])
        former = onward(self.config.redirects)
        row["symbols"] = [normal(symbol) for symbol in symbols]
        row["pages"] = [former.get(page, page) for page in fields[4].split()]
        row["ids"] = [self.unique(f"symbol-{name_of(symbols[0])}")]
        return row

    def unique(self, name):
        """Return the name of an anchor, with a number where the page has the name already."""
        names = self.env.temp_data.setdefault("symbols-names", Counter())
        names[name] += 1
        return f"{name}-{names[name]}" if names[name] > 1 else name


def normal(symbol):
    r"""Return a formula as it is compared: without spaces and braces.

    >>> normal(r"\mathcal{K}_{1}") == normal(r"\mathcal K_1")
    True
    """
    return re.sub(r"[\s{}]", "", symbol)


def name_of(symbol):
    r"""Return a symbol as words for an anchor.

    >>> name_of(r"\tilde\Sigma"), name_of("A^*"), name_of("a_+"), name_of(r"\mathcal{K}")
    ('tilde-Sigma', 'A-star', 'a-plus', 'mathcal-K')
    """
    words = {"*": "-star", "'": "-prime", "+": "-plus", "-": "-minus"}
    return re.sub(r"[\W_]+", "-", "".join(words.get(letter, letter) for letter in symbol)).strip("-")


def entries(glossary):
    """Return the entries of the glossary: the names of each term, its anchors, and its definition."""
    for item in glossary.findall(nodes.definition_list_item):
        terms = [node for node in item if isinstance(node, nodes.term)]
        yield [term.astext() for term in terms], [term["ids"][0] for term in terms], item[-1]


def term_targets(glossary):
    """Return the anchor of each term that is linked wherever it is first mentioned; names of one thing share it."""
    return {
        name.lower(): ids[0] for names, ids, _ in entries(glossary) for name in names if name.lower() not in BY_HAND
    }


def symbol_rows(glossary):
    """Return the rows of the tables of symbols."""
    return [row for row in glossary.findall(nodes.row) if "symbols" in row]


def symbol_targets(glossary, page):
    """Return the anchor of each symbol as a page means it; what is said of a page goes before that of a part."""
    best = {}
    for row in symbol_rows(glossary):
        scope = max((len(p) for p in row["pages"] if f"{page}/".startswith(f"{p}/")), default=0)
        for symbol in row["symbols"]:
            if scope > best.get(symbol, (0, None))[0]:
                best[symbol] = scope, row["ids"][0]
    return {symbol: anchor for symbol, (_, anchor) in best.items()}


def pattern_of(terms):
    """Return the pattern of any of the terms as whole words, in the plural too; of two at one place the longer wins."""
    words = (r"\s+".join(map(re.escape, term.split())) for term in sorted(terms, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])({'|'.join(words)})s?(?![\w-])", re.IGNORECASE)


def is_prose(paragraph):
    """Return whether a paragraph is part of the text, statements and lists included."""
    node = paragraph
    while node := node.parent:
        if not isinstance(node, PROSE) and "realtype" not in node:
            return False
    return not isinstance(paragraph, claim)


def section_of(paragraph):
    """Return the section below the page's title that a paragraph belongs to; the page itself for what is above."""
    path, node = [], paragraph
    while node := node.parent:
        path += [node] * (isinstance(node, nodes.section) and isinstance(node.parent, (nodes.section, nodes.document)))
    return path[-2] if len(path) > 1 else path[-1]


def link_paragraph(paragraph, terms, symbols, seen, uri):
    """Link what a paragraph mentions and its section has not `seen`; what is in italics or bold is defined there."""
    pattern, room = pattern_of(terms), max(1, len(paragraph.astext()) // SPACE)

    def link(anchor, content, kind):
        nonlocal room
        room -= 1
        seen.add(anchor)
        return nodes.reference("", "", content, internal=True, refuri=f"{uri}#{anchor}", classes=[f"{kind}-link"])

    done, text = [], ""
    for child in [*paragraph.children, None]:
        if isinstance(child, nodes.Text):
            text += child.astext()
            continue
        start = 0
        for match in pattern.finditer(text):
            anchor = terms[" ".join(match[1].lower().split())]
            if room and anchor not in seen:
                done += [nodes.Text(text[start : match.start()]), link(anchor, nodes.Text(match[0]), "term")]
                start = match.end()
        done, text = done + [nodes.Text(text[start:])] * (start < len(text)), ""
        if isinstance(child, nodes.emphasis | nodes.strong):
            seen |= {terms[" ".join(match[1].lower().split())] for match in pattern.finditer(child.astext())}
        if isinstance(child, nodes.math) and (anchor := symbols.get(normal(child.astext()))):
            child = link(anchor, child.deepcopy(), "symbol") if room and anchor not in seen else child
        done += [child] * (child is not None)
    paragraph.clear()
    paragraph.extend(done)


def add_links(app, doctree, docname):
    """Link the first mentions in each section of a chapter; on paper, and on other pages, nothing."""
    if app.builder.format != "html" or GLOSSARY not in app.env.found_docs:
        return
    if part(docname) not in TITLES and docname != FIRST:
        return
    glossary, uri = doctree_to_look_at(app.env, GLOSSARY), app.builder.get_relative_uri(docname, GLOSSARY)
    terms, symbols = term_targets(glossary), symbol_targets(glossary, docname.removeprefix("chapters/"))
    seen = {}
    for paragraph in list(doctree.findall(nodes.paragraph)):
        if is_prose(paragraph):
            link_paragraph(paragraph, terms, symbols, seen.setdefault(id(section_of(paragraph)), set()), uri)


def setup(app):
    app.add_directive("symbols", Symbols)
    app.connect("doctree-resolved", add_links, priority=400)  # before others add lines that are no prose
