"""Temporary folders whose names leave room for those of sockets, and which go with the command, however it ends."""

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["own_temporary_folder", "short_temporary_folder"]

ROOM = 50  # the system allows some 100 characters for the path of a socket; our names and multiprocessing's take 49
PREFIX, LOCK = "edition-", ".lock"


def short_temporary_folder():
    """Return the temporary folder, or where sockets in it would have names that are too long, that of the system."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= ROOM else "/tmp"


@contextmanager
def own_temporary_folder():
    """Have one temporary folder for this process and those that it starts, and remove it in the end.

    What a killed command could not remove is removed by the next one.
    """
    base = Path(short_temporary_folder())
    _remove_abandoned(base)
    made = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=base))
    with FileLock(made / LOCK):  # before it has the name that others look for
        folder = made.rename(base / made.name.removeprefix("."))
        former = tempfile.tempdir, os.environ.get("TMPDIR")
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir, variable = former
            os.environ.pop("TMPDIR") if variable is None else os.environ.update(TMPDIR=variable)
            shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(base):
    for folder in base.glob(f"{PREFIX}*"):
        with suppress(OSError, Timeout):  # somebody else's, or in use
            if folder.stat().st_uid == os.getuid() and (folder / LOCK).exists():
                with FileLock(folder / LOCK, timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)
