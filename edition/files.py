"""One command at a time in a folder."""

import fcntl
from contextlib import contextmanager

__all__ = ["alone"]


@contextmanager
def alone(folder):
    """Keep other commands out of a folder of results; the system lets them in again however this process ends.

    Raises
    ------
    RuntimeError
        If another command is in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(
                f"another command is at work in {folder}; wait until it has ended, or work in another copy of the book"
            ) from None
        yield
