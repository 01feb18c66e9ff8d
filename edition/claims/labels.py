"""Labels of equations, figures and statements that carry the number of a paper, such as ``linear-eq-16``."""

import re

from edition.claims.claim import NUMBERED, PAPERS

__all__ = ["paper_number"]

PAPER_LABEL = re.compile(rf"(?:{'|'.join(PAPERS)})-(?:{'|'.join(NUMBERED)})-(?:([a-z])-)?(\d+[a-z]?(?:-\d+)*)")


def paper_number(label):
    """Return the number in a label, after the letter of the appendix if there is one; None if it is no paper's label.

    >>> paper_number("linear-eq-16"), paper_number("layers-fig-3a"), paper_number("layers-eq-a-2")
    ('16', '3a', 'A.2')
    >>> paper_number("linear-sums-2") is None
    True
    """
    match = PAPER_LABEL.fullmatch(label)
    if match is None:
        return None
    appendix, number = match.groups(default="")
    return ".".join(filter(None, [appendix.upper(), *number.split("-")]))
