"""Weights from files that hold nothing but arrays: NumPy's archives and safetensors. Nothing is unpickled.

What a file says about itself, the sizes of its parts and the shapes of its arrays, is compared with what is there and
with the memory that is allowed before an array is made.
"""

import struct
import zipfile
import zlib
from typing import Any

import numpy as np

from capacity._validation import check_integer, needing
from capacity_inspection.readers._bounded import (
    DEFAULT_MEMORY,
    check_bytes,
    declared_bytes,
    quoted,
    regular_file,
)

__all__ = ["read_weights"]

_DIRECTORY = 2**21  # bytes of an archive's list of members, some ten thousand of them
_END = struct.Struct("<4s4H2LH")  # of an archive: signature, numbers of disks and entries, size and place of the list
_REWRITE = "write the file again"
_TYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "BOOL": "?"},
    **{f"{sign}{8 * size}": f"<{kind}{size}" for sign, kind in [("I", "i"), ("U", "u")] for size in (1, 2, 4, 8)},
}


def read_weights(path: Any, *, memory: int = DEFAULT_MEMORY) -> dict[str, np.ndarray]:
    """Arrays of a file by name.

    Parameters
    ----------
    path : path-like
        A NumPy archive, ``.npz``, or a ``.safetensors`` file; which of the two is seen from its content.
    memory : int, optional
        Bytes that the file, and the arrays as it stores them, may have. Reading safetensors takes twice as much.

    Returns
    -------
    dict of str to ndarray
        In the order of the file. Numbers of type bfloat16, which NumPy does not have, become float32.

    Raises
    ------
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "layers.npz")
    ...     np.savez(file, kernel=np.zeros((16, 1, 2)))
    ...     read_weights(file)["kernel"].shape
    (16, 1, 2)
    """
    check_integer(memory, "memory", minimum=1, remedy="pass a number of bytes")
    path, size = regular_file(path, "path", memory)
    with path.open("rb") as file:
        start = file.read(9)
    if start.startswith(b"PK"):
        return _archive(path, size, memory)
    if len(start) == 9 and start.endswith(b"{"):
        return _safetensors(path)
    raise ValueError(
        f"path: expected a NumPy archive or a safetensors file, got {quoted(path)}, which begins like neither; convert "
        "it with the library that wrote it, numpy.savez(file, **weights) or safetensors' save_file"
    )


def _archive(path, size, memory):
    _check_directory(path, size)
    try:
        with zipfile.ZipFile(path) as archive:
            members = {}
            total = 0
            for entry in archive.infolist():
                name = entry.filename.removesuffix(".npy")
                if name == entry.filename or name in members:
                    raise ValueError(f"path: expected arrays of different names, got {quoted(entry.filename)}")
                total += _check_member(archive, entry, memory)
                check_bytes(total, "path", "arrays", memory)
                members[name] = entry
            return {name: _member(archive, entry) for name, entry in members.items()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError) as error:
        raise ValueError(f"path: expected a NumPy archive, got {quoted(path)}: {error}; {_REWRITE}") from error


def _check_directory(path, size):
    """Refuse an archive whose list of members is long: all of it is read when the archive is opened."""
    with path.open("rb") as file:
        start = file.seek(max(size - 2**16 - _END.size, 0))
        tail = file.read(2**16 + _END.size)
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        raise ValueError(f"path: expected a NumPy archive, got {quoted(path)}, which has no end; {_REWRITE}")
    length = _END.unpack_from(tail, at)[5]
    if length > min(_DIRECTORY, start + at) or tail[max(at - 20, 0) : at].startswith(b"PK\6\7"):
        raise ValueError(
            f"path: expected an archive with a list of members of at most {_DIRECTORY} bytes, got {quoted(path)}, "
            "whose list is longer or of another kind; save as safetensors, or in parts"
        )


def _check_member(archive, entry, memory):
    """Bytes of an array, which are those that its header announces, and those that the archive announces."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
        raise ValueError(
            f"path: expected arrays as numpy.savez writes them, got {quoted(entry.filename)} packed otherwise"
        )
    with archive.open(entry) as file:
        try:
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
            shape, _, dtype = read(file)
        except (KeyError, ValueError) as error:
            raise ValueError(
                f"path: expected an array, got {quoted(entry.filename)} without a header of one; {_REWRITE}"
            ) from error
        header = file.tell()
    if dtype.kind not in "biufc":
        raise ValueError(
            f"path: expected numbers, got {quoted(entry.filename)} of type {quoted(dtype)}; nothing is unpickled: save "
            "each array under a name of its own"
        )
    size = declared_bytes(shape, dtype.itemsize, "path", f"the array {quoted(entry.filename)}", memory)
    if size != entry.file_size - header:
        raise ValueError(
            f"path: expected {size} bytes in {quoted(entry.filename)} as its shape {shape} says, got "
            f"{entry.file_size - header}; {_REWRITE}"
        )
    return size


def _member(archive, entry):
    with archive.open(entry) as file:
        array = np.lib.format.read_array(file, allow_pickle=False)
        if file.read(1):
            raise ValueError(f"path: expected an array, got more in {quoted(entry.filename)}; {_REWRITE}")
    return array


def _safetensors(path):
    """The library compares the header with the file before it makes an array."""
    with needing("read_weights", "onnx"):
        from safetensors import SafetensorError, deserialize
    try:
        return {name: _tensor(name, **entry) for name, entry in deserialize(path.read_bytes())}
    except SafetensorError as error:
        raise ValueError(
            f"path: expected a safetensors file, got {quoted(path)}: {quoted(error)[1:-1]}; {_REWRITE}"
        ) from error


def _tensor(name, dtype, shape, data):
    if dtype not in _TYPES:
        raise ValueError(
            f"path: expected arrays of {', '.join(_TYPES)}, got {quoted(name)} of type {quoted(dtype)}; convert it to "
            "F32 where it was written"
        )
    try:
        array = np.frombuffer(data, _TYPES[dtype]).reshape(shape)
    except ValueError as error:  # axes without entries may have any size, and there may be any number of axes
        raise ValueError(f"path: expected an array of NumPy, got {quoted(name)}: {error}; {_REWRITE}") from error
    if dtype == "BF16":  # the upper half of a float32
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array
