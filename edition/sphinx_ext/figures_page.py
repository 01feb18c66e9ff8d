"""The figures: each by the file that can be taken, its passport below it, lists of them, and one shown elsewhere.

``figures.json``, at the site's root, has their numbers.
"""

from html import escape
from pathlib import Path

from docutils import nodes

from edition.citation import figure_entry, hosted
from edition.claims.labels import PAPERS, paper_number
from edition.claims.ledger import as_claim
from edition.figures.records import to_json
from edition.publishing.pdf import SCREEN_ONLY
from edition.sphinx_ext.api_page import documented
from edition.sphinx_ext.claim_records import ClaimsDirective, badge_to, spaced
from edition.sphinx_ext.claim_records import recorded as recorded_claims
from edition.sphinx_ext.shared import staged

FILE = "figures.json"
ENLARGED = 1.25  # so that its text is about as large as that of the page
TEXT = 592  # pixels: the longest lines of text on a desk (type.css)
FILES = {"image": "SVG", "print": "PDF", "table": "CSV", "data": "JSON"}


def recorded(env):
    """Return the content of the figures' file, None where the chapters were not executed by the edition."""
    return staged(env, FILE)


def number(env, record):
    """Return the number that a figure carries in the book."""
    return env.toc_fignumbers[f"chapters/{record['chapter']}"]["figure"][record["name"]][0]


def image(record, up, *, lazy=False):
    """Return the image of a figure as HTML; its text is about as large as that of the page.

    The size is stated, so that nothing moves on the page when an image is loaded.
    """
    width, height = (round(ENLARGED * pixels) for pixels in record["size"])
    loading = ' loading="lazy"' if lazy else ""
    size = f'width="{width}" height="{height}"'
    look = 'class="dark-light"'  # the theme leaves it alone; figures.css has its dark mode
    return f'<img src="{up}{record["image"]}" {size} alt="{escape(record["alt"])}" {look}{loading}>'


def enlargeable(record, up, *, lazy=False):
    """Return the image of a figure in a link to it, as HTML; `up` leads from the page to the site's root."""
    broad = " broad" * (ENLARGED * record["size"][0] > TEXT)
    return f'<a class="enlarge{broad}" href="{up}{record["image"]}" title="Enlarge">{image(record, up, lazy=lazy)}</a>'


def leading(record, docname):
    """Return the image of a figure as a link from a page to where it is."""
    up = "../" * docname.count("/")
    return nodes.raw("", f'<a href="{up}{record["link"]}">{image(record, up, lazy=True)}</a>', format="html")


def show_figures(app, doctree, docname):
    """Show each figure by the file that can be taken, and below it its passport; the first is loaded at once."""
    up = "../" * docname.count("/")
    for index, (node, record) in enumerate(figures_of(app, doctree, docname)):
        for shown in list(node.findall(nodes.image)):
            shown.replace_self(nodes.raw("", enlargeable(record, up, lazy=index > 0), format="html"))
        html = passport(record, number(app.env, record), recorded(app.env)["edition"], up)
        node.parent.insert(node.parent.index(node) + 1, nodes.raw("", html, format="html"))


def figures_of(app, doctree, docname):
    """Return the figures of a page in HTML, each with its record."""
    if app.builder.format != "html" or (content := recorded(app.env)) is None:
        return []
    records = {r["name"]: r for r in content["figures"] if f"chapters/{r['chapter']}" == docname}
    return [(node, records[id]) for node in doctree.findall(nodes.figure) for id in node["ids"] if id in records]


def passport(record, number, shared, up):
    """Return the passport of a figure as HTML; `up` leads from its page to the site's root."""
    source = f"chapters/{record['chapter']}"
    notebook = f'<a href="{up}_sources/{source}.ipynb" download>notebook</a>'
    text = hosted(shared, f"{source}.md", record["line"]) or f"{up}_sources/{source}.md"
    place = f'<a href="{escape(text)}">{source}.md, line {record["line"]}</a>'
    rows = {"Source": f"{place}, folded below the figure ({notebook})"}
    if record["parameters"]:
        rows["Parameters"] = "<br>".join(
            f"<code>{escape(k)} = {escape(v)}</code>" for k, v in record["parameters"].items()
        )
    if record["seed"]:
        rows["Seed"] = f"<code>{escape(record['seed'])}</code>"
    if "varies" in record:
        rows["Between machines"] = f"not the same: {escape(record['varies'])}"
    rows["Draw it again"] = f"<code>{escape(record['again'])}</code>, in a copy of the edition"
    commit = f", commit <code>{escape(shared['commit'])}</code>" if "commit" in shared else ""
    rows["Made with"] = f"capacity-allocation {escape(shared['version'])}{commit}"
    links = {name: f'<a href="{up}{record[key]}" download>{name}</a>' for key, name in FILES.items() if key in record}
    groups = {"the image": ("SVG", "PDF"), "what it draws, as numbers": ("CSV", "JSON")}
    offered = {text: [links[name] for name in names if name in links] for text, names in groups.items()}
    rows["Download"] = "; ".join(f"{text}: {', '.join(found)}" for text, found in offered.items() if found)
    rows["Cite"] = f"<pre>{escape(figure_entry(record, number, shared))}</pre>"
    body = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    summary = "<summary>Source, data and citation of this figure</summary>"
    return f'<details class="passport">{summary}<dl>{body}</dl></details>'


