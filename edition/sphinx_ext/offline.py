"""A site that asks nothing of other sites: MathJax is copied into it, remote execution of code is left out.

Only pages with formulas load MathJax, which is heavier than all else on them.
"""

from importlib.metadata import files
from pathlib import Path

from sphinx.util.fileutil import copy_asset

SCRIPT = "tex-chtml-full.js"  # the full component: a package loaded on demand would leave its page unrendered
FONTS = "output/chtml/fonts/woff-v2"


def copy_mathjax(app, error):
    """Copy MathJax and its fonts from the installed distribution into the site."""
    if error is None and app.builder.format == "html":
        script = next(file for file in files("sphinx-mathjax-offline") if file.name == SCRIPT)
        source, target = Path(script.locate()).parent, Path(app.outdir) / "_static" / "mathjax"
        copy_asset(str(source / SCRIPT), str(target))
        copy_asset(str(source / FONTS), str(target / FONTS))


def load_where_needed(app, pagename, templatename, context, doctree):
    """Leave MathJax out of a page without formulas; Sphinx loads it wherever a page below has some."""
    if 'class="math' not in context.get("body", ""):
        context["script_files"] = [file for file in context["script_files"] if not _is_mathjax(file)]


def _is_mathjax(file):
    settings = getattr(file, "attributes", {}).get("body", "").startswith("window.MathJax")
    return settings or SCRIPT in str(getattr(file, "filename", ""))


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
    app.config.mathjax_path = f"mathjax/{SCRIPT}"
    app.connect("html-page-context", load_where_needed, priority=900)
    app.connect("build-finished", copy_mathjax)
