"""Which names of a cell are defined where a page shows the code at another place."""

import pytest

from edition.sphinx_ext.definitions import defined_elsewhere


@pytest.mark.parametrize(
    ("before", "code", "names"),
    [
        ("a, b = 1, 2", "print(b)", ["b"]),
        ("for a in []:\n    b = 1", "print(b, a)", ["a", "b"]),
        ("def a(): pass", "a()", ["a"]),
        ("x = [a for a in []]", "print(a)", []),
        ("a = lambda b: b", "print(b)", []),
        ("a = 1", "a = 2\nprint(a)", []),
        ("a = 1", "[a for a in []]", []),
        ("%matplotlib", "print(a)", []),
        ("a = 1", "%matplotlib", []),
    ],
)
def test_what_the_code_before_leaves_and_the_cell_does_not_define_itself_is_found(before, code, names):
    assert defined_elsewhere([(before, "check"), (code, None)]) == [{}, dict.fromkeys(names, "check")]


def test_the_last_definition_counts():
    cells = [("a = 1", "first"), ("a = 2", "second"), ("a", None), ("a = 3", None), ("a", None)]
    assert defined_elsewhere(cells)[2::2] == [{"a": "second"}, {}]
