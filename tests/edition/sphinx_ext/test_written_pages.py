"""Pages load of the theme what they show; what it leaves out is in them; a part of the contents is folded."""

import re
from importlib.resources import files

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from small_site import page

from edition.book import ROOT, read_yaml
from edition.sphinx_ext.written_pages import FOLDED, FONTS, ICONS, bundle, fold, prune, repair, used_names

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
    drawn = {name: re.search(rf"\.{name}:before[^{{]*{{content:\"(\W)\"", styles) for name in shown}
    found = {name: ord(match[1]) for name, match in drawn.items() if match}
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


PART = """<p aria-level="2" class="caption" role="heading"><span class="caption-text">{title}</span></p>
<ul class="{current}nav bd-sidenav">
<li><a href="a.html">A</a><ul>
<li><a href="b.html">B</a></li>
</ul></li>
</ul>
"""


@pytest.mark.parametrize("current", ["", "current "])
def test_a_part_is_folded_with_all_its_pages_unless_one_of_them_is_shown(current):
    html = PART.format(title="Use it", current="") + PART.format(title=FOLDED[0], current=current)
    contents = BeautifulSoup(fold(html), "html.parser")
    (details,) = contents.select("details")
    assert details.has_attr("open") == bool(current)
    assert [link.text for link in details.select("a")] == ["A", "B"]
    assert details.select_one("summary [role=heading]").text == FOLDED[0]
    assert contents.select_one("p.caption").text == "Use it"


def test_folding_again_changes_nothing():
    folded = fold(PART.format(title=FOLDED[0], current=""))
    assert fold(folded) == folded


def test_a_part_that_is_to_be_folded_is_one_of_the_contents():
    parts = read_yaml(ROOT / "_toc.yml")["parts"]
    assert {*FOLDED} <= {part["caption"] for part in parts}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<summary aria-label="Toggle hidden content">Show', "<summary>Show"),
        (
            '<a class="symbol-link reference internal" href="../glossary.html#symbol-tilde-Sigma">',
            '<a class="symbol-link reference internal" href="../glossary.html#symbol-tilde-Sigma"'
            ' aria-label="tilde Sigma">',
        ),
    ],
)
def test_a_repair(before, after):
    assert repair(before) == after
    assert repair(after) == after


def test_what_has_a_name_stays_as_it_is():
    html = "<div><p>Words</p></div><details><summary>More</summary></details><table class='claims'><th>a</th></table>"
    assert repair(html) == html


def test_the_pages_have_what_is_missing(html):
    shown = page(html, "linear/one")
    sidebar = shown.select_one("#pst-primary-sidebar")
    assert (sidebar["role"], sidebar["aria-label"]) == ("navigation", "Book")
    icons = shown.select(".theme-switch")
    assert icons
    assert all(icon["aria-hidden"] == "true" and "title" not in icon.attrs for icon in icons)


def test_what_all_pages_load_at_once_is_one_file_with_addresses_that_lead_where_they_did(tmp_path):
    static, deep = tmp_path / "_static", tmp_path / "deep" / "er.html"
    (static / "styles").mkdir(parents=True)
    deep.parent.mkdir()
    files = {
        "base.css": "a{b:c}",
        "styles/all.css": '@import "../base.css";d{e:url("../f/g.woff")}',
        "own.css": "h{i:j}",
    }
    files |= {"one.js": "one()", "two.js": "two()", "own.js": "own()", "late.js": "late()"}
    for name, text in files.items():
        (static / name).write_text(text)

    def page(up, styles, scripts):
        links = "".join(f'<link rel="stylesheet" href="{up}_static/{name}?v=1" />\n' for name in styles)
        heads = "".join(f'<script src="{up}_static/{name}"></script>\n' for name in scripts)
        return f'<head>{links}{heads}<script defer src="{up}_static/late.js"></script></head>'

    (tmp_path / "a.html").write_text(page("", ["styles/all.css"], ["one.js", "two.js"]))
    deep.write_text(page("../", ["styles/all.css", "own.css"], ["one.js", "own.js", "two.js"]))
    (tmp_path / "onward.html").write_text('<meta http-equiv="refresh">')
    bundle(tmp_path)
    assert (static / "pages.css").read_text() == 'a{b:c}d{e:url("f/g.woff")}'
    assert (static / "pages.js").read_text() == "one();\ntwo();"
    loaded = {
        path.name: [
            tag.get("src", tag.get("href"))
            for tag in BeautifulSoup(path.read_text(), "html.parser").select("[src], [href]")
        ]
        for path in (tmp_path / "a.html", deep)
    }
    plain = {name: [address.partition("?")[0] for address in found] for name, found in loaded.items()}
    assert plain["a.html"] == ["_static/pages.css", "_static/pages.js", "_static/late.js"]
    assert plain["er.html"] == [
        f"../_static/{name}" for name in ("pages.css", "own.css", "pages.js", "own.js", "late.js")
    ]
    before = [path.read_text() for path in (tmp_path / "a.html", deep, static / "pages.css")]
    bundle(tmp_path)
    assert [path.read_text() for path in (tmp_path / "a.html", deep, static / "pages.css")] == before
