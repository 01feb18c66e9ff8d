"""What a file says about sizes is compared with a limit by integers of any size, before anything is read."""

import os

import pytest

from capacity_inspection.readers._bounded import check_bytes, declared_bytes, in_words, quoted, regular_file


def test_a_file_is_measured_and_not_read(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(2**40)  # of zeros that take no place
    assert regular_file(large, "path", 2**40) == (large, 2**40)
    with pytest.raises(
        ValueError, match=r"path: expected at most 1 GiB, got the file .*large' of 1 TiB; .*memory=1099"
    ):
        regular_file(str(large), "path", 2**30)


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(ValueError, match=r"path: expected a file, got .* which is none"):
            regular_file(path, "path", 2**30)
    with pytest.raises(FileNotFoundError, match="which does not exist"):
        regular_file(tmp_path / "none", "path", 2**30)
    with pytest.raises(ValueError, match="that can be read"):
        regular_file("a\0b", "path", 2**30)
    with pytest.raises(TypeError, match="path: expected the path of a file, got NoneType"):
        regular_file(None, "path", 2**30)


def test_declared_sizes_do_not_overflow():
    assert declared_bytes((2, 3, 4), 8, "path", "an array", 192) == 192
    assert declared_bytes((2**40, 0), 8, "path", "an array", 1) == 0
    with pytest.raises(ValueError, match="expected at most 1 GiB, got an array of 512 TiB"):
        declared_bytes((2**23, 2**23), 8, "path", "an array", 2**30)
    with pytest.raises(ValueError, match=r"an array of 2\^129 bytes"):
        declared_bytes((2**63, 2**63), 8, "path", "an array", 2**30)


@pytest.mark.parametrize("shape", [(-1,), (2, -3, -4), (True,), (1.5,), (1,) * 33, ("3",)])
def test_a_shape_that_is_none_is_refused(shape):
    with pytest.raises(ValueError, match="path: expected sizes >= 0 along at most 32 axes, got an array"):
        declared_bytes(shape, 4, "path", "an array", 2**30)


def test_exactly_what_is_allowed_passes():
    check_bytes(100, "path", "arrays", 100)
    with pytest.raises(ValueError, match="path: expected at most 100 bytes, got arrays of 101 bytes"):
        check_bytes(101, "path", "arrays", 100)


def test_what_a_file_says_becomes_one_short_line():
    assert quoted("a\nb\x1b[2J") == r"'a\nb\x1b[2J'"
    assert len(quoted("long" * 1000)) == 120
    assert [in_words(size) for size in (7, 2048, 3 * 2**20)] == ["7 bytes", "2 KiB", "3 MiB"]
