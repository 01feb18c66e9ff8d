"""Rarer searches for garbage while pages are built.

The tree of a page is a cycle of many small objects. Trees are made, kept as files and read again hundreds of times in
a build, and with its usual thresholds Python searches all that are alive for garbage so often that this took a third
of the time of a build. Garbage is still found, with a fifth more memory at the peak.
"""

import gc

__all__ = ["THRESHOLDS"]

THRESHOLDS = (100_000, 50, 100)  # new objects before the youngest are searched, and rounds before each older generation


def setup(app):
    """Register the extension."""
    gc.set_threshold(*THRESHOLDS)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
