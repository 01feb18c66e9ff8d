"""Atomic writes: whoever reads a file sees its old content or its new one, never a part."""

import os
from pathlib import Path
from uuid import uuid4

__all__ = ["write_atomically"]


def write_atomically(path, content):
    """Write a file atomically, its folder included: into a temporary file beside it, which then takes its name.

    The content is on the disk before the name is given. A write that fails leaves the old content and no other file.

    Parameters
    ----------
    path : path-like
        The file, which need not exist.
    content : str or bytes
        What it is to hold; text is encoded as UTF-8.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:12]}")
    try:
        with temporary.open("xb") as file:  # not of tempfile, whose files only their owner may read
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        return temporary.replace(path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:  # a write does not say where
            error.filename = str(path)
        temporary.unlink(missing_ok=True)
        raise
