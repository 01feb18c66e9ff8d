"""What code refers to: names that it imports and uses, wherever they stand, and code in strings; but no words."""

import ast

import pytest

from edition.execution.source_code import read_code


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b", {"a.b"}),
        ("import a.b\na.b.c()", {"a.b", "a.b.c.*"}),
        ("import a.b as c\nc.d", {"a.b", "a.b.d.*"}),
        ("from a import b as c\nprint(c)", {"a.b", "a.b.*"}),
        ("from a import *", {"a.*"}),
        ("def f():\n    from a import b\n\n    return [b.c for _ in b.d.e]", {"a.b", "a.b.c.*", "a.b.d.e.*"}),
        ("from a import b\nf(b).c", {"a.b", "a.b.*"}),
        ("from a import b\neval(text)", {"a.b", "a.b.*"}),
        ("code = 'from a import b as c, d; import e as f'", {"a.b.*", "a.d.*", "e.*", "as.*", "f.*"}),
        ("code = 'from a import (b'", {"a.*.*"}),
        ("f('a.b')", {"a.b.*"}),
        ("f('a.b.')", {"a.b.**"}),
        ("files('a.b')", {"a.b"}),
        ("import_module('a')", {"a.*"}),
        ("import_module(f'a.{b}')", {"a.**"}),
        ("import_module(b)", {"**"}),
        ("%magic\nimport a", {"a"}),
        ("no code at all", {"**"}),
        ('"""import a"""\n# import b\nf("a word, and other words")', set()),
    ],
)
def test_names_are_found_in_the_text(source, names):
    assert read_code(source).names == names


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from . import b", {"b": {"a.room.b"}}),
        ("from .c import b", {"b": {"a.room.c.b"}}),
        ("from ..c import b as d", {"d": {"a.c.b"}}),
        ("from x import b\nfrom y import b", {"b": {"x.b", "y.b"}}),
        ("import x.y, x.z as z", {"x": {"x"}, "z": {"x.z"}}),
    ],
)
def test_a_name_may_stand_for_all_that_is_imported_under_it(source, expected):
    assert read_code(source, "a.room").bindings == expected


def test_what_others_hang_on_the_nodes_that_all_trees_share_is_not_followed(monkeypatch):
    shared = ast.parse("a + 1").body[0].value.op
    monkeypatch.setattr(shared, "parent", ast.parse("import b"), raising=False)
    assert read_code("import a\na + 1").names == {"a", "a.*"}


CODE = 'def f(a):\n    """Words."""\n    return a + 1  # more\n'


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("Words.", "Other words.", True),
        ('    """Words."""\n', "", True),
        ("  # more", "", True),
        ("a + 1", "(a +\n        1)", True),
        ("a + 1", "a + 2", False),
        ("(a)", "(a=1)", False),
    ],
)
def test_the_digest_is_that_of_the_code_without_words_and_layout(old, new, same):
    assert old in CODE
    assert (read_code(CODE.replace(old, new)).digest == read_code(CODE).digest) is same
