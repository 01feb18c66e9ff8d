"""What the edition is called, whose it is and how it is cited, all of it from CITATION.cff.

Addresses, DOI and date are optional there: whatever shows them leaves out those that are not known.
"""

import subprocess
from pathlib import Path
from urllib.parse import quote, urlsplit

from edition.book import ROOT, read_yaml

__all__ = ["as_text", "binder", "edition_entry", "figure_entry", "hosted", "origin", "pages_at"]

SOURCE = "CITATION.cff"
REQUIRED = ("title", "authors", "version")
_TEXT = {"check": True, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}


def origin(root=ROOT):
    """Return what a build says of its origin: title, authors, version, addresses, and the commit of a checkout."""
    found = read_yaml(Path(root) / SOURCE)
    if missing := [key for key in REQUIRED if not found.get(key)]:
        raise ValueError(f"{SOURCE}: expected {', '.join(REQUIRED)}, got no {' and no '.join(missing)}; give it")
    released = str(found.get("date-released") or "")
    known = {
        "doi": found.get("doi"),
        "url": found.get("url") or found.get("repository-code"),
        "repository": found.get("repository-code"),
        "index": found.get("repository-artifact"),
        "date-released": released,
        "commit": _commit(root),
    }
    shared = {
        "title": found["title"],
        "authors": [_inverted(author) for author in found["authors"]],
        "version": str(found["version"]),
        "year": released[:4] or str(read_yaml(Path(root) / "_config.yml").get("copyright", "")),
    }
    return shared | {key: value for key, value in known.items() if value}


def binder(repository, commit="HEAD", chapter="intro"):
    """Return the address at which Binder opens a chapter of a repository's commit as a notebook."""
    parts = urlsplit(repository.removesuffix("/").removesuffix(".git"))
    place = f"gh{parts.path}" if parts.netloc == "github.com" else f"git/{quote(parts.geturl(), safe='')}"
    return f"https://mybinder.org/v2/{place}/{commit}?urlpath=lab/tree/chapters/{chapter}.md"


def hosted(shared, path, line=None):
    """Return the address of a file, and of a line of its text, where the project is hosted; None if it is not known.

    >>> hosted({"repository": "https://github.com/a/b", "commit": "1f2e with changes"}, "chapters/intro.md", 12)
    'https://github.com/a/b/blob/1f2e/chapters/intro.md?plain=1#L12'
    """
    if "repository" not in shared:
        return None
    address = f"{shared['repository']}/blob/{shared.get('commit', 'HEAD').split()[0]}/{path}"
    return address if line is None else f"{address}?plain=1#L{line}"


def pages_at(shared):
    """Return the address of the pages with a slash at its end, None while it is not set apart from the repository's."""
    address = shared.get("url")
    return f"{address.rstrip('/')}/" if address and address != shared.get("repository") else None


def edition_entry(shared):
    """Return the BibTeX entry of the edition from what `origin` returns."""
    return _entry("capacity-allocation", _edition_fields(shared))


def figure_entry(record, number, shared):
    """Return the BibTeX entry of a figure; `number` is the one that it carries in the book."""
    place = f"chapters/{record['chapter']}.md, figure {record['name']}"
    fields = _edition_fields(shared)
    fields["title"] = f"{{Figure {number}}} in: {fields['title']}"
    fields["note"] = ", ".join(text for text in (place, fields["note"]) if text)
    return _entry(record["name"], fields)


def as_text(authors, year, title, rest):
    """Return a reference as a sentence; `year` and parts of `rest` may be empty."""
    head = f"{'; '.join(authors)}{f' ({year})' if year else ''}"
    return ". ".join([head.removesuffix("."), title, ", ".join(part for part in rest if part)]) + "."


def _edition_fields(shared):
    return {
        "author": " and ".join(name if "," in name else f"{{{name}}}" for name in shared["authors"]),
        "title": f"{{{shared['title']}}}",
        "version": shared["version"],
        "year": shared.get("year"),
        "doi": shared.get("doi"),
        "url": shared.get("url"),
        "note": f"commit {shared['commit']}" if "commit" in shared else "",
    }


def _entry(key, fields):
    """Return a BibTeX entry without the fields that are not known; every style knows @misc."""
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items() if text)
    return f"@misc{{{key},\n{lines}}}"


def _inverted(author):
    """Return the name of an author as bibliographies sort it: that of a group, or of a person the family name first."""
    return f"{author['family-names']}, {author['given-names']}" if "family-names" in author else author["name"]


def _commit(root):
    """Return the commit of a checkout, with a note if files differ from it, and None outside of a checkout."""
    git = ["git", "-C", str(root)]
    try:
        top, commit = subprocess.run([*git, "rev-parse", "--show-toplevel", "HEAD"], **_TEXT).stdout.split("\n")[:2]
        changed = subprocess.run([*git, "status", "--porcelain"], **_TEXT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}{' with changes' if changed else ''}" if Path(top) == Path(root).resolve() else None
