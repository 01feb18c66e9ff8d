"""A site that asks nothing of other sites: remote execution of code is left out."""


def drop_remote_execution(app):
    """Disconnect sphinx-thebe, which Jupyter Book always loads and which names a remote script on every page."""
    listeners = [listener for found in app.events.listeners.values() for listener in found]
    for listener in listeners:
        if listener.handler.__module__.partition(".")[0] == "sphinx_thebe":
            app.disconnect(listener.id)
    app.registry.css_files = [(name, options) for name, options in app.registry.css_files if name != "sphinx-thebe.css"]


def setup(app):
    """Register the extension."""
    drop_remote_execution(app)