def write_records(app, error):
    """Write the figures' file to the site's root, now with their numbers."""
    if error is None and app.builder.format == "html" and (content := recorded(app.env)):
        records = [record | {"number": number(app.env, record)} for record in content["figures"]]
        (Path(app.outdir) / FILE).write_text(to_json(records, content["edition"]), encoding="utf-8")


def is_papers(record):
    """Return whether the papers have this figure."""
    return record["name"].split("-")[0] in PAPERS and paper_number(record["name"]) is not None


class Index(ClaimsDirective):
    """The figures of one paper (``linear``, ``layers``), or those that the papers do not have (``own``)."""

    required_arguments = 1

    def run(self):
        if (content := recorded(self.env)) is None:
            return [nodes.paragraph("", "The figures are listed when the book is built by its own command.")]
        self.claims = {record["id"]: record for record in recorded_claims(self.env)}
        group, found = self.arguments[0], content["figures"]
        listed = self.on_paper if self.env.app.builder.name == "latex" else self.on_screen
        if group in PAPERS:
            chosen = [r for r in found if is_papers(r) and r["name"].startswith(f"{group}-")]
            return listed(sorted(chosen, key=place_of)) if chosen else [nodes.paragraph("", "No figure yet.")]
        own = [record for record in found if not is_papers(record)]
        self.env.note_dependency(str(Path(self.env.srcdir) / "_toc.yml"))
        trees = self.env.external_site_map.root.subtrees
        parts = {name: tree.caption for tree in trees for name in tree.files()}
        titles = [parts.get(f"chapters/{record['chapter']}") or "Introduction" for record in own]
        shown = []
        for title in dict.fromkeys(titles):
            shown.append(nodes.rubric("", title))
            shown += listed([record for record, its in zip(own, titles) if its == title])
        return shown or [nodes.paragraph("", "No figure yet.")]

    def on_screen(self, records):
        """Return a gallery: figures small, with number and title; folded, caption, what draws it, and claims."""
        return [nodes.container("", *(self.entry(record) for record in records), classes=["figure-gallery"])]

    def on_paper(self, records):
        """Return a table of the figures with their pages, where their code is, and their claims."""
        rows = [self.line(r) for r in records if f"chapters/{r['chapter']}" not in SCREEN_ONLY]
        return [self.table(["Figure", "Page", "Drawn in", "Claims"], rows, [13, 7, 42, 38])]

    def line(self, record):
        """Return the cells of a figure in the table."""
        source = f"chapters/{record['chapter']}"
        page = nodes.raw("", rf"\pageref{{\detokenize{{{source}:{record['name']}}}}}", format="latex")
        drawn = [[nodes.Text(f"{source}.md, line {record['line']}")]]
        drawn += [[nodes.Text(name)] for name in record["functions"]]
        return [[self.inline(f"{{numref}}`{record['name']}`")], [[page]], drawn, [self.badges(record)]]

    def entry(self, record):
        """Return one figure of the list."""
        number = nodes.paragraph("", "", *self.inline(f"{{numref}}`{record['name']}`"), nodes.Text(". "))
        number += nodes.strong("", record["title"])
        about = nodes.paragraph("", "", *self.inline(record["caption"]))
        folded = [nodes.raw("", "<details><summary>About it</summary>", format="html"), about]
        text = nodes.container("", number, *folded, classes=["figure-text"])
        named = [(name, documented(self.env, name)) for name in record["functions"]]
        functions = [f"{{py:func}}`~{target}`" if target else f"`{name}`" for name, target in named]
        text += nodes.paragraph(
            "", "", nodes.emphasis("", "Seen: "), nodes.Text(record["alt"]), classes=["figure-seen"]
        )
        if functions:
            drawn = [nodes.emphasis("", "Drawn by: "), *self.inline(", ".join(functions))]
            text += nodes.paragraph("", "", *drawn, classes=["figure-seen"])
        if badges := self.badges(record):
            text += nodes.paragraph("", "", *badges, classes=["figure-claims"])
        text += nodes.raw("", "</details>", format="html")
        return nodes.container("", leading(record, self.env.docname), text, classes=["figure-entry"])

    def badges(self, record):
        """Return the verdicts of a figure's claims, each with what distinguishes the claim's name from the figure's."""
        claims = [self.claims[claim["id"]] for claim in record["claims"]]
        texts = [f"{as_claim(claim).mark().split()[0]} {claim['id'].partition('/')[2]}" for claim in claims]
        builder, docname = self.env.app.builder, self.env.docname
        return spaced(badge_to(builder, docname, claim, text) for claim, text in zip(claims, texts))


class Shown(ClaimsDirective):
    """A figure of another chapter, which its number leads to, with a caption of this page."""

    required_arguments = 1
    has_content = True

    def run(self):
        content = recorded(self.env) or {"figures": []}
        record = next((record for record in content["figures"] if record["name"] == self.arguments[0]), None)
        if record is None:
            return [nodes.paragraph("", "Here is a figure of another chapter when the book is built as a whole.")]
        number = self.inline(f"{{numref}}`{record['name']}`")
        caption = nodes.paragraph("", "", *number, nodes.Text(". "), *self.inline(" ".join(self.content)))
        return [nodes.container("", leading(record, self.env.docname), caption, classes=["figure-shown"])]


def place_of(record):
    """Sort figures of a paper by their numbers: 2, 10, A.1."""
    words = paper_number(record["name"]).split(".")
    return [(not word.isdigit(), int(word) if word.isdigit() else 0, word) for word in words]


def setup(app):
    app.connect("doctree-resolved", show_figures)
    app.connect("build-finished", write_records)
    app.add_directive("figure-index", Index)
    app.add_directive("figure-shown", Shown)
