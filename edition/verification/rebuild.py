"""Proof that the book can be made again: two builds from nothing, whose files are compared byte for byte."""

import re
import shutil
from filecmp import cmpfiles
from pathlib import Path

import click

from edition.publishing.build import build_book

__all__ = ["VARYING", "differences", "reproduce"]

VARYING = {  # what cannot be identical: it holds the seconds and the memory that chapters took
    "receipt.json": re.compile(r'"(?:seconds|megabytes)": [\d.]+'),
    "chapters/receipt.html": re.compile(r"<p>\d+\.\d</p>"),
}


def differences(first, second):
    """Return how many files two sites have in common, and what differs; what chapters took may."""
    sites = [
        {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()} for site in (first, second)
    ]
    same, other, unread = cmpfiles(first, second, sites[0] & sites[1], shallow=False)
    wrong = [f"DIFFERS: {name}" for name in sorted(other + unread) if not _lasting(name, first, second)]
    return len(same), wrong + [f"ONLY IN ONE: {name}" for name in sorted(sites[0] ^ sites[1])]


def _lasting(name, *sites):
    """Return whether a file is the same but for what is measured anew each time."""
    if name not in VARYING:
        return False
    texts = [VARYING[name].sub("", (site / name).read_text(encoding="utf-8")) for site in sites]
    return texts[0] == texts[1]


def reproduce(root, scale, build, *, jobs=2):
    """Build the book in ``reproduce/first`` and ``reproduce/second`` below a folder, and compare: see `differences`.

    The book that was built before stays as it is.
    """
    folder = Path(build) / "reproduce"
    shutil.rmtree(folder, ignore_errors=True)
    sites = []
    for name in ("first", "second"):
        click.echo(f"the {name} build")
        sites.append(build_book(root, scale, folder / name, jobs=jobs))
    return differences(*sites)
