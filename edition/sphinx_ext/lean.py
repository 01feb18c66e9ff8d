"""Pages load of the theme what they show: rules of style sheets for what some page has, and the icons among them.

The theme's style sheet has all rules of its frameworks and of two thousand icons, the font has their pictures, and a
script draws them once more. That script is left out, as are those for tabs and for toggles, of which no page has any.
"""

import re
from itertools import pairwise
from pathlib import Path

import tinycss2

__all__ = ["prune", "used_names"]

ICONS = Path("_static") / "scripts" / "fontawesome.js"
LEFT_OUT = re.compile(r'<script [^>]*src="[^"]*/(?:fontawesome|design-tabs|togglebutton)\.js[^"]*"></script>')
FONTS = Path("_static") / "vendor" / "fontawesome" / "webfonts"
OURS = Path(__file__).parents[1] / "static"  # style sheets that have what they need
NESTED = ("media", "supports", "layer", "container")
WORD = re.compile(r"[\w-]+")
ICON = re.compile(r"\\([ef][0-9a-f]{3})|([\ue000-\uf8ff])")
SCRIPT = re.compile(r"<script.*?</script>", re.DOTALL)


def used_names(site):
    """Return the words that stand in attributes of the pages of a site, or in scripts: among them all its classes."""
    texts = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    found = {
        word
        for text in texts
        for part in re.findall(r'class="([^"]*)"', text) + SCRIPT.findall(text)
        for word in WORD.findall(part)
    }
    scripts = (path for path in site.joinpath("_static").rglob("*.js") if path != site / ICONS)
    return found.union(*(WORD.findall(path.read_text(encoding="utf-8")) for path in scripts))


def prune(css, used):
    """Return a style sheet without the rules that need a class which is not used.

    >>> prune("a,.b c{d:e}@media print{.f{g:h}}.b:not(.f){i:j}", {"f"})
    'a{d:e}@media print{.f{g:h}}'
    """
    return tinycss2.serialize(_kept(tinycss2.parse_stylesheet(css), used))


def _kept(rules, used):
    found = []
    for rule in rules:
        if rule.type == "at-rule" and rule.at_keyword in NESTED:
            rule.content = _kept(tinycss2.parse_rule_list(rule.content), used)
            found += [rule] * any(inner.type != "whitespace" for inner in rule.content)
        elif rule.type == "qualified-rule":
            rule.prelude = _selectors(rule.prelude, used)
            found += [rule] * bool(rule.prelude)
        else:
            found.append(rule)
    return found


def _selectors(prelude, used):
    """Return the tokens of those selectors all of whose classes are used; of what is in brackets, any may be there."""
    selectors = [[]]
    for token in prelude:
        selectors += [[]] if token == "," else []
        selectors[-1].append(token)
    kept = [
        selector
        for selector in selectors
        if all(name.value in used for dot, name in pairwise(selector) if dot == "." and name.type == "ident")
    ]
    return [token for selector in kept for token in selector][bool(kept and kept[0][0] == ",") :]


def make_lean(app, error):
    """Leave in the site's style sheets and fonts what its pages show."""
    site = Path(app.outdir)
    if error is not None or app.builder.format != "html" or not (site / FONTS).is_dir():
        return
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(LEFT_OUT.sub("", html), encoding="utf-8")
    used, points = used_names(site), set()
    for path in site.joinpath("_static").rglob("*.css"):
        if not (OURS / path.name).exists():
            css = (
                prune(path.read_text(encoding="utf-8"), used).replace(".woff2)", ".woff)").replace('"woff2"', '"woff"')
            )
            path.write_text(css, encoding="utf-8")
        points |= {
            int(code, 16) if code else ord(letter) for code, letter in ICON.findall(path.read_text(encoding="utf-8"))
        }
    for path in list(site.joinpath(FONTS).glob("*.ttf")):
        keep_glyphs(path, points)
    (site / ICONS).unlink(missing_ok=True)


def keep_glyphs(path, points):
    """Put a font with the glyphs of some code points in place of a complete one, as WOFF, which needs no Brotli."""
    from fontTools.subset import Subsetter
    from fontTools.ttLib import TTFont

    font, subsetter = TTFont(path, recalcTimestamp=False), Subsetter()
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(path.with_suffix(".woff"), reorderTables=False)
    for former in (path, path.with_suffix(".woff2")):
        former.unlink(missing_ok=True)


def setup(app):
    """Register the extension; it follows all that writes pages."""
    app.connect("build-finished", make_lean, priority=950)
