"""Pages are written by several processes, while Sphinx resolves the references of the next ones.

Jupyter Book has no option for that. All pages are read by one process: the domain of sphinx-proof cannot merge what
several have read.
"""

import sys

__all__ = ["WRITERS"]

WRITERS = 7  # more than there are processors: so many parts of about ten pages each, the first of which is soon ready


def several(app, env):
    """Let several processes write, now that all pages are read; on a Mac, libraries may not survive to be forked."""
    if sys.platform == "linux":
        app.parallel = 1 + WRITERS  # Sphinx counts the one that resolves


def setup(app):
    """Register the extension."""
    app.connect("env-updated", several)
