"""What stands below the title of a page, and what is told of it where its address is shared.

Below the title are how long a chapter takes to read, which it takes for granted (`needs` of the configuration), its
version, links to its notebook and text, and what tells a copy from the book.
At other values than the papers', every page with computed results says so: the executed chapters, and those that list
claims or show figures. Of a part, the first page does and those that list what a part does not have all of. A chapter
on its own tells its values itself. On paper there is none of this.
"""

import textwrap
from html import escape
from math import ceil
from pathlib import Path

from docutils import nodes

from edition.book import WHOLE
from edition.citation import binder, hosted, pages_at
from edition.sphinx_ext.figures_page import recorded
from edition.sphinx_ext.search_index import article
from edition.sphinx_ext.shared import insert_plumbing, staged

COMPUTED = {"claims.json", "figures.json"}
WORDS = {"quick": "Small scale"}
RERUN = "chapters/rerun"
WORDS_PER_MINUTE = 230  # of text without formulas and code
LENGTH = 200  # letters of a description; who shows them cuts longer ones


def add_lines(app, doctree, docname):
    """Add the lines to a page."""
    title = doctree.next_node(nodes.title)
    if app.builder.format != "html" or title is None:
        return
    is_chapter = Path(app.env.doc2path(docname)).suffix == ".ipynb"
    lines = {}
    if is_chapter and (shared := recorded(app.env)):
        parts = [*reading(app, doctree, docname), issue(shared["edition"]), links(docname, shared["edition"])]
        lines["chapter-links"] = " · ".join(parts)
    lines["scale-note"] = note(app, docname, is_chapter)
    shown = [f'<p class="{kind}">{html}</p>' for kind, html in lines.items() if html]
    if shown:
        place = title.parent, title.parent.index(title) + 1
        insert_plumbing(app, docname, nodes.raw("", "\n".join(shown), format="html"), place)


def reading(app, doctree, docname):
    """Return how long a page takes to read, and what is to be read before, as far as that is told and there."""
    found = [f"{ceil(len(article(doctree).astext().split()) / WORDS_PER_MINUTE)} min"]
    needed = f"chapters/{app.config.needs.get(docname.removeprefix('chapters/'))}"
    if needed in app.env.found_docs:
        title = escape(app.env.titles[needed].astext())
        found.append(f'after <a href="{app.builder.get_relative_uri(docname, needed)}">{title}</a>')
    return found


def issue(shared):
    """Return the version of the book, with its day where that is known."""
    return f"version {', '.join(filter(None, (shared['version'], shared.get('date-released'))))}"


def links(docname, shared):
    """Return links to what a chapter is on disk, and where it is known to where it is hosted and can be run."""
    source = f"{'../' * docname.count('/')}_sources/{docname}"
    found = [f'<a href="{source}.ipynb" download>Executed notebook</a>', f'<a href="{source}.md">Its text</a>']
    if "repository" in shared:
        name, commit = docname.removeprefix("chapters/"), shared.get("commit", "HEAD").split()[0]
        found.append(f'<a href="{binder(shared["repository"], commit, name)}">Run in Binder</a>')
        found.append(f'<a href="{hosted(shared, f"{docname}.md")}">Source</a>')
    return " · ".join(found)


def note(app, docname, is_chapter):
    """Return at which scale the results of a page were computed, and of which part it is, where that is to be told."""
    made = staged(app.env, "receipt.json") or {}
    scale, part = made.get("scale"), made.get("part", WHOLE)
    lists = bool(COMPUTED & {Path(name).name for name in app.env.dependencies[docname]})
    sentences = []
    if part != WHOLE and (docname == app.config.root_doc or (lists and not is_chapter)):
        command = f"<code>make book PART={part}</code>"
        sentences.append(f"A part of the book: {command} made it, and <code>make book</code> makes the whole.")
    if scale in WORDS and (lists or is_chapter):
        how = ""
        if docname != RERUN and RERUN in app.env.found_docs:
            how = f' (<a href="{app.builder.get_relative_uri(docname, RERUN)}">how to build those</a>)'
        file = f"<code>parameters/{scale}.yml</code>"
        sentences.append(f"{WORDS[scale]}: made with {file}, not with the papers' values{how}.")
    return "<br>".join(sentences)


def describe(app, pagename, templatename, context, doctree):
    """Add the title of a page, how it begins and, where it is known, its address to its head."""
    found = doctree.findall(nodes.paragraph) if doctree is not None else ()
    plain = (
        p for p in found if isinstance(p.parent, nodes.section) and p.next_node(nodes.math) is None and not p["classes"]
    )
    if (first := next(plain, None)) is None:
        return
    text = textwrap.shorten(first.astext(), LENGTH, placeholder=" ...")
    properties = {"og:type": "article", "og:site_name": app.config.html_title, "og:description": text}
    properties["og:title"] = doctree.next_node(nodes.title).astext()
    if base := pages_at((recorded(app.env) or {"edition": {}})["edition"]):
        properties["og:url"] = f"{base}{pagename}.html"
    tags = [f'<meta name="description" content="{escape(text)}" />']
    tags += [f'<meta property="{name}" content="{escape(content)}" />' for name, content in properties.items()]
    context["metatags"] = "\n".join([context.get("metatags", ""), *tags])


def setup(app):
    app.add_config_value("needs", {}, "env", types=dict)
    app.connect("doctree-resolved", add_lines)
    app.connect("html-page-context", describe)
