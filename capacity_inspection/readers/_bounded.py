"""Files that are looked at before they are read: what they are, how large, and what they say they hold."""

import math
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["DEFAULT_MEMORY", "check_bytes", "declared_bytes", "in_words", "one_line", "quoted", "regular_file"]

DEFAULT_MEMORY = 2**30
_MOST_AXES = 32  # NumPy's arrays have no more than 64


def regular_file(path: Any, name: str, memory: int) -> tuple[Path, int]:
    """The path of a file and its size in bytes, without reading it."""
    try:
        path = Path(path)
        status = path.stat()
    except TypeError as error:
        raise TypeError(f"{name}: expected the path of a file, got {type(path).__name__}; pass its name") from error
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{name}: expected a file, got {quoted(path)}, which does not exist") from error
    except (OSError, ValueError) as error:
        raise ValueError(f"{name}: expected a file that can be read, got {quoted(path)}: {error}") from error
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{name}: expected a file, got {quoted(path)}, which is none; pass the name of a file")
    check_bytes(status.st_size, name, f"the file {quoted(path)}", memory)
    return path, status.st_size


def declared_bytes(shape: Sequence[Any], itemsize: int, name: str, what: str, memory: int) -> int:
    """Return the bytes of an array of a declared shape, computed with integers of any size."""
    if len(shape) > _MOST_AXES or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(
            f"{name}: expected sizes >= 0 along at most {_MOST_AXES} axes, got {what} of shape {quoted(shape)}; "
            "write the file again"
        )
    size = math.prod(shape) * itemsize
    check_bytes(size, name, what, memory)
    return size


def check_bytes(size: int, name: str, what: str, memory: int) -> None:
    """Refuse what is larger than the memory that is allowed."""
    if size > memory:
        remedy = (
            f"if that is meant, pass memory={size} or more (--memory {size})"
            if size < 2**45
            else "no such thing can be read"
        )
        raise ValueError(f"{name}: expected at most {in_words(memory)}, got {what} of {in_words(size)}; {remedy}")


def in_words(size: int) -> str:
    """Return a number of bytes as it is said."""
    for power, unit in [(4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")]:
        if size >= 1024**power:
            return f"{size / 1024**power:.4g} {unit}" if size < 2**60 else f"2^{size.bit_length() - 1} bytes"
    return f"{size} bytes"


def quoted(value: Any, longest: int = 120) -> str:
    """Return what a file says as one short line without control characters."""
    text = repr(str(value))
    return text if len(text) <= longest else f"{text[: longest - 4]}...{text[-1]}"


def one_line(error: Exception, longest: int = 300) -> str:
    """Return what an error says, or of what kind it is, as one short line without control characters."""
    return quoted(" ".join(str(error).split()) or type(error).__name__, longest)[1:-1]
