"""What the book's chapters are recorded to say: their references at the quick scale."""

import re

import nbformat

from edition.book import ROOT


def verdicts_of_the_references():
    """Return the verdict of each claim of the book by its id, from what the chapters' tests compare with."""
    found = {}
    for path in (ROOT / "tests" / "chapters").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                text = "".join(output.get("data", {}).get("text/plain", ""))
                if match := re.match(r"([a-z]+/\S+) \| . ([a-z ]+?)(?: \||$)", text):
                    found[match[1]] = match[2]
    return found
