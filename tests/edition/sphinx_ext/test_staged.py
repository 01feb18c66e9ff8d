"""What the edition puts beside the pages is read, and is missing where the book is built without it."""

from types import SimpleNamespace

from edition.sphinx_ext.staged import staged


def test_a_file_is_read_and_none_stands_for_one_that_is_not_there(tmp_path):
    (tmp_path / "claims.json").write_text('{"claims": ["é"]}', encoding="utf-8")
    env = SimpleNamespace(srcdir=str(tmp_path))
    assert staged(env, "claims.json") == {"claims": ["é"]}
    assert staged(env, "receipt.json") is None
