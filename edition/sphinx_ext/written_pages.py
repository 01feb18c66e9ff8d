"""What is mended in pages once they are written: what they load, what they leave out, and the contents beside them.

The theme's style sheet has all rules of its frameworks and of two thousand icons, its font has their pictures, and a
script draws them once more: pages load the rules and the icons that they show. That script is left out, as are those
for tabs and for toggles, of which no page has any. The style sheets that all pages load become one file, and so do the
scripts. What the theme and its companions leave out for those who hear a
page, or use it without a mouse, is written in many places, so that it is mended where it arrives; what there is to
mend, and that it is, `tests/browser/test_accessibility.py` shows with axe. A part of the contents that few readers come
for is folded, unless its page is shown.
"""

import posixpath
import re
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import tinycss2

from edition.sphinx_ext.search_index import PASSAGES

ICONS = Path("_static") / "scripts" / "fontawesome.js"
LEFT_OUT = re.compile(r'<script [^>]*src="[^"]*/(?:fontawesome|design-tabs|togglebutton)\.js[^"]*"></script>')
LOADED = {  # what a page loads at once from where all pages have it, by the file that has all of it
    "pages.css": re.compile(r'<link (?=[^>]*rel="stylesheet")[^>]*href="((?:\.\./)*)_static/([^"?]+)[^"]*"[^>]*>\n?'),
    "pages.js": re.compile(r'<script (?![^>]*defer)[^>]*src="((?:\.\./)*)_static/([^"?]+)[^"]*"[^>]*></script>\n?'),
}
TAGS = {"pages.css": '<link rel="stylesheet" href="{}" />\n', "pages.js": '<script src="{}"></script>\n'}
IMPORT = re.compile(r'@import "([^"]+)";?')
URL = re.compile(r"""url\((["']?)(?!data:|#|\w+:)([^)"']+)\1\)""")
FONTS = Path("_static") / "vendor" / "fontawesome" / "webfonts"
OURS = Path(__file__).parents[1] / "static"  # style sheets that have what they need
NESTED = ("media", "supports", "layer", "container")
WORD = re.compile(r"[\w-]+")
ICON = re.compile(r"\\([ef][0-9a-f]{3})|([\ue000-\uf8ff])")
SCRIPT = re.compile(r"<script.*?</script>", re.DOTALL)
LETTERS = re.compile(r"-?\b(?:mathcal|mathbf|mathrm|mathbb|boldsymbol)\b-?")  # how a letter is drawn
AGAIN = re.compile(r"-\d+$")  # a symbol with another meaning
FOLDED = ("Beyond the papers", "Companions", "Reference", "About this book")
PART = re.compile(
    r'<p aria-level="2" class="caption" role="heading"><span class="caption-text">(?P<title>[^<]*)</span></p>\n'
    r'(?P<list><ul class="(?P<current>current )?nav bd-sidenav">.*?\n</ul>)',
    re.DOTALL,
)


def words_of(anchor):
    """Return how a symbol of the glossary is called by those who cannot see it, from its anchor.

    >>> words_of("symbol-tilde-Sigma"), words_of("symbol-mathcal-K-2")
    ('tilde Sigma', 'K')
    """
    return LETTERS.sub("", AGAIN.sub("", anchor.removeprefix("symbol-"))).replace("-", " ")


def _symbol(match):
    return f'{match[1]} aria-label="{words_of(match[2])}"'


REPAIRS = [
    # The sidebar has the way to the first page and the search beside its navigation, outside of all landmarks.
    (r'(<div id="pst-primary-sidebar") (?!role)', r'\1 role="navigation" aria-label="Book" '),
    # Who speaks to the page says what is there to be read: names that say something else come second.
    (r'(<summary) aria-label="Toggle hidden content"', r"\1"),
    (r'(<button class="[^"]*search-button-field[^"]*" title="Search") aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*) title="[^"]*"', r'\1 aria-hidden="true"'),
    # The theme lays out whatever may scroll, folded or not; the tables of the ledger never do.
    (r'<div class="pst-scrollable-table-container">(?=<table class="[^"]*claims-ledger)', "<div>"),
    # MathML is read aloud but gives no name to a link that is nothing but a symbol.
    (r'(<a class="symbol-link [^"]*" href="[^"]*#(symbol-[^"]+)")(?=>)', _symbol),
]


def repair(html):
    """Return a page with what is missing; one that was mended before stays as it is."""
    for pattern, replacement in REPAIRS:
        html = re.sub(pattern, replacement, html)
    return html


