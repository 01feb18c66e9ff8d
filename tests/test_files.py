"""A file is written as a whole or not at all."""

import os
import stat
import threading

import pytest

from capacity._files import write_atomically


@pytest.mark.parametrize(("content", "expected"), [("é\n", "é\n".encode()), (b"\x00\xff", b"\x00\xff"), ("", b"")])
def test_text_and_bytes_are_written_as_they_are_and_folders_are_made(tmp_path, content, expected):
    path = tmp_path / "new" / "folder" / "file.txt"
    assert write_atomically(path, content) == path
    assert path.read_bytes() == expected
    assert list(path.parent.iterdir()) == [path]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "written", "content")
    assert len({stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "written")}) == 1


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_content_and_no_other_file(tmp_path, monkeypatch, step):
    def full(*_, **__):
        raise OSError(28, os.strerror(28))

    path = write_atomically(tmp_path / "file.txt", "old")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left") as told:
        write_atomically(path, "new")
    assert told.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_content_is_refused_before_anything_is_replaced(tmp_path):
    path = write_atomically(tmp_path / "file.txt", "old")
    with pytest.raises(TypeError):
        write_atomically(path, 3)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_readers_see_one_content_as_a_whole_while_many_write(tmp_path):
    path, contents = tmp_path / "file.txt", [str(n) * 100_000 for n in range(4)]
    write_atomically(path, contents[0])
    threads = [threading.Thread(target=lambda c=c: [write_atomically(path, c) for _ in range(5)]) for c in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert path.read_text() in contents
    assert list(tmp_path.iterdir()) == [path]
