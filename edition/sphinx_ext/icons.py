"""Only the icons that the pages show: the theme's script carries two thousand, and every page loads it."""

import re
from pathlib import Path

from edition.files import write_atomically

__all__ = ["keep_icons"]

SCRIPT = Path("_static") / "scripts" / "fontawesome.js"
USED = re.compile(r"\bfa-([a-z0-9-]+)")
# name: [width, height, [other names], "code point", one path or two]
ICON = re.compile(
    r'(?P<name>"[a-z0-9-]+"|[a-z][a-z0-9]*):\[\d+,\d+,(?P<others>\[[^\]]*\]),"[0-9a-f]+",'
    r'(?:"[^"]*"|\[(?:"[^"]*",?)+\])\],?'
)


def keep_icons(script, used):
    """Return Font Awesome's script with the icons of some names only.

    >>> keep_icons('p={bell:[4,5,[],"f0f3","M1z"],"moon-o":[3,5,["moon"],"f186","M2z"]}', {"moon"})
    'p={"moon-o":[3,5,["moon"],"f186","M2z"]}'
    """
    if not ICON.search(script):
        raise ValueError(f"{SCRIPT.name}: expected definitions of icons, found none; look at how this release has them")

    def kept(icon):
        names = {icon["name"].strip('"'), *re.findall(r'"([^"]+)"', icon["others"])}
        return icon.group() if names & used else ""

    return ICON.sub(kept, script)


def drop_unused_icons(app, error):
    """Leave in the site's script the icons that a page or another script names."""
    script = Path(app.outdir) / SCRIPT
    if error is None and app.builder.format == "html" and script.is_file():
        pages = [*script.parents[2].rglob("*.html"), *(f for f in script.parents[1].rglob("*.js") if f != script)]
        used = {name for page in pages for name in USED.findall(page.read_text(encoding="utf-8"))}
        write_atomically(script, keep_icons(script.read_text(encoding="utf-8"), used))


def setup(app):
    """Register the extension."""
    app.connect("build-finished", drop_unused_icons)
