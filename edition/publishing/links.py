"""Links between chapters: to what has another name now they lead on, to what is not built they become words."""

import posixpath
import re

from edition.claims.labels import paper_number

__all__ = ["ELSEWHERE", "labels", "led_on", "page_at", "unlinked"]

ELSEWHERE = "elsewhere in the book"
LABEL = re.compile(r"^\(([\w-]+)\)=$|^:(?:label|name): ([\w-]+)$|\$\$ \(([\w-]+)\)$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)#\s]*\.md)(#[^)]*)?\)")
ROLE = re.compile(r"\{(eq|numref|ref|prf:ref|term|explorer)\}`(?:([^`<]*?)\s*<([^`>]*)>|([^`]*))`")
INSIDE = re.compile(r"\[([^\]]+)\]\(#([\w-]+)\)")
KINDS = {"fig": "Figure", "prop": "Property", "def": "Definition", "thm": "Theorem", "conj": "Conjecture"}


def labels(cells):
    """Return the labels that cells of notebooks have: of formulas, statements, sections and figures."""
    found = set()
    for cell in cells:
        if cell.cell_type == "markdown":
            found.update(label for each in LABEL.findall(cell.source) for label in each)
        found.add(figure(cell).get("name"))
    return found - {"", None}


def figure(cell):
    """Return what a cell says of the figure that it shows, empty where it shows none."""
    return cell.metadata.get("mystnb", {}).get("figure", {})


def page_at(path, name):
    """Return the name of the chapter that the chapter called `name` links by a path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path)).removesuffix(".md")


def led_on(text, name, former):
    """Return a text of the chapter called `name`, whose links by `former` names lead to the chapters as they are now.

    >>> led_on("[a](../b/old.md#c)", "d/e", {"b/old": "b/new"})
    '[a](../b/new.md#c)'
    """

    def now(link):
        words, path, anchor = link.groups()
        page = former.get(page_at(path, name))
        path = posixpath.relpath(page, posixpath.dirname(name) or ".") if page else path.removesuffix(".md")
        return f"[{words}]({path}.md{anchor or ''})"

    return LINK.sub(now, text)


def unlinked(text, own, *, stays=lambda page: False, words_only=("term", "explorer"), mark="", address=None):
    """Return a text with words in place of what leads elsewhere.

    `own` are the labels that are here, `stays` tells of the path of a page whether it is, roles of `words_only` lead
    elsewhere always. A `mark` follows the words, which are a link where `address` gives that of the page elsewhere.
    """

    def of_page(link):
        words, page, anchor = link.groups()
        if stays(page):
            return link[0]
        if words and (there := address(page) if address else None):
            words = f"[{words}]({there}{anchor or ''})"
        return f"{words}{mark}" if words else ELSEWHERE

    def of_label(role):
        kind, title, target, alone = role.groups()
        target = target or alone
        always = kind in ("term", "explorer")
        if kind in words_only if always else target not in own:
            words = title or (alone if always else _named(kind, target))
            return f"{words}{mark}" if words else ELSEWHERE
        return role[0]

    text = INSIDE.sub(lambda link: link[0] if link[2] in own else f"{link[1]}{mark}", text)
    return ROLE.sub(of_label, LINK.sub(of_page, text))


def _named(kind, label):
    """Return what a reference to a label says: the paper's number; nothing where there is none."""
    if (number := paper_number(label)) is None:
        return ""
    return f"({number})" if kind == "eq" else f"{KINDS.get(label.split('-')[1], 'Section')} {number}"
