"""Weights are read as others wrote them; files that are cut short, contradict themselves or lie are refused."""

import io
import json
import pickle
import struct
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save_file

from capacity_inspection.readers import read_weights

TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
WEIGHTS = st.dictionaries(
    st.from_regex(r"[a-z0-9_]{1,5}(\.[a-z0-9_]{1,5})?", fullmatch=True).filter(lambda name: name != "file"),
    hnp.arrays(st.sampled_from(TYPES), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)),
    max_size=4,
)
WRITERS = {
    "savez": lambda path, arrays: np.savez(path, **arrays),
    "transposed": lambda path, arrays: np.savez(path, **{name: np.copy(a, order="F") for name, a in arrays.items()}),
    "compressed": lambda path, arrays: np.savez_compressed(path, **arrays),
    "safetensors": lambda path, arrays: save_file(arrays, path, metadata={"by": "a test"}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("weights")


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert (found[name].dtype, found[name].shape) == (np.asarray(array).dtype, np.shape(array))
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("writer", WRITERS)
@given(arrays=WEIGHTS)
def test_arrays_are_read_as_libraries_wrote_them_within_the_memory_that_they_take_and_no_less(folder, writer, arrays):
    path = folder / "weights.npz"
    WRITERS[writer](path, arrays)
    memory = max(path.stat().st_size, sum(array.nbytes for array in arrays.values()))
    same(read_weights(path, memory=memory), arrays)
    with pytest.raises(ValueError, match="path: expected at most"):
        read_weights(str(path), memory=memory - 1)


def test_bfloat16_becomes_float32_without_a_loss(tmp_path):
    exact = np.array([1.0, -2.5, 2.0**-100, 3.0], dtype=np.float32)  # have but seven digits each
    write(tmp_path / "x", {"a": ["BF16", [2, 2], [0, 8]]}, (exact.view(np.uint32) >> 16).astype("<u2").tobytes())
    same(read_weights(tmp_path / "x"), {"a": exact.reshape(2, 2)})


def write(path, entries, data, *, header=None, length=None):
    """A file of safetensors, with any header."""
    named = {name: dict(zip(("dtype", "shape", "data_offsets"), entry)) for name, entry in entries.items()}
    text = json.dumps(named).encode() if header is None else header
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + data)


@pytest.mark.parametrize(
    "entries",
    [
        {"a": ["F32", [2], [0, 4]]},
        {"a": ["F32", [2**40, 2**40], [0, 8]]},
        {"a": ["F32", [2**62, 0], [0, 0]]},
        {"a": ["F32", [-2], [0, 8]]},
        {"a": ["F32", [2], [8, 16]]},
        {"a": ["F32", [2], [0, 8]], "b": ["F32", [2], [0, 8]]},
        {"a": ["F32", [1], [0, 4]]},
        {"a": ["F32", [2], [-8, 0]]},
        {"a": ["F32", [2] + [1] * 100, [0, 8]]},
        {"a": ["F8_E4M3", [8], [0, 8]]},
        {"a": [["F32"], [2], [0, 8]]},
        {"a": ["F32", 2, [0, 8]]},
        {"a": ["F32", [2], [0, 8, 9]]},
        {"a": ["F32", [2]]},
    ],
)
def test_a_header_that_does_not_fit_what_follows_is_refused(tmp_path, entries):
    write(tmp_path / "x", entries, bytes(8))
    with pytest.raises(ValueError, match="path: expected") as error:
        read_weights(tmp_path / "x")
    assert "\n" not in str(error.value)


HEADERS = [b"{" * 100_000, b'{"a":' * 100_000, b"{\xff}", b'{"a": 3}', b'{"a": {"shape": ' + b"9" * 5000 + b"}}"]


@pytest.mark.parametrize("header", HEADERS, ids=["braces", "deep", "no text", "a number", "digits"])
def test_a_header_that_is_none_is_refused(tmp_path, header):
    write(tmp_path / "x", {}, b"", header=header)
    with pytest.raises(ValueError, match="path: expected") as error:
        read_weights(tmp_path / "x")
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("shape", [[2**62, 0], [0] * 100])
def test_an_array_that_numpy_cannot_have_is_refused(tmp_path, shape):
    write(tmp_path / "x", {"a": ["F32", shape, [0, 0]]}, b"")
    with pytest.raises(ValueError, match="path: expected"):
        read_weights(tmp_path / "x")


@pytest.mark.parametrize("length", [100, 2**31, 2**63])
def test_a_header_longer_than_the_file_is_refused(tmp_path, length):
    write(tmp_path / "x", {}, b"", length=length)
    with pytest.raises(ValueError, match="path: expected"):
        read_weights(tmp_path / "x")


def archive(path, members, **options):
    with zipfile.ZipFile(path, "w", **options) as file:
        for name, content in members:
            file.writestr(name, content)


def npy(array, **header):
    """An array as NumPy writes it, of which the header may say something else."""
    text = io.BytesIO()
    found = np.lib.format.header_data_from_array_1_0(np.asarray(array)) | header
    np.lib.format.write_array_header_1_0(text, found)
    return text.getvalue() + np.asarray(array).tobytes()


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([("a.npy", npy(np.ones(3), shape=(4,)))], r"expected 32 bytes in 'a.npy' .*, got 24"),
        ([("a.npy", npy(np.ones(3), shape=(2,)))], r"expected 16 bytes in 'a.npy' .*, got 24"),
        ([("a.npy", npy(np.ones(3), shape=(2**40, 2**40)))], r"of 2\^83 bytes"),
        ([("a.npy", npy(np.ones(3), shape=(-3,)))], r"expected sizes >= 0"),
        ([("a.npy", npy(np.array(["text"])))], r"expected numbers, got 'a.npy' of type '<U4'"),
        ([("a.npy", npy(np.ones(3))[:40])], r"without a header of one"),
        ([("a.npy", b"")], r"without a header of one"),
        ([("a.txt", b"text")], r"expected arrays of different names, got 'a.txt'"),
        ([("../a", b"text")], r"expected arrays of different names, got '../a'"),
    ],
)
def test_an_archive_of_something_else_is_refused(tmp_path, members, message):
    archive(tmp_path / "x.npz", members)
    with pytest.raises(ValueError, match=message) as error:
        read_weights(tmp_path / "x.npz")
    assert "\n" not in str(error.value)


