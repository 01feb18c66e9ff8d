"""The contents of the book beside each page: a part that few readers come for is folded, unless its page is shown."""

import re
from pathlib import Path

__all__ = ["FOLDED", "fold"]

FOLDED = ("Beyond the papers", "Companions", "Reference", "About this book")
PART = re.compile(
    r'<p aria-level="2" class="caption" role="heading"><span class="caption-text">(?P<title>[^<]*)</span></p>\n'
    r'(?P<list><ul class="(?P<current>current )?nav bd-sidenav">.*?\n</ul>)',
    re.DOTALL,
)


def fold(html):
    """Return a page whose contents have the parts of `FOLDED` folded; one that was folded before stays as it is."""

    def folded(part):
        if part["title"] not in FOLDED:
            return part.group()
        opened = " open" if part["current"] else ""
        heading = f'<span class="caption" role="heading" aria-level="2">{part["title"]}</span>'
        return f'<details class="part"{opened}><summary>{heading}</summary>{part["list"]}</details>'

    return PART.sub(folded, html)


def fold_pages(app, error):
    """Fold the contents beside the pages of a site."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            if (folded := fold(html := path.read_text(encoding="utf-8"))) != html:
                path.write_text(folded, encoding="utf-8")


def setup(app):
    """Register the extension."""
    app.connect("build-finished", fold_pages)
