"""Pages load of the theme what they show, and all of that."""

import re
from importlib.resources import files

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont

from edition.sphinx_ext.written_pages import FONTS, ICONS, prune, used_names

THEME = files("pydata_sphinx_theme") / "theme" / "pydata_sphinx_theme" / "static" / "styles" / "pydata-sphinx-theme.css"


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        ("a{b:c}", "a{b:c}"),
        (".on a,.off a{b:c}", ".on a{b:c}"),
        (".off{b:c}.on{d:e}", ".on{d:e}"),
        (".on:not(.off){b:c}", ".on:not(.off){b:c}"),
        ("a:is(.off,b:not(.off)),.off:is(a,b){c:d}", "a:is(.off,b:not(.off)){c:d}"),
        ('a[class*=".off"]{b:c}', 'a[class*=".off"]{b:c}'),
        ('.off{content:"}"}.on{content:"{"}', '.on{content:"{"}'),
        ("@media (max-width:1px){.off{b:c}}", ""),
        ("@media print{.off{b:c}@supports (a:b){.on{d:e}}}", "@media print{@supports (a:b){.on{d:e}}}"),
        ('@charset "utf-8";.off{b:c}@font-face{src:url(a;b.woff)}', '@charset "utf-8";@font-face{src:url(a;b.woff)}'),
        ("/* .on{} */.off{b:c}", ""),
        (r".on\:off{b:c}", ""),
    ],
)
def test_a_rule_is_kept_if_all_classes_that_it_needs_are_used(css, kept):
    assert prune(css, {"on"}) == kept


def test_with_all_names_in_use_a_style_sheet_stays_as_it_is():
    css = THEME.read_text(encoding="utf-8")
    again = prune(
        css, set(re.findall(r"[\w-]+", css)) | {name.replace("\\", "") for name in re.findall(r"[\w\\-]+", css)}
    )
    assert again.count("{") == css.count("{")


def test_every_icon_of_a_page_has_its_picture(html):
    styles = "".join(path.read_text(encoding="utf-8") for path in (html / "_static" / "styles").glob("*.css"))
    points = {point for path in (html / FONTS).glob("*.woff") for point in TTFont(path).getBestCmap()}
    shown = set()
    for path in html.rglob("*.html"):
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        shown |= {name for icon in page.select("i[class*=fa-]") for name in icon["class"] if name.startswith("fa-")}
        assert not page.select("script:is([src*=fontawesome], [src*=design-tabs], [src*=togglebutton])")
        assert not page.select(".sd-tab-set, .toggle, .admonition.dropdown")  # for which the last two would be needed
    drawn = {name: re.search(rf"\.{name}:before[^{{]*{{content:\"\\(\w+)\"", styles) for name in shown}
    found = {name: int(match[1], 16) for name, match in drawn.items() if match}
    assert {"fa-magnifying-glass", "fa-circle-half-stroke"} <= found.keys()
    assert {*found.values()} <= points
    assert "fa-yin-yang" not in styles


def test_what_is_left_of_the_theme_is_small(html):
    assert not (html / ICONS).exists()
    assert sum(path.stat().st_size for path in (html / FONTS).iterdir()) < 20_000
    assert (html / "_static" / "styles" / THEME.name).stat().st_size < 0.4 * len(THEME.read_text(encoding="utf-8"))


def test_names_in_attributes_and_scripts_are_used_and_words_of_the_text_are_not(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "a.js").write_text('e.classList.add("from-script");')
    (tmp_path / "a.html").write_text('<p class="one two">text</p><script>add("inline")</script>')
    assert {"one", "two", "inline", "from-script"} <= used_names(tmp_path)
    assert "text" not in used_names(tmp_path)
