"""Entries that readers copy: BibTeX and a sentence for the edition, its papers and its figures."""

__all__ = ["as_text", "edition_entry", "figure_entry", "paper_entry"]


def edition_entry(shared):
    """Return the BibTeX entry of the edition from what `edition.metadata.project.origin` returns."""
    return _entry("capacity-allocation", _edition_fields(shared))


def figure_entry(record, number, shared):
    """Return the BibTeX entry of a figure; `number` is the one that it carries in the book."""
    place = f"chapters/{record['chapter']}.md, figure {record['name']}"
    fields = _edition_fields(shared)
    fields["title"] = f"{{Figure {number}}} in: {fields['title']}"
    fields["note"] = ", ".join(text for text in (place, fields["note"]) if text)
    return _entry(record["name"], fields)


def paper_entry(paper):
    """Return the BibTeX entry of a paper."""
    authors = " and ".join(author.inverted for author in paper.authors)
    fields = {"author": authors, "title": f"{{{paper.title}}}", "year": str(paper.year), "url": paper.url}
    return _entry(paper.key, fields | {"eprint": paper.arxiv, "archiveprefix": "arXiv"})


def as_text(authors, year, title, rest):
    """Return a reference as a sentence; `year` and parts of `rest` may be empty."""
    head = f"{'; '.join(authors)}{f' ({year})' if year else ''}"
    return ". ".join([head.removesuffix("."), title, ", ".join(part for part in rest if part)]) + "."


def _edition_fields(shared):
    return {
        "author": " and ".join(name if "," in name else f"{{{name}}}" for name in shared["authors"]),
        "title": f"{{{shared['title']}}}",
        "version": shared["version"],
        "year": shared.get("year", ""),
        "doi": shared.get("doi"),
        "url": shared.get("url"),
        "note": f"commit {shared['commit']}" if "commit" in shared else "",
    }


def _entry(key, fields):
    """Return a BibTeX entry without the fields that are not known; every style knows @misc."""
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items() if text)
    return f"@misc{{{key},\n{lines}}}"
