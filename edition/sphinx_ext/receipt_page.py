"""The directive that shows the receipt of the build: with what it was made, and what each chapter took."""

from docutils import nodes

from edition.book import SCALES
from edition.sphinx_ext.claim_records import ClaimsDirective
from edition.sphinx_ext.figure_passports import recorded
from edition.sphinx_ext.folds import fold
from edition.sphinx_ext.staged import staged

COLUMNS = {"seconds": "Seconds", "megabytes": "Memory (MB)", "cells": "Code cells", "claims": "Claims"}
NEVER = "The receipt is written when the book is built by its own command."


class Receipt(ClaimsDirective):
    """The receipt: a list, and folded a row for each chapter. Of all this the search, alike in all builds, has none."""

    def run(self):
        """Return the list and the table, or say why there are none."""
        if (found := staged(self.env, "receipt.json")) is None:
            return [nodes.paragraph("", NEVER)]
        table = self.chapters(found["chapters"], found["scale"])
        return [*self.made_with(found), fold("", table, summary="Chapter by chapter", classes=["quiet", "receipt"])]

    def made_with(self, found):
        """Return the list of what the book was made with."""
        edition = found["edition"]
        lines = {
            "Version": edition["version"] + (f", commit {edition['commit']}" if "commit" in edition else ""),
            "Part": f"{found['part']} (all is the whole book)",
            "Scale": f"{found['scale']} (the default scale is that of the papers)",
            "Python": found["python"],
            "System": found["system"],
            "Processor": f"{found['processor']}, {found['cores']} cores",
            "Locked dependencies": found["lock"],
            "Packages used": f"{len(found['packages'])}, with their versions in the file below",
        }
        items = [
            nodes.field("", nodes.field_name("", name), nodes.field_body("", nodes.paragraph("", text)))
            for name, text in lines.items()
        ]
        link = nodes.reference("", "receipt.json", refuri=f"{'../' * self.env.docname.count('/')}receipt.json")
        text = [nodes.Text("The same for machines: "), link, nodes.Text(".")]
        return [nodes.field_list("", *items, classes=["receipt"]), nodes.paragraph("", "", *text)]

    def chapters(self, found, scale):
        """Return the table of what each chapter took, and the sums."""
        size = "" if scale == SCALES[0] else f" SCALE={scale}"
        figures = recorded(self.env)["figures"]
        rows = [[self.chapter(k, figures, size), *(_cell(took[key]) for key in COLUMNS)] for k, took in found.items()]
        known = {key: [took[key] for took in found.values() if took[key] is not None] for key in COLUMNS}
        totals = [max(values, default=0) if key == "megabytes" else sum(values) for key, values in known.items()]
        rows.append([[[nodes.Text("All (largest memory)")]], *map(_cell, totals)])
        return self.table(["Chapter", *COLUMNS.values()], rows, [60, 10, 10, 10, 10])

    def chapter(self, name, figures, size):
        """Return links to a chapter by its title and to its figures, and the command that executes it."""
        drawn = ", ".join(f"{{numref}}`{each['name']}`" for each in figures if each["chapter"] == name)
        texts = [f"{{doc}}`/chapters/{name}`", drawn, f"`make run CHAPTER={name}{size}`"]
        return [self.inline(text) for text in texts if text]


def _cell(value):
    text = "not known" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)
    return [[nodes.Text(text)]]


def setup(app):
    """Register the extension."""
    app.setup_extension("edition.sphinx_ext.folds")
    app.add_directive("build-receipt", Receipt)
