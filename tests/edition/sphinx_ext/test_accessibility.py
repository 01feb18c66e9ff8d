"""What the theme and MathJax leave out is in the pages; axe looks at the rest, in a browser."""

import pytest
from small_site import page

from edition.sphinx_ext.written_pages import repair


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '<li><a class="a b" href="x.html">The "rooms"</a><details><summary><i></i></summary>',
            '<li><a class="a b" href="x.html">The "rooms"</a><details>'
            '<summary aria-label="Pages below The &quot;rooms&quot;"><i></i></summary>',
        ),
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
