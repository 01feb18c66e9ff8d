"""Files of a built book: read, or refused by name."""

import pytest

from edition.verification.built import read_json


def test_a_file_is_read(tmp_path):
    (tmp_path / "claims.json").write_text('{"a": "é"}', encoding="utf-8")
    assert read_json(tmp_path / "claims.json") == {"a": "é"}


@pytest.mark.parametrize("content", [b"", b'{"a": ', b"\xff", b"[" * 99999])
def test_a_damaged_file_is_named_with_the_remedy(tmp_path, content):
    (tmp_path / "claims.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"claims\.json: expected JSON, .*; fetch or build that copy again$"):
        read_json(tmp_path / "claims.json")
