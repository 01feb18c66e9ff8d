"""The commit that a book is made from: it is written into the pages when they are published.

On most pages it is all that a commit changes. Until they are published it is words that stand nowhere else, so that a
commit, and the first change after it, make no page anew but those that read `ORIGIN` themselves.
"""

import json
from pathlib import Path

__all__ = ["ORIGIN", "awaiting", "fill_in", "staged_origin"]

ORIGIN = "origin.json"  # in a staged book, what `edition.metadata.origin` returned
COMMIT, CHANGES = "commitofthisbook", " andwhatchangedsince"  # the second is left out of addresses


def awaiting(shared):
    """Return what a build says of its origin, with words that await the commit in its place, if there is one."""
    return shared | {"commit": COMMIT + CHANGES} if "commit" in shared else shared


def staged_origin(folder):
    """Return what a staged book says of its origin; nothing where it was not staged by the edition."""
    path = Path(folder) / ORIGIN
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def fill_in(folder, shared):
    """Write the commit into the pages of a site, and into its other files of text at the root."""
    commit, space, changes = shared.get("commit", "").partition(" ")
    for path in [*Path(folder).rglob("*.html"), *Path(folder).glob("*.json")]:
        text = path.read_bytes()
        if COMMIT.encode() in text:
            text = text.replace(CHANGES.encode(), (space + changes).encode()).replace(COMMIT.encode(), commit.encode())
            path.write_bytes(text)
