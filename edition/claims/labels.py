"""Labels of equations, figures and statements that carry the number of a paper, such as ``linear-eq-16``."""

import re

__all__ = ["NUMBERED", "OWN", "PAPERS", "SOURCES", "group_of", "paper_number", "place_in_paper"]

PAPERS = {"linear": "paper 1", "layers": "paper 2", "expressivity": "the survey", "geometry": "the slides"}
OWN = "this book"
SOURCES = {"paper 1": "Paper 1", "paper 2": "Paper 2", "others": "Companions' sources", OWN: "This book itself"}
NUMBERED = {
    "eq": "Equation ({})",
    "def": "Definition {}",
    "prop": "Property {}",
    "thm": "Theorem {}",
    "conj": "Conjecture {}",
    "fig": "Figure {}",
    "table": "Table {}",
    "sec": "Section {}",
    "app": "Appendix {}",
}
_NUMBER = r"(?:[a-z]|(?:[a-z]-)?\d+[a-z]?(?:-\d+)*)"
PAPER_LABEL = re.compile(rf"(?:{'|'.join(PAPERS)})-(?:{'|'.join(NUMBERED)})-({_NUMBER})")


def group_of(source):
    """Return which of the `SOURCES`, whose verdicts are counted apart, a claim's source is.

    >>> group_of("paper 1, Equation (6)"), group_of("the survey, Section 2"), group_of("this book")
    ('paper 1', 'others', 'this book')
    """
    first = source.partition(",")[0]
    return first if first in SOURCES else "others"


def paper_number(label):
    """Return the number in a label, after the letter of the appendix if there is one; None if it is no paper's label.

    >>> paper_number("linear-eq-16"), paper_number("layers-fig-3a"), paper_number("layers-eq-a-2")
    ('16', '3a', 'A.2')
    >>> paper_number("linear-app-a"), paper_number("linear-sec-5-1-4")
    ('A', '5.1.4')
    >>> {paper_number(label) for label in ("linear-sums-2", "linear-eq-", "other-eq-1", "linear-eq-1-")}
    {None}
    """
    match = PAPER_LABEL.fullmatch(label)
    if match is None:
        return None
    first, *others = match[1].split("-")
    return ".".join([first.upper() if first.isalpha() else first, *others])


def place_in_paper(label):
    """Return where a paper has what a label stands for, in words; None if it is no paper's label.

    >>> place_in_paper("layers-fig-3a")
    'paper 2, Figure 3a'
    """
    if (number := paper_number(label)) is None:
        return None
    paper, kind, _ = label.split("-", 2)
    return f"{PAPERS[paper]}, {NUMBERED[kind].format(number)}"
