"""The claims collected from the executed chapters: the ledger, their counts, the errata, and former claims.

The ledger lists all claims of a verdict in rows whose evidence is folded; what holds is folded by chapter. Nothing
needs a script. With it, ``ledger.js`` filters the rows by the classes that they have here. A definition, property,
theorem or conjecture whose label is that of a claim shows the claim's verdict in its title.
"""

from collections import Counter
from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from edition.claims.claim import CORRECTED, FAILS, HOLDS, UNTESTABLE, VERDICTS, anchor_of
from edition.claims.labels import OWN, PAPERS, SOURCES, group_of
from edition.claims.ledger import as_claim
from edition.publishing.pdf import SCREEN_ONLY
from edition.sphinx_ext.claim_nodes import with_formulas
from edition.sphinx_ext.claim_records import (
    FILE,
    LEDGER,
    ClaimsDirective,
    badge_to,
    link_to,
    recorded,
    section_of,
    uri_to,
)
from edition.sphinx_ext.shared import as_it_stands, depart_fold, fold, staged

logger = logging.getLogger(__name__)
LISTED = "claims-errata"  # where the environment keeps what the lists of the page that is read name
OPEN = ("result", "observation")  # kinds that correct code could have contradicted
PLURALS = {HOLDS: "hold", CORRECTED: "hold with a correction", FAILS: "do not hold", UNTESTABLE: UNTESTABLE}


class group_fold(nodes.General, nodes.Element):
    """The claims of a `chapter`, folded on a page."""


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
        """Return a container for each source, with the claims of each chapter in the order of their names."""
        found = []
        for group, name in SOURCES.items():
            mine = [record for record in records if group_of(record["source"]) == group]
            container = nodes.container("", nodes.rubric("", name), classes=["claims-source", _source(group)])
            for chapter in sorted({record["chapter"] for record in mine}):
                here = [record for record in mine if record["chapter"] == chapter]
                container += group_fold("", self.claims(here), chapter=f"chapters/{chapter}", number=len(here))
            found += [container] * bool(mine)
        return found

    def claims(self, records):
        """Return a table of claims."""
        rows = [[[self.place(r)], self.what(r), [[self.badge(r)], [nodes.Text(r["kind"])]]] for r in records]
        table = self.table(["Where", "Statement", "Verdict and kind"], [[a, [], c] for a, _, c in rows], [18, 62, 20])
        table["classes"] += ["claims-ledger"]
        for row, (_, what, _), record in zip(table.next_node(nodes.tbody), rows, records):
            row[1] += what
            row["classes"] += [
                section_of(record["verdict"]),
                _source(group_of(record["source"])),
                f"kind-{record['kind']}",
            ]
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
        said = [self.inline(record["statement"])]
        said += [[nodes.emphasis("", word), nodes.Text(" "), *self.inline(text)]] if text else []
        found = [nodes.paragraph("", "", *words, classes=["claim-words"]) for words in said]
        remarks = "".join(f"{text}. " for text in (made.named(made.reading or ""), faults(record)) if text)
        evidence = nodes.paragraph("", "", *with_formulas(remarks), nodes.literal("", record["id"]))
        evidence["classes"] += ["claim-evidence"]
        return [*found, fold("", evidence, summary="Evidence", classes=["claim-fold"])]


def faults(record):
    """Return how many planted faults made a claim fail, or why none can; empty if neither is known."""
    found = record.get("faults") or {"caught": 0, "reason": None}
    if found["caught"]:
        return f"Fails under {found['caught']} planted fault{'s' * (found['caught'] > 1)}"
    return f"No planted fault makes it fail: {found['reason']}" if found["reason"] else ""


def _source(group):
    return f"source-{group.replace(' ', '-')}"


def visit_group_html(writer, node):
    """Begin what is folded, under the title of its chapter."""
    title = writer.builder.env.titles[node["chapter"]].astext()
    count = f'<span class="claims-count">{node["number"]}</span>'
    writer.body.append(f'<details class="claims-group"><summary>{escape(title)} {count}</summary>\n')


def load_script(app, pagename, templatename, context, doctree):
    """Load the filter and the looks of the ledger on its page only."""
    if doctree is not None and any("claims-ledger" in table["classes"] for table in doctree.findall(nodes.table)):
        app.add_js_file("ledger.js", loading_method="defer")
        app.add_css_file("ledger.css")


