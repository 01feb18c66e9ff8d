"""Formulas are typeset when the book is built: MathJax runs in V8, and pages have its markup, a style sheet and fonts.

A reader's browser has nothing left to do, and a formula that MathJax cannot read stops the build.
"""

import atexit
import json
import re
from html import unescape
from importlib.metadata import files
from pathlib import Path

from py_mini_racer import MiniRacer
from sphinx.errors import ExtensionError
from sphinx.util.fileutil import copy_asset

STYLE, FONTS = "formulas-typeset.css", "output/chtml/fonts/woff-v2"
COMPONENTS = (
    "core",
    "adaptors/liteDOM",
    "input/tex-full",
    "output/chtml",
    "output/chtml/fonts/tex",
    "a11y/assistive-mml",
)
SETTINGS = {
    "startup": {"typeset": False, "input": ["tex"], "output": "chtml", "adaptor": "liteAdaptor"},
    # As high as the letters of Arial, whatever sans-serif a machine has.
    "chtml": {"fontURL": f"mathjax/{FONTS}", "matchFontHeight": False, "scale": 1.17},
}
# As Sphinx writes them for MathJax.
ELEMENT = re.compile(r'(<(span|div) [^>]*class="math [^>]*>)(.*?)(</\2>)', re.DOTALL)
WRITTEN = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
WRONG = re.compile(r'data-mjx-error="([^"]*)"')


class Typesetter:
    """MathJax with the macros of the book."""

    def __init__(self, macros):
        self._known = {}
        self._engine = MiniRacer()
        atexit.register(self._engine.close)  # an engine that is left open keeps Python from ending
        settings = SETTINGS | {"tex": {"macros": macros, "packages": {"[-]": ["require", "autoload"]}}}
        self._engine.eval(f"var global = globalThis, MathJax = {json.dumps(settings)}; null")
        for name in ("startup", *COMPONENTS):
            self._engine.eval(f"{_source(name)}\n;null")
        self._engine.eval(f"MathJax.loader.preLoad(...{json.dumps(COMPONENTS)}); MathJax.config.startup.ready(); null")

    def __call__(self, tex, *, display=False):
        """Return the markup of a formula; one that MathJax cannot read is a ValueError."""
        key = tex.strip(), display
        if key not in self._known:
            arguments = f"{json.dumps(key[0])}, {json.dumps({'display': display})}"
            found = self._engine.eval(f"MathJax.startup.adaptor.outerHTML(MathJax.tex2chtml({arguments}))")
            if wrong := WRONG.search(found):
                raise ValueError(f"expected a formula in TeX, got {key[0]!r}: {unescape(wrong[1])}")
            self._known[key] = found
        return self._known[key]

    def within(self, markup):
        r"""Return HTML with each \(...\) and \[...\] in it typeset."""
        return WRITTEN.sub(lambda found: self(unescape(found[1] or found[2]), display=found[1] is None), markup)

    def style(self):
        """Return the style sheet of what was typeset."""
        return self._engine.eval("MathJax.startup.adaptor.textContent(MathJax.chtmlStylesheet())")


def _source(name):
    return _component(f"mathjax/{name}.js").read_text(encoding="utf-8")


def _component(end):
    return Path(next(file for file in files("sphinx-mathjax-offline") if file.as_posix().endswith(end)).locate())


def typesetter(app):
    """Return the typesetter of a build."""
    if not hasattr(app, "typesetter"):
        app.typesetter = Typesetter(app.config.tex_macros)
    return app.typesetter


def typeset_pages(app, error):
    """Typeset the formulas of all pages, and write the style sheet and the fonts that they need."""
    if error is not None or app.builder.format != "html":
        return
    typeset, out = typesetter(app), Path(app.outdir)
    for path in sorted(out.rglob("*.html")):
        html = path.read_text(encoding="utf-8")
        try:
            path.write_text(ELEMENT.sub(lambda found: found[1] + typeset.within(found[3]) + found[4], html), "utf-8")
        except ValueError as error:
            raise ExtensionError(f"{path.relative_to(out)}: {error}") from error
    (out / "_static" / STYLE).write_text(typeset.style(), encoding="utf-8")
    copy_asset(str(_component("mathjax/core.js").parent / FONTS), str(out / "_static" / "mathjax" / FONTS))


def without_mathjax(app, pagename, templatename, context, doctree):
    """Leave out MathJax and its settings, which Sphinx loads on pages with formulas."""
    context["script_files"] = [file for file in context["script_files"] if not _is_mathjax(file)]


def _is_mathjax(file):
    return "mathjax" in str(getattr(file, "filename", "")).lower()


def setup(app):
    app.add_config_value("tex_macros", {}, "env")
    app.add_css_file(STYLE)
    app.connect("html-page-context", without_mathjax, priority=900)
    app.connect("build-finished", typeset_pages, priority=900)  # after what else is typeset then
