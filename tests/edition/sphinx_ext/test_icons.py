"""Pages load the icons that they show, and no others."""

import re
from importlib.resources import files

import pytest

from edition.sphinx_ext.icons import ICON, SCRIPT, USED, keep_icons

COMPLETE = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static" / "scripts" / "fontawesome.js"


def names(script):
    return {
        name
        for icon in ICON.finditer(script)
        for name in (icon["name"].strip('"'), *re.findall(r'"([^"]+)"', icon["others"]))
    }


def test_every_icon_that_a_page_names_and_the_theme_has_is_in_the_script(html):
    used = {name for page in html.rglob("*.html") for name in USED.findall(page.read_text(encoding="utf-8"))}
    shown = used & names(COMPLETE.read_text(encoding="utf-8"))
    script = (html / SCRIPT).read_text(encoding="utf-8")
    assert len(shown) > 5
    assert shown <= names(script)
    assert "yin-yang" not in names(script)
    assert len(script) < 200_000


def test_icons_with_two_paths_and_the_code_around_them_are_left_as_they_are():
    two = 'q={"a-b":[1,2,[],"e001",["M1z","M2z"]],c:[3,4,[5,"other"],"e002","M3z"]};run(q)'
    assert keep_icons(two, {"a-b"}) == 'q={"a-b":[1,2,[],"e001",["M1z","M2z"]],};run(q)'
    assert keep_icons(two, {"other"}) == 'q={c:[3,4,[5,"other"],"e002","M3z"]};run(q)'


def test_a_script_that_defines_icons_otherwise_is_refused():
    with pytest.raises(ValueError, match="expected definitions of icons, found none"):
        keep_icons("var icons = [];", {"bell"})
