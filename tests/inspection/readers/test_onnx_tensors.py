"""Arrays of an ONNX file are what the library says they are, wherever their data are; others are refused."""

import os

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data

from capacity_inspection.readers._onnx_tensors import tensor_array

REAL = [
    "float32",
    "float64",
    "float16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
]
VALUES = np.array([[0, 1, 2], [100, 1, 3]])


def outside(folder, data, *, shape=(4,), kind=TensorProto.FLOAT, location="weights.bin", **entries):
    """A tensor whose data are in another file of a folder."""
    tensor = TensorProto(name="w", data_type=kind, dims=shape)
    tensor.raw_data = b""
    set_external_data(tensor, location, **entries)
    tensor.ClearField("raw_data")
    if data is not None:
        (folder / "weights.bin").write_bytes(data)
    return tensor


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("raw", [True, False])
def test_an_array_of_each_type_is_as_the_library_reads_it(tmp_path, name, raw):
    array = VALUES.astype(name)
    tensor = numpy_helper.from_array(array, "w")
    if not raw:
        tensor = helper.make_tensor("w", tensor.data_type, array.shape, array.ravel())
    found = tensor_array(tensor, tmp_path, 10**6)
    assert found.dtype == ("float32" if name == "float16" else name)
    assert not found.flags.writeable
    np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("name", REAL)
def test_data_in_a_file_beside_the_model_are_found_there(tmp_path, name):
    array = VALUES.astype(name)
    kind = numpy_helper.from_array(array).data_type
    tensor = outside(tmp_path, b"before" + array.tobytes(), shape=(2, 3), kind=kind, offset=6, length=array.nbytes)
    np.testing.assert_array_equal(tensor_array(tensor, tmp_path, 10**6), array)


def test_numbers_of_type_bfloat16_become_float32_inside_and_outside(tmp_path):
    exact = np.array([1.0, -2.5, 2.0**-100, 3.0], dtype=np.float32)
    halves = (exact.view(np.uint32) >> 16).astype("<u2").tobytes()
    inside = TensorProto(name="w", data_type=TensorProto.BFLOAT16, dims=[4], raw_data=halves)
    for tensor in (inside, outside(tmp_path, halves, kind=TensorProto.BFLOAT16)):
        found = tensor_array(tensor, tmp_path, 10**6)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, exact)


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (TensorProto(name="w", data_type=1, dims=[3], raw_data=bytes(8)), r"expected 3 numbers in .* got 2"),
        (TensorProto(name="w", data_type=1, dims=[3], float_data=[1, 2, 3, 4]), r"expected 3 numbers in .* got 4"),
        (TensorProto(name="w", data_type=1, dims=[2**40, 2**40]), r"of 2\^82 bytes; no such thing"),
        (TensorProto(name="w", data_type=1, dims=[-1], raw_data=b""), r"expected sizes >= 0"),
        (TensorProto(name="w", data_type=8, dims=[1], string_data=[b"a"]), r"of type STRING"),
        (TensorProto(name="w", data_type=14, dims=[1]), r"of type COMPLEX64; convert"),
        (TensorProto(name="w", data_type=77, dims=[1]), r"of type \?"),
        (TensorProto(name="w", dims=[1]), r"of type UNDEFINED"),
        (TensorProto(name="w\n" * 200, data_type=1, dims=[1]), r"^[^\n]{,400}$"),
    ],
)
def test_an_array_that_contradicts_itself_is_refused(tmp_path, tensor, message):
    with pytest.raises(ValueError, match=message):
        tensor_array(tensor, tmp_path, 10**6)


def test_an_array_larger_than_is_allowed_is_refused_wherever_it_is(tmp_path):
    large = numpy_helper.from_array(np.zeros(100, np.float32), "w")
    for tensor in (large, outside(tmp_path, bytes(400), shape=(100,))):
        assert tensor_array(tensor, tmp_path, 400).shape == (100,)
        with pytest.raises(ValueError, match="expected at most 399 bytes, got the array 'w' of 400 bytes"):
            tensor_array(tensor, tmp_path, 399)


@pytest.mark.parametrize("location", ["../secret", "/etc/passwd", "", ".", "link", "folder/../../secret", "a\0b"])
def test_data_outside_the_folder_are_not_read(tmp_path, location):
    (tmp_path / "secret").write_bytes(bytes(16))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(ValueError, match="expected data in the folder of the file"):
        tensor_array(outside(folder, None, location=location), folder, 10**6)


def test_links_that_stay_inside_or_lead_in_a_circle(tmp_path):
    (tmp_path / "inside").symlink_to("weights.bin")
    tensor = outside(tmp_path, np.arange(4, dtype=np.float32).tobytes(), location="inside")
    np.testing.assert_array_equal(tensor_array(tensor, tmp_path, 10**6), range(4))
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(ValueError, match="path: expected"):
        tensor_array(outside(tmp_path, None, location="circle"), tmp_path, 10**6)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"length": 20}, "expected 16 bytes of the array 'w', got 20 from byte 0"),
        ({"length": 12}, "expected 16 bytes of the array 'w', got 12"),
        ({"offset": 4}, "got 16 from byte 4 in 'weights.bin', which has 16"),
        ({"offset": -4}, "got 16 from byte -4"),
        ({"offset": 2**63}, "got 16 from byte 9223372036854775808"),
        ({"offset": "four"}, "expected whole numbers as offset and length"),
    ],
)
def test_data_that_do_not_fit_their_file_are_refused(tmp_path, entries, message):
    tensor = outside(tmp_path, bytes(16))
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    with pytest.raises(ValueError, match=message):
        tensor_array(tensor, tmp_path, 10**6)


def test_data_in_no_file_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="which does not exist"):
        tensor_array(outside(tmp_path, None), tmp_path, 10**6)
    os.mkfifo(tmp_path / "weights.bin")
    with pytest.raises(ValueError, match="which is none"):
        tensor_array(outside(tmp_path, None), tmp_path, 10**6)
