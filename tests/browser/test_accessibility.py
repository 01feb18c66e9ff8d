"""axe finds nothing on a page: who hears it, or uses it without a mouse or with weak eyes, can read it too."""

import pytest
from browser import PATIENCE, awaited
from built_site import BUT_CONTRAST, CONTRAST, SITE, TEMPLATES, axe_findings, page_of, settled, unfold

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
CHAPTER = page_of("linear/3-capacity")
# The theme looks 300 ms after a change of size for what scrolls, and lets it be reached.
RESIZED = "() => new Promise((done) => setTimeout(done, 300))"
QUERY = {"search.html": "?q=capacity"}
READY = {
    "search.html": "#search-results li",
    "chapters/beyond/explorer.html": ".explorer-allocation svg",
}
# The dark theme has another contrast, and all else is the same in it.
KINDS = [("light", BUT_CONTRAST), ("light", CONTRAST), ("dark", CONTRAST)]
LOOKS = [(size, theme, options) for size in (DESK, PHONE) for theme, options in KINDS]


@pytest.fixture
def opened(browser):
    """Open a page; the profile is new, since a search marks its words on the pages after it."""
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")  # no colours in between
    context.set_default_timeout(1000 * PATIENCE)

    def open_at(address):
        page = context.new_page()
        page.goto(address)
        return page

    yield open_at
    context.close()


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_page_has_no_finding_in_either_theme_at_either_width(opened, name):
    page = opened((SITE / name).as_uri() + QUERY.get(name, ""))
    if name in READY:
        page.wait_for_selector(READY[name])
    found = {}
    for size, theme, options in LOOKS:
        if page.viewport_size != size:
            page.set_viewport_size(size)
            settled(page)
            awaited(page, RESIZED)
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        here = axe_findings(page, options)
        if here:
            found.setdefault((size["width"], theme), {}).update(here)
    assert found == {}


def test_what_is_folded_has_no_finding_when_it_is_opened(opened):
    page = opened((SITE / CHAPTER).as_uri())
    settled(page)
    assert unfold(page) > 10
    assert axe_findings(page, BUT_CONTRAST) | axe_findings(page, CONTRAST) == {}


def test_a_formula_is_a_stop_of_the_tabulator_where_it_scrolls_and_only_there(opened):
    page = opened((SITE / CHAPTER).as_uri())
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        settled(page)
        stops, wide = (
            page.eval_on_selector_all(f"mjx-container{which}", "found => found.map((e) => e.className)")
            for which in ("[tabindex]", "[class*=wide-]")
        )
        assert stops == wide
    assert wide  # on the phone
