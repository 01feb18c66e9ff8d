"""What the theme and its companions leave out for those who hear a page, or use it without a mouse.

Their markup is written in many places, so it is mended where it arrives: in the pages, once these are written. What
there is to mend, and that it is, `tests/browser/test_accessibility.py` shows with axe.
"""

import re
from pathlib import Path

__all__ = ["repair", "words_of"]

LETTERS = re.compile(r"-?\b(?:mathcal|mathbf|mathrm|mathbb|boldsymbol)\b-?")  # how a letter is drawn
AGAIN = re.compile(r"-\d+$")  # a symbol with another meaning


def words_of(anchor):
    """Return how a symbol of the glossary is called by those who cannot see it, from its anchor.

    >>> words_of("symbol-tilde-Sigma"), words_of("symbol-mathcal-K-2")
    ('tilde Sigma', 'K')
    """
    return LETTERS.sub("", AGAIN.sub("", anchor.removeprefix("symbol-"))).replace("-", " ")


def _symbol(match):
    return f'{match[1]} aria-label="{words_of(match[2])}"'


def _below(match):
    title = match[2].replace('"', "&quot;")
    return f'{match[1]} aria-label="Pages below {title}"'


REPAIRS = [
    # The sidebar has the way to the first page and the search beside its navigation, outside of all landmarks.
    (r'(<div id="pst-primary-sidebar") (?!role)', r'\1 role="navigation" aria-label="Book" '),
    # What unfolds the pages below a page is an arrow.
    (r'(<a class="[^"]*" href="[^"]*">([^<]*)</a><details[^>]*><summary)(?=>)', _below),
    # Who speaks to the page says what is there to be read: names that say something else come second.
    (r'(<summary) aria-label="Toggle hidden content"', r"\1"),
    (r'(<button class="[^"]*search-button-field[^"]*" title="Search") aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*) title="[^"]*"', r'\1 aria-hidden="true"'),
    # The theme lays out whatever may scroll, folded or not; the tables of the ledger never do.
    (r'<div class="pst-scrollable-table-container">(?=<table class="[^"]*claims-ledger)', "<div>"),
    # MathML is read aloud but gives no name to a link that is nothing but a symbol.
    (r'(<a class="symbol-link [^"]*" href="[^"]*#(symbol-[^"]+)")(?=>)', _symbol),
]


def repair(html):
    """Return a page with what is missing; one that was mended before stays as it is."""
    for pattern, replacement in REPAIRS:
        html = re.sub(pattern, replacement, html)
    return html


def repair_pages(app, error):
    """Mend the pages of a site."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            if "_static" not in path.relative_to(app.outdir).parts:
                html = path.read_text(encoding="utf-8")
                if (mended := repair(html)) != html:
                    path.write_text(mended, encoding="utf-8")


def setup(app):
    """Register the extension."""
    app.connect("build-finished", repair_pages)
