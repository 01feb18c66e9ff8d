"""How Jupyter Book builds: rarer searches for garbage, and no remote execution.

The tree of a page is a cycle of many small objects. Trees are made, kept as files and read again hundreds of times in
a build, and with its usual thresholds Python searches all that are alive for garbage so often that this took a third
of the time of a build. Garbage is still found, with a fifth more memory at the peak. A process that ends would look
for it several times over in the millions of objects that it leaves, for five seconds; the system takes these back.
"""

import atexit
import gc

THRESHOLDS = (100_000, 50, 100)  # new objects before the youngest are searched, and rounds before each older generation


def search_rarely():
    """Let this process search for garbage rarely, and not when it ends."""
    gc.set_threshold(*THRESHOLDS)
    atexit.register(gc.freeze)


def drop_remote_execution(app):
    """Disconnect sphinx-thebe, which Jupyter Book always loads and which names a remote script on every page."""
    listeners = [listener for found in app.events.listeners.values() for listener in found]
    for listener in listeners:
        if listener.handler.__module__.partition(".")[0] == "sphinx_thebe":
            app.disconnect(listener.id)
    app.registry.css_files = [(name, options) for name, options in app.registry.css_files if name != "sphinx-thebe.css"]


def setup(app):
    search_rarely()
    drop_remote_execution(app)
