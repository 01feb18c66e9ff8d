"""Temporary folders whose names leave room for those of sockets, and which go with the command, however it ends."""

import os
import shutil
import tempfile
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["short_temporary_folder", "take_own_temporary_folder"]

ROOM = 50  # the system allows some 100 characters for the path of a socket; our names and multiprocessing's take 49
PREFIX, LOCK = "edition-", ".lock"
AFTER_ALL = -200  # multiprocessing removes its own folder at -100


def short_temporary_folder():
    """Return the temporary folder, or where sockets in it would have names that are too long, that of the system."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= ROOM else "/tmp"


def take_own_temporary_folder():
    """Have one temporary folder for this process and those that it starts, which is removed when it ends; return it.

    What a killed command could not remove is removed by the next one.
    """
    base = Path(short_temporary_folder())
    _remove_abandoned(base)
    made = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=base))
    lock = FileLock(made / LOCK)
    lock.acquire()  # before the folder has the name that others look for
    folder = made.rename(base / made.name.removeprefix("."))
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
    Finalize(None, _remove, (folder, lock), exitpriority=AFTER_ALL)
    return folder


def _remove_abandoned(base):
    for folder in base.glob(f"{PREFIX}*"):
        with suppress(OSError, Timeout):  # somebody else's, or in use
            if folder.stat().st_uid == os.getuid() and (folder / LOCK).exists():
                lock = FileLock(folder / LOCK, timeout=0)
                lock.acquire()
                _remove(folder, lock)


def _remove(folder, lock):
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