def fold(html):
    """Return a page whose contents have the parts of `FOLDED` folded; one that was folded before stays as it is."""

    def folded(part):
        if part["title"] not in FOLDED:
            return part.group()
        opened = " open" if part["current"] else ""
        heading = f'<span class="caption" role="heading" aria-level="2">{part["title"]}</span>'
        return f'<details class="part"{opened}><summary>{heading}</summary>{part["list"]}</details>'

    return PART.sub(folded, html)


def bundle(site):
    """Join the style sheets that all pages of a site load, and their scripts, but not what waits for the page."""
    pages = {path: path.read_text(encoding="utf-8") for path in _written(site)}
    for name, pattern in LOADED.items():
        loaded = {path: [match[2] for match in pattern.finditer(html)] for path, html in pages.items()}
        lists = [
            files for files in loaded.values() if files and name not in files
        ]  # others are no page, or were written before
        shared = [file for file in lists[0] if all(file in files for files in lists)] if lists else []
        if not shared:
            continue
        static = site / "_static"
        text = "\n".join(_flat(static, file) if name.endswith(".css") else _text(static, file) + ";" for file in shared)
        (static / name).write_text(text, encoding="utf-8")
        file = f"_static/{name}?v={sha256(text.encode()).hexdigest()[:8]}"
        tags = dict.fromkeys(shared, "") | {shared[0]: TAGS[name].format(f"{{}}{file}")}
        pages = {path: _replaced(html, pattern, tags) for path, html in pages.items()}
    for path, html in pages.items():
        path.write_text(html, encoding="utf-8")


def _replaced(html, pattern, tags):
    return pattern.sub(lambda match: tags.get(match[2], match[0]).format(match[1]), html)


def _text(static, file):
    return (static / file).read_text(encoding="utf-8")


def _flat(static, file):
    """Return a style sheet with what it imports, and with addresses from the folder `static`."""

    def at(address):
        return posixpath.normpath(posixpath.join(posixpath.dirname(file), address))

    css = URL.sub(lambda match: f"url({match[1]}{at(match[2])}{match[1]})", _text(static, file))
    return IMPORT.sub(lambda match: _flat(static, at(match[1])), css)


def _written(site):
    """Return the pages of a site, without templates."""
    return [path for path in sorted(site.rglob("*.html")) if "_static" not in path.relative_to(site).parts]


def used_names(site):
    """Return the words that stand in attributes of the pages of a site, or in scripts: among them all its classes.

    What the search knows is compressed, and has no words.
    """
    texts = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    found = {
        word
        for text in texts
        for part in re.findall(r'class="([^"]*)"', text) + SCRIPT.findall(text)
        for word in WORD.findall(part)
    }
    scripts = (path for path in site.joinpath("_static").rglob("*.js") if path.name not in (ICONS.name, PASSAGES))
    return found.union(*(WORD.findall(path.read_text(encoding="utf-8")) for path in scripts))


def prune(css, used):
    """Return a style sheet without the rules that need a class which is not used.

    >>> prune("a,.b c{d:e}@media print{.f{g:h}}.b:not(.f){i:j}", {"f"})
    'a{d:e}@media print{.f{g:h}}'
    """
    return tinycss2.serialize(_kept(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), used))


def _kept(rules, used):
    found = []
    for rule in rules:
        if rule.type == "at-rule" and rule.at_keyword in NESTED:
            rule.content = _kept(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), used)
            found += [rule] * bool(rule.content)
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


def finish(app, error):
    """Mend the pages of a site, and leave in its style sheets and fonts what they show."""
    if error is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        templates = "_static" in path.relative_to(site).parts
        if (mended := LEFT_OUT.sub("", html if templates else repair(fold(html)))) != html:
            path.write_text(mended, encoding="utf-8")
    used, points = used_names(site), set()
    for path in site.joinpath("_static").rglob("*.css"):
        css = path.read_text(encoding="utf-8")
        if not (OURS / path.name).exists():
            css = prune(css, used).replace(".woff2)", ".woff)").replace('"woff2"', '"woff"')
            path.write_text(css, encoding="utf-8")
        points |= {int(code, 16) if code else ord(letter) for code, letter in ICON.findall(css)}
    for path in list(site.joinpath(FONTS).glob("*.ttf")):
        keep_glyphs(path, points)
    (site / ICONS).unlink(missing_ok=True)
    bundle(site)


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
    app.connect("build-finished", finish, priority=950)
