"""What is told of a page where its address is shared: title and description, and once the address is known, a picture.

Addresses of pages and pictures must be absolute there, so they are left out until ``url`` of CITATION.cff is set.
"""

from html import escape
from pathlib import Path

from docutils import nodes

from edition.citation import pages_at
from edition.sphinx_ext.figure_passports import recorded

CARD = "_static/card.png"
LENGTH = 200  # letters of a description; who shows them cuts longer ones
INCHES, DPI = (12, 6.3), 100  # 1200 by 630 pixels, what is asked for


def describe(app, pagename, templatename, context, doctree):
    """Add the description of a page, and what a card of it shows, to its head."""
    if doctree is None or not (text := description(doctree)):
        return
    shared = (recorded(app.env) or {"edition": {}})["edition"]
    tags = {"og:type": "article", "og:site_name": app.config.html_title}
    tags |= {"og:title": doctree.next_node(nodes.title).astext(), "og:description": text}
    if base := pages_at(shared):
        tags |= {"og:url": f"{base}{pagename}.html", "og:image": f"{base}{CARD}", "twitter:card": "summary_large_image"}
    lines = [f'<meta name="description" content="{escape(text)}" />']
    lines += [f'<meta property="{name}" content="{escape(content)}" />' for name, content in tags.items()]
    context["metatags"] = "\n".join([context.get("metatags", ""), *lines])


def description(doctree):
    """Return how the first plain paragraph begins, as far as there is room; empty where there is none.

    What the edition puts above the text, such as the links to the notebook, has a class.
    """
    found = (p for p in doctree.findall(nodes.paragraph) if isinstance(p.parent, nodes.section) and not p["classes"])
    text = next((" ".join(p.astext().split()) for p in found if p.next_node(nodes.math) is None), "")
    return text if len(text) <= LENGTH else f"{text[:LENGTH].rpartition(' ')[0]} ..."


def draw_card(app, error):
    """Draw the picture of a shared link: the budget of the first figure that has one, and the question."""
    content = recorded(app.env) if error is None and app.builder.format == "html" else None
    if not content or not pages_at(content["edition"]):
        return
    network = next(
        (live for record in content["figures"] if (live := record.get("live", {})).get("scene") == "budget"), None
    )
    if network:
        card(network, app.env.titles[app.config.root_doc].astext()).savefig(Path(app.outdir) / CARD, dpi=DPI)


def card(network, question):
    """Return the figure of a card: a jar for each input, how much there is of it, and a question above."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, facecolor="white", layout="none")
    ax = figure.add_axes((0.06, 0.08, 0.88, 0.52))
    capacities = network["capacities"]
    for height, color in ((1, "#dddddd"), (capacities, "#d55e00")):
        ax.bar(range(len(capacities)), height, width=0.72, color=color)
    ax.set(ylim=(0, 1))
    ax.axis("off")
    figure.text(0.06, 0.84, question, fontsize=40, weight="bold", wrap=True)
    figure.text(0.06, 0.68, f"{network['generic']} of {len(capacities)}, whatever you do", fontsize=32, color="#0173b2")
    return figure


def setup(app):
    """Register the extension."""
    app.connect("html-page-context", describe)
    app.connect("build-finished", draw_card)
