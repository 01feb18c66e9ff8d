"""Atomic writes: whoever reads a file sees its old content or its new one, never a part.

The package has the same of its own (`capacity._files`): the edition needs nothing of what it documents.
"""

import errno
import os
from pathlib import Path
from uuid import uuid4

__all__ = ["NO_SPACE", "write_atomically"]

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # what a system says of a disk that is full


def write_atomically(path, content):
    """Write text or bytes into a temporary file beside a path, which then takes its name; return the path."""
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
