"""The file lock that keeps two commands out of one folder."""

from contextlib import contextmanager

from filelock import FileLock, Timeout

__all__ = ["exclusive_lock"]


@contextmanager
def exclusive_lock(folder):
    """Hold the lock of a folder of results; the system releases it however the process ends."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(folder / ".lock", timeout=0).acquire()
    except Timeout:
        raise RuntimeError(
            f"another command is at work in {folder}; wait until it has ended, or work in another copy of the book"
        ) from None
    with lock:
        yield
