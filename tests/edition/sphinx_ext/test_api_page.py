"""The page of the programming interface: every room with all its names, formulas as they stand."""

import pytest

import capacity
from edition.sphinx_ext.api_page import escape_formulas, listing


def test_every_room_is_listed_with_its_names():
    text = listing()
    for room in (capacity.linalg, capacity.statistics, capacity.figures):
        assert text.count(f".. automodule:: {room.__name__}\n") == 1
    assert text.count(".. autofunction:: capacity.linalg.orthonormal_basis\n") == 1
    assert text.count(".. autoclass:: capacity.linalg.Basis\n   :members:\n") == 1


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("rates t a_+ and |k - j|", r"rates t a\_+ and \|k - j\|"),
        ("a*b of `a*b` and *words*", r"a\*b of `a*b` and *words*"),
        (">>> 2 * 3", ">>> 2 * 3"),
    ],
)
def test_formulas_are_no_markup(line, shown):
    lines = [line]
    escape_formulas(None, "function", "name", None, None, lines)
    assert lines == [shown]
