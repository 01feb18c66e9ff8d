"""The ledger: all claims of a verdict, in rows whose evidence is folded; what holds is folded by chapter.

Nothing needs a script. With it, ``ledger.js`` filters the rows by the classes that they have here.
"""

from html import escape
from itertools import groupby

from docutils import nodes

from edition.claims.claim import HOLDS, VERDICTS
from edition.claims.ledger import anchor_of, as_claim
from edition.publishing.pdf import SCREEN_ONLY
from edition.sphinx_ext.claim_nodes import with_formulas
from edition.sphinx_ext.claim_records import TITLES, ClaimsDirective, link_to, section_of
from edition.sphinx_ext.folds import as_it_stands, depart_fold, fold

__all__ = ["Ledger", "faults", "group_fold", "words"]


class group_fold(nodes.General, nodes.Element):
    """The claims of a `chapter`, folded on a page."""


class words(nodes.paragraph):
    """A sentence of a claim: a paragraph on paper, on a page a part of the line that the evidence ends."""


class Ledger(ClaimsDirective):
    """All claims of one verdict."""

    required_arguments = 1
    final_argument_whitespace = True

    def show(self, records):
        """Return the table of the verdict's claims; for those that hold, one of each chapter."""
        verdict = self.arguments[0]
        if verdict not in VERDICTS:
            raise self.error(f"claims-ledger: expected one of {', '.join(VERDICTS)}, got {verdict!r}; name a verdict")
        anchor = nodes.target("", "", ids=[section_of(verdict)])
        chosen = [record for record in records if record["verdict"] == verdict]
        if not chosen:
            return [anchor, nodes.paragraph("", "No claim.")]
        return [anchor, *(self.by_chapter(chosen) if verdict == HOLDS else [self.claims(chosen)])]

    def by_chapter(self, records):
        """Return a container for each part, with the claims of each chapter in the order of their names."""
        found = []
        for part, group in groupby(records, key=_part):
            mine = list(group)
            container = nodes.container(classes=["claims-part", f"part-{part}"])
            container += nodes.rubric("", TITLES[part])
            for chapter in sorted({record["chapter"] for record in mine}):
                here = [record for record in mine if record["chapter"] == chapter]
                container += group_fold("", self.claims(here), chapter=f"chapters/{chapter}", number=len(here))
            found.append(container)
        return found

    def claims(self, records):
        """Return a table of claims."""
        rows = [[[self.place(r)], self.what(r), [[self.badge(r)], [nodes.Text(r["kind"])]]] for r in records]
        table = self.table(["Where", "Statement", "Verdict and kind"], [[a, [], c] for a, _, c in rows], [18, 62, 20])
        table["classes"] += ["claims-ledger"]
        for row, (_, what, _), record in zip(table.next_node(nodes.tbody), rows, records):
            row[1] += what
            row["classes"] += [section_of(record["verdict"]), f"part-{_part(record)}", f"kind-{record['kind']}"]
        return table

    def where(self, record):
        """Return the link to the place where a claim is made, with the name of its source: tables mix several."""
        return link_to(self.env.app.builder, self.env.docname, record, record["source"])

    def place(self, record):
        """Return the link to the claim, with the anchors of the ids that the claim once had."""
        anchors = [nodes.target("", "", ids=[anchor_of(id)]) for id in record.get("former", [])]
        return [*anchors, *(self.on_paper(record) if self.env.app.builder.name == "latex" else [self.where(record)])]

    def on_paper(self, record):
        """Return the link to the claim, and its page."""
        source, made = f"chapters/{record['chapter']}", as_claim(record)
        found = [self.where(record)]
        if source in SCREEN_ONLY:
            return found
        return [*found, nodes.raw("", rf", p.~\pageref{{\detokenize{{{source}:{made.anchor}}}}}", format="latex")]

    def what(self, record):
        """Return what a claim says, what was found instead, and the evidence."""
        made = as_claim(record)
        word, text = made.note
        found = [words("", "", *self.inline(record["statement"]))]
        if text:
            found.append(words("", "", nodes.emphasis("", word), nodes.Text(" "), *self.inline(text)))
        told = "".join(f"{text}. " for text in (made.named(made.reading or ""), faults(record)) if text)
        evidence = nodes.paragraph("", "", *with_formulas(told), nodes.literal("", record["id"]))
        evidence["classes"] += ["claim-evidence"]
        return [*found, fold("", evidence, summary="Evidence", classes=["claim-fold"])]


def faults(record):
    """Return how many planted faults made a claim fail, or why none can; empty if neither is known."""
    found = record.get("faults") or {"caught": 0, "reason": None}
    if found["caught"]:
        return f"Fails under {found['caught']} planted fault{'s' * (found['caught'] > 1)}"
    return f"No planted fault makes it fail: {found['reason']}" if found["reason"] else ""


def _part(record):
    return record["id"].split("/")[0]


def visit_group_html(writer, node):
    """Begin what is folded, under the title of its chapter."""
    title = writer.builder.env.titles[node["chapter"]].astext()
    count = f'<span class="claims-count">{node["number"]}</span>'
    writer.body.append(f'<details class="claims-group"><summary>{escape(title)} {count}</summary>\n')


def visit_words_html(writer, node):
    """Begin a sentence."""
    writer.body.append('<div class="claim-words">')


def depart_words_html(writer, node):
    """End a sentence."""
    writer.body.append("</div>\n")


def load_script(app, pagename, templatename, context, doctree):
    """Load the filter and the looks of the ledger on its page only."""
    if doctree is not None and any("claims-ledger" in table["classes"] for table in doctree.findall(nodes.table)):
        app.add_js_file("ledger.js", loading_method="defer")
        app.add_css_file("ledger.css")


def setup(app):
    """Register the extension."""
    app.setup_extension("edition.sphinx_ext.folds")
    app.add_node(group_fold, html=(visit_group_html, depart_fold), latex=(as_it_stands, as_it_stands))
    app.add_node(words, html=(visit_words_html, depart_words_html))
    app.add_directive("claims-ledger", Ledger)
    app.connect("html-page-context", load_script)
