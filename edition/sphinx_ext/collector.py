"""Rarer searches for garbage while pages are built, and none when that is done.

The tree of a page is a cycle of many small objects. Trees are made, kept as files and read again hundreds of times in
a build, and with its usual thresholds Python searches all that are alive for garbage so often that this took a third
of the time of a build. Garbage is still found, with a fifth more memory at the peak. A process that ends would look
for it several times over in the millions of objects that it leaves, for five seconds; the system takes these back.
"""

import atexit
import gc

__all__ = ["THRESHOLDS", "search_rarely"]

THRESHOLDS = (100_000, 50, 100)  # new objects before the youngest are searched, and rounds before each older generation


def search_rarely():
    """Let this process search for garbage rarely, and not when it ends."""
    gc.set_threshold(*THRESHOLDS)
    atexit.register(gc.freeze)


def setup(app):
    """Register the extension."""
    search_rarely()
