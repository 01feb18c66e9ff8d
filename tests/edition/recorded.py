"""What the book's chapters are recorded to say: their references at the quick scale."""

import ast
import re

from edition.book import ROOT, book
from edition.verification.chapter_references import FOLDER


def verdicts_of_the_references():
    """Return the verdict of each claim of the book by its id, from what the chapters' tests compare with."""
    found = {}
    for path in (ROOT / FOLDER).rglob("*.json"):
        found |= re.findall(r'"([a-z]+/\S+) \| . ([a-z ]+?)(?: \||")', path.read_text(encoding="utf-8"))
    return found


def kinds_of_the_claims():
    """Return the kind of each claim of the book by a pattern of its id, from the code of the chapters."""
    cells = [cell for chapter in book(ROOT).values() for cell in chapter.notebook()[0].cells]
    calls = [node for cell in cells if cell.cell_type == "code" for node in ast.walk(ast.parse(cell.source))]
    found = {}
    for call in calls:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "claim":
            parts = getattr(call.args[0], "values", [call.args[0]])  # of a formatted string
            pattern = "".join(re.escape(part.value) if isinstance(part, ast.Constant) else r"[\w-]+" for part in parts)
            found[re.compile(pattern)] = next(keyword.value.value for keyword in call.keywords if keyword.arg == "kind")
    return found
