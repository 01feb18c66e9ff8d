"""The page of the programming interface: every module on its floor, formulas as they stand."""

import pytest

from edition.floors import modules
from edition.sphinx_ext.api_page import escape_formulas, listing


def test_every_module_is_listed_with_its_first_sentence():
    text = listing()
    assert [text.count(f".. automodule:: capacity.{name}\n") for name in modules()] == [1] * len(modules())
    assert "- {py:mod}`capacity.scaling`: Power laws: exponents read off a log-log plot, with" in text


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