class Trap:
    sprung = False

    def __reduce__(self):
        return setattr, (Trap, "sprung", True)


def test_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "x.npz", a=np.array([Trap()], dtype=object))
    with pytest.raises(ValueError, match="nothing is unpickled"):
        read_weights(tmp_path / "x.npz")
    (tmp_path / "y").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ValueError, match="begins like neither"):
        read_weights(tmp_path / "y")
    assert not Trap.sprung


def test_an_archive_that_unpacks_to_more_than_is_allowed_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, a=np.zeros(10**6), b=np.zeros(10**6))
    assert path.stat().st_size < 20_000
    assert sum(array.nbytes for array in read_weights(path, memory=16 * 10**6).values()) == 16 * 10**6
    with pytest.raises(ValueError, match=r"expected at most 15.26 MiB, got arrays of 15.26 MiB; .*memory=16000000"):
        read_weights(path, memory=16 * 10**6 - 1)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_packed_in_a_way_that_numpy_does_not_use_is_refused(tmp_path, method):
    archive(tmp_path / "x.npz", [("a.npy", npy(np.ones(3)))], compression=method)
    with pytest.raises(ValueError, match="packed otherwise"):
        read_weights(tmp_path / "x.npz")


def test_an_archive_with_a_long_list_of_members_is_refused_before_the_list_is_read(tmp_path):
    archive(tmp_path / "x.npz", [(f"{i:04}" + "n" * 60_000 + ".npy", b"") for i in range(40)])
    with pytest.raises(ValueError, match="list of members of at most"):
        read_weights(tmp_path / "x.npz")


def test_an_archive_of_many_arrays_is_read(tmp_path):
    arrays = {f"{'layer.' * 8}{k}": np.ones(1) for k in range(900)}  # their list is longer than 64 KiB
    np.savez(tmp_path / "x.npz", **arrays)
    same(read_weights(tmp_path / "x.npz"), arrays)


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_a_file_that_is_cut_short_anywhere_is_refused(tmp_path, kind):
    whole, part = tmp_path / "whole", tmp_path / "part"
    with whole.open("wb") as file:
        np.savez_compressed(file, a=np.arange(50.0), b=np.arange(7.0))
    if kind == "safetensors":
        save_file({"a": np.arange(50.0), "b": np.arange(7.0)}, whole)
    content = whole.read_bytes()
    for length in range(0, len(content), 7):
        part.write_bytes(content[:length])
        with pytest.raises(ValueError, match="path: expected"):
            read_weights(part)


def test_an_archive_whose_bytes_changed_is_refused_or_read_and_nothing_else(tmp_path):
    np.savez_compressed(tmp_path / "x.npz", a=np.arange(50.0))
    content = (tmp_path / "x.npz").read_bytes()
    for place in range(len(content)):
        (tmp_path / "y.npz").write_bytes(content[:place] + bytes([content[place] ^ 0x5A]) + content[place + 1 :])
        found = {}
        with suppress(ValueError):
            found = read_weights(tmp_path / "y.npz")
        assert all(array.nbytes <= 400 for array in found.values())
