"""What the chapters of the book state."""

from edition.book import book
from edition.claims.statements import statements


def claims():
    """Return the claims of the book, without evidence."""
    cells = [cell for chapter in book().values() for cell in chapter.notebook()[0].cells]
    return [claim for cell in cells if cell.cell_type != "code" for claim in statements(cell.source)]


def verdicts():
    """Return the verdict of each claim of the book by its id."""
    return {claim.id: claim.verdict for claim in claims()}
