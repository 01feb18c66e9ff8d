"""Temporary folders whose names leave room for those of sockets, and which go with the command."""

import os
import shutil
import tempfile
from multiprocessing.util import Finalize

__all__ = ["short_temporary_folder", "take_own_temporary_folder"]

ROOM = 50  # the system allows some 100 characters for the path of a socket; our names and multiprocessing's take 49
AFTER_ALL = -200  # multiprocessing removes its own folder at -100


def short_temporary_folder():
    """Return the temporary folder, or where sockets in it would have names that are too long, that of the system."""
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= ROOM else "/tmp"


def take_own_temporary_folder():
    """Have one temporary folder for this process and those that it starts, which is removed when it ends."""
    folder = tempfile.mkdtemp(prefix="edition-", dir=short_temporary_folder())
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=AFTER_ALL)
    return folder
