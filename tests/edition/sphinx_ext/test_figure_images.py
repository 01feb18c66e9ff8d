"""The images of figures on a page."""

import pytest
from small_site import page

from edition.sphinx_ext.figure_images import enlargeable, is_stacked

RECORD = {"alt": "A dot & a line.", "sizes": {"image": [600.0, 240.0], "image_dark": [600.0, 240.0]}}
RECORD |= {"image": "figures/a.svg", "image_dark": "figures/a-dark.svg"}
NARROW = {"narrow": "figures/a-narrow.svg", "narrow_dark": "figures/a-narrow-dark.svg"}
NARROW |= {"sizes": RECORD["sizes"] | {"narrow": [400.0, 480.0], "narrow_dark": [400.0, 480.0]}}


def test_a_figure_has_an_image_for_each_theme_in_a_link_to_the_one_that_can_be_taken(html):
    for figure in page(html, "linear/one").select("figure"):
        (link,) = figure.select("a.enlarge")
        light, dark = link.select("img")
        assert light["src"] == link["href"]
        assert dark["src"] == link["data-dark"]
        assert (light["class"], dark["class"]) == (["only-light"], ["only-dark"])
        assert light["alt"] == dark["alt"] != ""
        for image in (light, dark):
            assert (html / "chapters" / "linear" / image["src"]).resolve().is_file()
            assert int(image["width"]) == int(image["height"]) > 0


def test_the_image_of_a_figure_is_in_the_site_once(html):
    assert not list((html / "_images").glob("*.svg"))


@pytest.mark.parametrize(
    ("record", "sources", "wide"),
    [(RECORD | NARROW, 2, False), (RECORD, 0, True), (RECORD | {"sizes": {"image": [441.6, 240.0]}}, 0, False)],
)
def test_a_wide_figure_has_another_image_for_phones_or_is_marked(record, sources, wide):
    text = enlargeable(record, "../")
    assert text.count('<source media="(max-width: 30rem)" srcset="../figures/a-narrow') == sources
    assert text.count('width="500" height="600"') == sources
    assert ('class="enlarge wide"' in text) == wide
    assert text.count('alt="A dot &amp; a line."') == 2


def test_panels_are_stacked_where_the_layout_for_phones_is_higher():
    low = NARROW | {"sizes": NARROW["sizes"] | {"narrow": [400.0, 250.0]}}
    assert [is_stacked(record) for record in (RECORD, RECORD | NARROW, RECORD | low)] == [False, True, False]