class Summary(ClaimsDirective):
    """How many claims of each source have which verdict, in lines that lead to the ledger; this book's own apart."""

    def show(self, records):
        """Return a paragraph for each source, with a badge for each verdict that occurs, and one for this book."""
        counts = Counter((group_of(record["source"]), record["verdict"]) for record in records)
        lines = [self.line(group, counts) for group in SOURCES if group != OWN]
        said = [record for record in records if group_of(record["source"]) != OWN]
        last = nodes.paragraph("", self.meaning(said))
        if number := len(records) - len(said):
            own = nodes.reference("", f"{number} statements of its own", internal=True)
            own = self.filtered(OWN, HOLDS, own, alone=False)
            after = nodes.Text(", which are checked in the same way and counted nowhere above.")
            last += [nodes.Text(" Beside them, this book makes "), own, after]
        return [*filter(None, lines), last]

    def line(self, group, counts):
        """Return the badges of a source, None where it has no claim."""
        line = nodes.paragraph("", "", nodes.strong("", SOURCES[group]), nodes.Text(" "), classes=["claims-summary"])
        for verdict, sign in VERDICTS.items():
            if number := counts[group, verdict]:
                text = f"{sign} {number} {PLURALS[verdict] if number > 1 else verdict}"
                classes = ["claim", f"claim-{verdict.split()[-1]}"]
                link = nodes.reference("", text, internal=True, classes=classes)
                line += [self.filtered(group, verdict, link), nodes.Text(" ")]
        return line if len(line) > 2 else None

    def filtered(self, group, verdict, link, *, alone=True):
        """Lead a link to the ledger where it shows a source, one verdict alone; without script, to that verdict."""
        builder, anchor = self.env.app.builder, section_of(verdict)
        uri = uri_to(builder, self.env.docname, LEDGER)
        query = "?" + "&".join([anchor, _source(group)][not alone :])
        query = query.replace("verdict-", "verdict=").replace("source-", "source=")
        link["refuri"] = uri if builder.name == "latex" else f"{uri}{query}#{anchor}"
        return link

    @staticmethod
    def meaning(records):
        """Return the sentence that says how many of those that hold could have come out otherwise."""
        kinds = Counter(record["kind"] for record in records if record["verdict"] == HOLDS)
        number = sum(kinds[kind] for kind in OPEN)
        others = {"identity": "identities", "definition": "definitions", "reconstruction": "reconstructions"}
        rest = [f"{kinds[kind]} {name if kinds[kind] > 1 else kind}" for kind, name in others.items() if kinds[kind]]
        text = f"Of those that hold, {number} could have come out otherwise"
        return f"{text}; the rest are {', '.join(rest)}." if rest else f"{text}."


class Retired(ClaimsDirective):
    """The claims of former editions that are no longer made, and why."""

    def show(self, records):
        rows = [
            [[[nodes.target("", "", ids=[anchor_of(id)]), nodes.literal("", id)]], [self.inline(why)]]
            for id, why in sorted(staged(self.env, FILE)["retired"].items())
        ]
        return [self.table(["Id", "Why it is no longer made"], rows, [35, 65])] if rows else []


class Errata(ClaimsDirective):
    """Statements of one paper that need a correction or do not hold, in the order in which the content names them.

    A page may have several lists of a paper, which together name each of its errata once (`check_errata`). With the
    option `here`, a list says what came out here instead of what should be printed.
    """

    required_arguments = 1
    option_spec: ClassVar = {"here": directives.flag}
    has_content = True

    def show(self, records):
        """Return the table: where, what is said, what it should be or came out to be, the evidence."""
        part = self.arguments[0]
        if part not in PAPERS:
            raise self.error(f"claims-errata: expected one of {', '.join(PAPERS)}, got {part!r}; name a paper's part")
        listed = [line.strip() for line in self.content if line.strip()]
        self.env.temp_data.setdefault(LISTED, {}).setdefault(part, []).extend(listed)
        known = {record["id"]: record for record in errata(records, part)}
        rows = [self.erratum(known[id]) for id in listed if id in known]
        if not rows:
            return [nodes.paragraph("", "No correction was needed so far.")]
        found = "Found here" if "here" in self.options else "Should be"
        table = self.table(["Where", "What it says, in our words", found, "Evidence"], rows, [17, 32, 28, 23])
        table["classes"] += ["found-here"] if "here" in self.options else []
        return [table]

    def erratum(self, record):
        """Return the row of a statement: its cells, each a list of paragraphs."""
        found = as_claim(record)
        evidence, _, stated = (found.reading or "").partition("; as stated ")
        return [
            [[self.where(record)], [self.badge(record)]],
            [self.inline(found.statement), *([[self.small(f"in numbers: {stated}")]] if stated else [])],
            [self.inline(found.correction)],
            [[self.small(found.named(evidence))]],
        ]


