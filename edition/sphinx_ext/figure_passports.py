"""Each figure by the file that can be taken, its passport below it, and ``figures.json`` with their numbers."""

from html import escape
from pathlib import Path

from docutils import nodes

from edition.citation import figure_entry, hosted
from edition.figures.records import to_json
from edition.sphinx_ext.staged import staged

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


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", show_figures)
    app.connect("build-finished", write_records)
