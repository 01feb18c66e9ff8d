"""What the chapters of the book state."""

from edition.book import book
from edition.claims.claim import statements


def verdicts():
    """Return the verdict of each claim of the book by its id."""
    cells = [cell for chapter in book().values() for cell in chapter.notebook()[0].cells]
    return {claim.id: claim.verdict for cell in cells if cell.cell_type != "code" for claim in statements(cell.source)}