def errata(records, part):
    """Return those of all records that are errata of a part's paper: it says them, and they do not simply hold."""
    return [record for record in said_by(records, part) if record["verdict"] in (CORRECTED, FAILS)]


def said_by(records, part):
    """Return those of all records that a part's paper says."""
    return [r for r in records if r["id"].split("/")[0] == part and r["source"].startswith(PAPERS[part])]


class Changed(SphinxRole):
    """How many of the testable statements of some papers need a change: ``{claims-changed}`linear layers` ``."""

    def run(self):
        if unknown := sorted(set(parts := self.text.split()) - PAPERS.keys()):
            said = f"claims-changed: expected some of {', '.join(PAPERS)}, got {', '.join(unknown)}; name papers' parts"
            message = self.inliner.reporter.error(said, line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        if (records := recorded(self.env)) is None:
            return [nodes.Text("some")], []
        return [nodes.Text(changed(records, parts))], []


def changed(records, parts):
    """Return in words how many of what can be tested of some papers needs a change."""
    testable = [r for part in parts for r in said_by(records, part) if r["verdict"] != UNTESTABLE]
    number = sum(len(errata(records, part)) for part in parts)
    return f"{number} of {len(testable)} ({number / max(len(testable), 1):.0%})".replace("%", " %")


def wrong_lists(records, part, listed):
    """Return what is wrong with what the lists of a page name, empty if they name each erratum of the paper once."""
    wanted = {record["id"] for record in errata(records, part)}
    problems = {
        "not listed": sorted(wanted - set(listed)),
        "no errata": sorted(set(listed) - wanted),
        "listed twice": sorted(id for id, count in Counter(listed).items() if count > 1),
    }
    return "; ".join(f"{problem}: {', '.join(ids)}" for problem, ids in problems.items() if ids)


def check_errata(app, doctree):
    """Warn of a page whose lists of errata are not those of the claims; the book is built with warnings as errors."""
    records = recorded(app.env)
    for part, listed in app.env.temp_data.get(LISTED, {}).items():
        if problems := wrong_lists(records, part, listed):
            logger.warning(
                "claims-errata %s: expected each erratum of %s once, got %s; edit the lists",
                *(part, PAPERS[part], problems),
                location=app.env.docname,
            )


def add_verdicts(app, doctree, docname):
    """Show at each definition, property, theorem and conjecture the verdict of the claim that has its label.

    What needs a correction is restated with it, and says so, unless its title tells that it is as printed.
    """
    if app.builder.format != "html" or (records := recorded(app.env)) is None:
        return
    claims = {record["id"].replace("/", "-"): record for record in records}
    for node in doctree.findall(lambda node: isinstance(node, nodes.Element) and "realtype" in node):
        if record := claims.get(node["label"]):
            found, title = as_claim(record), node.next_node(nodes.title)
            restated = found.verdict == CORRECTED and not found.problem and "as printed" not in title.astext()
            text = f"{VERDICTS[CORRECTED]} corrected here" if restated else found.mark()
            title.extend([nodes.Text(" "), badge_to(app.builder, docname, record, text)])


def setup(app):
    app.setup_extension("edition.sphinx_ext.shared")
    app.add_node(group_fold, html=(visit_group_html, depart_fold), latex=(as_it_stands, as_it_stands))
    app.add_directive("claims-ledger", Ledger)
    app.connect("html-page-context", load_script)
    app.add_directive("claims-summary", Summary)
    app.connect("doctree-resolved", add_verdicts)
    app.add_directive("claims-errata", Errata)
    app.connect("doctree-read", check_errata)
    app.add_directive("claims-retired", Retired)
    app.add_role("claims-changed", Changed())
