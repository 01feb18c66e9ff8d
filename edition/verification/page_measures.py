"""What a reader meets on each page: how high it is, and what fills its height; a report, not a test.

A browser shows each page of a built site at 1440 x 900 and at 390 x 844 pixels. Of the height of the article, every
pixel belongs to the topmost block that covers it, which is the innermost, and the last of several side by side:

- text: paragraphs, lists, definitions and formulas;
- figures, with their captions and sliders;
- code in sight, and what cells print;
- tables;
- folds: claims that speak in the text, and the lines of what is folded, opened or not;
- headings;
- space: what no block covers, between blocks and at the edges of boxes.

Words are those in sight, without code and formulas. The weight is what a browser loads for the page at the first of the
two sizes, uncompressed, from an empty cache.
"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np

from edition.book import ROOT
from edition.execution.progress import Progress
from edition.publishing.build import site_folder
from edition.verification.browser import PATIENCE, awaited, started

__all__ = ["KINDS", "built_site", "describe", "measure", "shares"]

KINDS = ("text", "figures", "code", "tables", "folds", "headings", "space")
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
LOOK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
COLUMNS = ("first figure", "cells", "cut", "words", "kB", "phone", "formulas", "code", "sideways")


def built_site(root=ROOT):
    """Return the folder of the built book: that at the papers' values, otherwise that at the quick scale."""
    folders = [site_folder(root / "_build", scale) for scale in ("default", "quick")]
    found = next((folder for folder in folders if (folder / "index.html").is_file()), None)
    if found is None:
        raise ValueError(f"{folders[0]}: expected a built book, found none; make book, or make quick")
    return found


def shares(height, blocks):
    """Return which share of the article's height, in pixels, each of `KINDS` has; they add up to one if there is any.

    A block is its kind, where it begins and where it ends; one within another comes after it.

    >>> {kind: share for kind, share in shares(10, [("text", 0, 6), ("code", 2, 4)]).items() if share}
    {'text': 0.4, 'code': 0.2, 'space': 0.4}
    """
    rows = np.full(max(round(height), 0), KINDS.index("space"))
    for kind, top, bottom in blocks:
        rows[max(round(top), 0) : max(round(bottom), 0)] = KINDS.index(kind)
    counts = np.bincount(rows, minlength=len(KINDS))
    return {kind: float(count) / max(len(rows), 1) for kind, count in zip(KINDS, counts)}


def measure(site, names=None):
    """Return what pages of a site show, by their path in it: all pages but the one that only leads on to the first.

    Of each page it is `desk` and `phone`, what it shows at that size, and `bytes`, what is loaded for it.
    """
    site = Path(site).resolve()
    if names is None:
        paths = [path.relative_to(site) for path in site.rglob("*.html") if "_static" not in path.parts]
        names = sorted(path.as_posix() for path in paths if path != Path("index.html"))
    if missing := [name for name in names if not (site / name).is_file()]:
        raise ValueError(f"{site}: expected the pages {', '.join(missing)}, found none; make book, or make quick")
    found = {}
    with started() as browser, Progress(len(names), 0, unit="page") as progress:
        context = browser.new_context()
        context.set_default_timeout(1000 * PATIENCE)
        for name in names:
            page, loaded = context.new_page(), set()
            page.set_viewport_size(dict(zip(("width", "height"), SIZES["desk"])))
            page.on("request", lambda request, loaded=loaded: loaded.add(request.url))
            page.goto((site / name).as_uri())
            desk, weight = _seen(awaited(page, LOOK)), sum(map(_size, loaded))
            page.set_viewport_size(dict(zip(("width", "height"), SIZES["phone"])))
            found[name] = {"desk": desk, "phone": _seen(awaited(page, LOOK)), "bytes": weight}
            page.close()
            progress.report(name, failed=False, seconds=None)
    return found


def _seen(look):
    """Return what is told of a page at one size."""
    first = look["firstFigure"]
    return {
        "height": look["page"],
        "article": round(look["article"]),
        "shares": {kind: round(share, 4) for kind, share in shares(look["article"], look["blocks"]).items()},
        "first figure": None if first is None else round(first),
        "words": look["words"],
        "code cells": look["codeCells"],
        "code blocks cut": look["codeCut"],
        "formulas cut": look["formulasCut"],
        "figures that scroll sideways": look["figuresSideways"],
    }


def _size(address):
    """Return the size of a file of the site; what is in the page itself has none of its own."""
    parts = urlsplit(address)
    return Path(unquote(parts.path)).stat().st_size if parts.scheme == "file" else 0


def describe(found, chapters=()):
    """Return the table of what `measure` found: the chapters in their order, their sum, then the other pages.

    It has shares in per cent of the article's height; where the first figure begins, marked where that is on the first
    screen; the cells with code in sight, and how many blocks of code are cut; what is cut on a phone.
    """
    chapters = [name for name in chapters if name in found]
    others = [name for name in found if name not in chapters]
    width = max([len("all chapters"), *map(len, found)]) + 1
    heading = f"{'':{width}}{'height':>8}" + "".join(f"{kind:>9}" for kind in KINDS)
    lines = [heading + "".join(f"{column:>{_wide(column)}}" for column in COLUMNS)]
    rows = {name: found[name] for name in chapters}
    if chapters:
        rows["all chapters"] = _together([found[name] for name in chapters])
    for name, page in (rows | {name: found[name] for name in others}).items():
        desk, phone, first = page["desk"], page["phone"], page["desk"]["first figure"]
        figure = "-" if first is None else f"{first}{'*' if first < SIZES['desk'][1] else ' '}"
        entries = [figure, desk["code cells"], desk["code blocks cut"], desk["words"], round(page["bytes"] / 1000)]
        entries += [phone[key] for key in ("height", "formulas cut", "code blocks cut", "figures that scroll sideways")]
        line = f"{name:{width}}{desk['height']:>8}" + "".join(f"{100 * desk['shares'][kind]:>8.1f}%" for kind in KINDS)
        lines.append(line + "".join(f"{entry:>{_wide(column)}}" for column, entry in zip(COLUMNS, entries)))
    lines.append(
        "Heights in pixels at 1440 x 900; * the first figure begins on the first screen; kB before compression. "
        "From phone on at 390 x 844: height, formulas cut without a sign, code blocks cut, figures that scroll sideways"
    )
    return "\n".join(lines)


def _wide(column):
    return max(len(column), 6) + 2


def _together(pages):
    """Return the sums over pages; the shares are those of all their articles, one below the other."""
    total = {"bytes": sum(page["bytes"] for page in pages)}
    for size in SIZES:
        seen = [page[size] for page in pages]
        sums = {key: sum(one[key] for one in seen) for key in seen[0] if key not in ("shares", "first figure")}
        whole = max(sums["article"], 1)
        parts = {kind: sum(one["shares"][kind] * one["article"] for one in seen) / whole for kind in KINDS}
        total[size] = sums | {"shares": parts, "first figure": None}
    return total
