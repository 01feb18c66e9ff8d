"""Arrays of an ONNX file: what each says about itself is compared with what is there before an array is made."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from capacity_inspection.readers._bounded import declared_bytes, quoted, regular_file

__all__ = ["tensor_array"]

_SIZES = ("8", "16", "32", "64")
_TYPES = (
    "FLOAT",
    "DOUBLE",
    "FLOAT16",
    "BFLOAT16",
    "BOOL",
    *(sign + size for sign in ("INT", "UINT") for size in _SIZES),
)


def tensor_array(tensor: Any, folder: Path, memory: int) -> np.ndarray:
    """Return the array of a tensor, whose data may be in a file beside the model.

    Parameters
    ----------
    tensor : onnx.TensorProto
    folder : Path
        Of the model; data outside of it are not read.
    memory : int
        Bytes that the array may have.

    Returns
    -------
    ndarray
        Read only. Numbers of 16 bits become float32.
    """
    from onnx import TensorProto, helper, numpy_helper

    name = f"the array {quoted(tensor.name)}"
    kind = TensorProto.DataType.Name(tensor.data_type) if tensor.data_type in TensorProto.DataType.values() else "?"
    if kind not in _TYPES:
        raise ValueError(
            f"path: expected arrays of real numbers, got {name} of type {kind}; convert the weights to FLOAT where the "
            "file was written"
        )
    field, dtype = helper.tensor_dtype_to_field(tensor.data_type), helper.tensor_dtype_to_np_dtype(tensor.data_type)
    itemsize = dtype.itemsize
    shape = tuple(int(size) for size in tensor.dims)
    size = declared_bytes(shape, itemsize, "path", name, memory)
    if tensor.data_location == TensorProto.EXTERNAL:
        array = _external(tensor, dtype, shape, size, folder, name)
    else:
        found = len(tensor.raw_data) if tensor.HasField("raw_data") else len(getattr(tensor, field)) * itemsize
        if found != size or tensor.HasField("segment"):
            raise ValueError(
                f"path: expected {math.prod(shape)} numbers in {name} of shape {shape}, got {found // itemsize}; write "
                "the file again"
            )
        array = numpy_helper.to_array(tensor)
    array = np.asarray(array.astype(np.float32) if kind in ("FLOAT16", "BFLOAT16") else array).view()
    array.flags.writeable = False
    return array


def _external(tensor, dtype, shape, size, folder, name):
    """Array whose data are a part of another file, given by its place below the folder, offset and length."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    try:
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", size))
    except ValueError as error:
        raise ValueError(
            f"path: expected whole numbers as offset and length of {name}, got {quoted(entries)}; write the file again"
        ) from error
    try:
        base = folder.resolve()
        place = (base / location).resolve()
        inside = bool(location) and place != base and place.is_relative_to(base)
    except (OSError, ValueError, RuntimeError):  # of a name that no file can have, or links that lead in a circle
        inside = False
    if not inside:
        raise ValueError(
            f"path: expected data in the folder of the file, got {name} in {quoted(location)}; put both in one folder"
        )
    _, there = regular_file(place, "path", 2**63)
    if length != size or not 0 <= offset <= there - size:
        raise ValueError(
            f"path: expected {size} bytes of {name}, got {length} from byte {offset} in {quoted(location)}, which has "
            f"{there}; copy the data that belong to the file, or write both again"
        )
    with place.open("rb") as file:
        file.seek(offset)
        return np.fromfile(file, dtype, math.prod(shape)).reshape(shape)
