"""The claims collected from the executed chapters: directives for their counts, the errata, and former claims.

A definition, property, theorem or conjecture whose label is that of a claim shows the claim's verdict in its title.
"""

from collections import Counter
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from edition.claims.claim import CORRECTED, FAILS, HOLDS, KINDS, UNTESTABLE, VERDICTS
from edition.claims.labels import PAPERS
from edition.claims.ledger import anchor_of, as_claim
from edition.sphinx_ext.claim_records import (
    FILE,
    LEDGER,
    TITLES,
    ClaimsDirective,
    badge_to,
    recorded,
    section_of,
    uri_to,
)
from edition.sphinx_ext.staged import staged

logger = logging.getLogger(__name__)
LISTED = "claims-errata"  # where the environment keeps what the lists of the page that is read name
OPEN = ("result", "observation")  # kinds that correct code could have contradicted
PLURALS = {HOLDS: "hold", CORRECTED: "hold with a correction", FAILS: "do not hold", UNTESTABLE: UNTESTABLE}


class Summary(ClaimsDirective):
    """How many claims have which verdict, in one line that leads to the ledger."""

    def show(self, records):
        """Return the paragraph: one badge for each verdict that occurs."""
        counts = Counter(record["verdict"] for record in records)
        line = nodes.paragraph(classes=["claims-summary"])
        for verdict, sign in VERDICTS.items():
            if counts[verdict]:
                text = f"{sign} {counts[verdict]} {PLURALS[verdict] if counts[verdict] > 1 else verdict}"
                classes = ["claim", f"claim-{verdict.split()[-1]}"]
                uri = self.filtered(verdict)
                line += [nodes.reference("", text, refuri=uri, internal=True, classes=classes), nodes.Text(" ")]
        return [line, nodes.paragraph("", self.meaning(records), classes=["claims-kinds"])]

    def filtered(self, verdict):
        """Return the address of the ledger where it shows a verdict only; without script, of its list."""
        builder = self.env.app.builder
        uri = uri_to(builder, self.env.docname, LEDGER)
        anchor = section_of(verdict)
        return uri if builder.name == "latex" else f"{uri}?{anchor.replace('-', '=', 1)}#{anchor}"

    @staticmethod
    def meaning(records):
        """Return the sentence that says how many of those that hold could have come out otherwise."""
        kinds = Counter(record["kind"] for record in records if record["verdict"] == HOLDS)
        number = sum(kinds[kind] for kind in OPEN)
        others = {"identity": "identities", "definition": "definitions", "reconstruction": "reconstructions"}
        rest = [f"{kinds[kind]} {name if kinds[kind] > 1 else kind}" for kind, name in others.items() if kinds[kind]]
        text = f"Of those that hold, {number} could have come out otherwise"
        return f"{text}; the rest are {', '.join(rest)}." if rest else f"{text}."


class Overview(ClaimsDirective):
    """How many claims of each paper, and of each kind, have which verdict."""

    def show(self, records):
        """Return the tables of counts."""
        tables = [
            self.counts("Part", TITLES, [(record["id"].split("/")[0], record["verdict"]) for record in records]),
            self.counts("Kind", {kind: kind for kind in KINDS}, [(r["kind"], r["verdict"]) for r in records]),
        ]
        link = nodes.reference("", "claims.json", refuri=f"{'../' * self.env.docname.count('/')}claims.json")
        text = nodes.Text("The same claims, with the numbers behind them, are in one file for machines: ")
        return [*tables, nodes.paragraph("", "", text, link, nodes.Text("."))]

    def counts(self, title, names, pairs):
        """Return the table of how often each name occurs with each verdict, and of all together."""
        counts = Counter(pairs)
        present = [key for key in names if any(key == other for other, _ in counts)]
        rows = [[names[key], *(str(counts[key, v]) for v in VERDICTS)] for key in present]
        rows += [["All", *(str(sum(counts[key, v] for key in present)) for v in VERDICTS)]]
        head = [title, *(f"{sign} {verdict}" for verdict, sign in VERDICTS.items())]
        return self.table(head, [[[[nodes.Text(text)]] for text in row] for row in rows], [24, 19, 19, 19, 19])


class Retired(ClaimsDirective):
    """The claims of former editions that are no longer made, and why."""

    def show(self, records):
        """Return the list, or nothing if there are none."""
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
        """Return the counts, and the share."""
        if unknown := sorted(set(parts := self.text.split()) - PAPERS.keys()):
            said = f"claims-changed: expected some of {', '.join(PAPERS)}, got {', '.join(unknown)}; name papers' parts"
            message = self.inliner.reporter.error(said, line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        if (records := recorded(self.env)) is None:
            return [nodes.Text("some")], []
        self.env.note_dependency(str(Path(self.env.srcdir) / FILE))
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
    """Register the extension."""
    app.add_directive("claims-summary", Summary)
    app.connect("doctree-resolved", add_verdicts)
    app.add_directive("claims-overview", Overview)
    app.add_directive("claims-errata", Errata)
    app.connect("doctree-read", check_errata)
    app.add_directive("claims-retired", Retired)
    app.add_role("claims-changed", Changed())
