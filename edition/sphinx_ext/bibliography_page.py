"""One style of citing: "Donier (2019a)" in the text and in the list, whose entries lead to their sources.

Works of the same authors and year get letters, in the order of the list. On the pages the list is a list to those who
hear it, too.
"""

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache

from docutils import nodes
from pybtex import plugin
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as Unsorted
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib.bibtex.plugin import register_plugin as register_bibtex_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name(entry):
    """Return the authors of an entry as they are cited, without the year: "Box et al."."""
    last = [" ".join([*person.prelast_names, *person.last_names]).strip("{}") for person in entry.persons["author"]]
    return {1: last[0], 2: " and ".join(last)}.get(len(last), f"{last[0]} et al.")


def add_letters(entries):
    """Add a letter to the year of those entries that would be cited alike."""
    ordered = SortingStyle().sort(list(entries))
    alike = Counter((name(entry), entry.fields["year"]) for entry in ordered)
    seen = Counter()
    for entry in ordered:
        key = name(entry), entry.fields["year"]
        if alike[key] > 1:
            entry.fields["year"] += LETTERS[seen[key]]
            seen[key] += 1


def letter_years(app, env, docnames):
    """Add the letters before the pages are read."""
    add_letters(env.get_domain("cite").bibdata.data.entries.values())


class Labels(BaseLabelStyle):
    """What an entry of the list begins with: how it is cited."""

    def format_labels(self, sorted_entries):
        """Yield the label of each entry."""
        for entry in sorted_entries:
            yield f"{name(entry)} ({entry.fields['year']})"


class Style(Unsorted):
    """The list, by author, year and title."""

    default_sorting_style = "author_year_title"
    default_label_style = "edition"

    def format_entry(self, label, entry, bib_data=None):
        """Return the text of an entry, where the year needs no letter: the label has it."""
        entry = deepcopy(entry)
        entry.fields["year"] = entry.fields["year"].rstrip(LETTERS)
        return super().format_entry(label, entry, bib_data=bib_data)


@dataclass
class References(AuthorYearReferenceStyle):
    """How the text cites: "Donier (2019a)" or "(Donier, 2019a; Saxe et al., 2011)"."""

    bracket_textual: BracketStyle = field(default_factory=lambda: BracketStyle(left="(", right=")"))
    bracket_parenthetical: BracketStyle = field(default_factory=lambda: BracketStyle(left="(", right=")", sep="; "))


class ListOfWorks(SphinxPostTransform):
    """The bibliography as a list with items, which its own markup is only to the eye."""

    default_priority = 11  # once citations are resolved
    formats = ("html",)

    def run(self, **kwargs):
        """Put a list in place of the entries, each with its anchor and its label."""
        for group in {entry.parent for entry in self.document.findall(nodes.citation)}:
            works = nodes.bullet_list(classes=["bibliography"])
            for entry in group.findall(nodes.citation):
                label, text = entry[0].astext(), entry[1]
                text.insert(0, [nodes.strong("", label), nodes.Text(". ")])
                works += nodes.list_item("", text, ids=entry["ids"])
            group[:] = [works]


def setup(app):
    plugin.entry_points = cache(plugin.entry_points)  # searches all that is installed, for each citation
    register_plugin("pybtex.style.labels", "edition", Labels)
    register_plugin("pybtex.style.formatting", "edition", Style)
    register_bibtex_plugin("sphinxcontrib.bibtex.style.referencing", "edition", References)
    app.add_post_transform(ListOfWorks)
    app.connect("env-before-read-docs", letter_years)
