"""What pointing at a link shows: terms, symbols, equations, figures and claims, in a script for each page with some.

They are scripts and not JSON, because from files a browser lets a page load no other kind; `edition/static/hovers.js`
loads that of the page that a link leads to.
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from edition.claims.labels import PAPERS, paper_number
from edition.claims.ledger import as_claim
from edition.sphinx_ext import claim_records, figures_page
from edition.sphinx_ext.formulas import typesetter
from edition.sphinx_ext.glossary import GLOSSARY, entries, symbol_rows
from edition.sphinx_ext.shared import doctree_to_look_at

FOLDER = "hovers"  # below _static
SCRIPT = "hoverEntries({entries});\n"
SMALL = '<p class="hover-source">{}</p>'
INLINE = MarkdownIt().use(dollarmath_plugin, renderer=lambda text, _: rf"\({escape(text)}\)")


def fragment(builder, content):
    """Return nodes as HTML, with the text of links in place of the links: what is shown by pointing has none."""
    holder = nodes.container("", *(node.deepcopy() for node in content))
    for link in list(holder.findall(nodes.reference)):
        link.replace_self(link.children)
    return "".join(builder.render_partial(node)["fragment"] for node in holder)


def terms(builder, glossary):
    """Return what is shown of each term by its anchor: its names and its definition."""
    return {
        anchor: f"<p><b>{escape(', '.join(names))}</b></p>{fragment(builder, definition)}"
        for names, anchors, definition in entries(glossary)
        for anchor in anchors
    }


def symbols(builder, glossary):
    """Return what is shown of each symbol by its anchor: its row."""
    found = {}
    for row in symbol_rows(glossary):
        symbol, meaning, shape, where = (
            fragment(builder, [nodes.inline("", "", *entry[0].children)]) for entry in row.children
        )
        found[row["ids"][0]] = f"<p><b>{symbol}</b> {meaning}</p>{SMALL.format(f'{shape}; introduced in {where}')}"
    return found


def equations(env, docname):
    """Return what is shown of each numbered equation of a page by its anchor: the formula and its number."""
    numbers, found = env.get_domain("math").equations, {}
    for node in doctree_to_look_at(env, docname).findall(nodes.math_block):
        if label := node.get("label"):
            source = f", {PAPERS[label.split('-')[0]]}" if paper_number(label) else ""
            formula = f'<div class="math">{escape(display(node.astext()), quote=False)}</div>'
            found[f"equation-{label}"] = formula + SMALL.format(f"Equation ({numbers[label][1]}){source}")
    return found


def display(formula):
    r"""Return a displayed formula as Sphinx writes it, without its number.

    >>> print(display("a = b"))
    \[a = b\]
    >>> print(display(r"a \\ b"))
    \[\begin{split}a \\ b\end{split}\]
    """
    formula = formula.strip()
    return rf"\[\begin{{split}}{formula}\end{{split}}\]" if r"\\" in formula else rf"\[{formula}\]"


def figures(env, docname):
    """Return what is shown of each figure of a page by its anchor: the picture, small, and its caption."""
    content = figures_page.recorded(env) or {"figures": []}
    return {
        record["name"]: f'<img data-src="{record["image"]}" alt="{escape(record["alt"])}">'
        f"<p>Figure {figures_page.number(env, record)}: {INLINE.renderInline(record['caption'])}</p>"
        for record in content["figures"]
        if f"chapters/{record['chapter']}" == docname
    }


def claims(env, docname):
    """Return what is shown of each claim of a page by its anchor: verdict, statement, correction if there is one."""
    found = {}
    for record in claim_records.recorded(env) or ():
        if f"chapters/{record['chapter']}" != docname:
            continue
        claim = as_claim(record)
        word, correction = claim.note
        note = f" <em>{word}</em> {INLINE.renderInline(correction)}" if correction else ""
        mark = f'<span class="claim claim-{claim.state}">{claim.mark()}</span>'
        statement = f"<p>{mark} {INLINE.renderInline(claim.statement)}{note}</p>"
        found[claim.anchor] = statement + SMALL.format(escape(claim.source))
    return found


def write(app, error):
    """Write the scripts."""
    if error is not None or app.builder.format != "html":
        return
    env, typeset = app.env, typesetter(app).within
    for docname in sorted(env.found_docs):
        found = equations(env, docname) | figures(env, docname) | claims(env, docname)
        if docname == GLOSSARY:
            glossary = env.get_and_resolve_doctree(GLOSSARY, app.builder)
            found |= terms(app.builder, glossary) | symbols(app.builder, glossary)
        if found:
            typed = {anchor: typeset(box) for anchor, box in found.items()}
            text = json.dumps(typed, indent=0, sort_keys=True, ensure_ascii=False)
            path = Path(app.outdir, "_static", FOLDER, f"{docname}.js")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SCRIPT.format(entries=text), encoding="utf-8")


def setup(app):
    app.connect("build-finished", write)
