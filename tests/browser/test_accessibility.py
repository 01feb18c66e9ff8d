"""axe finds nothing on a page: who hears it, or uses it without a mouse or with weak eyes, can read it too."""

from collections import Counter

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from built_site import SITE, TEMPLATES

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
# The first leads on to another; the pages of the reference are made alike, and one of them is among the templates.
PAGES = [name for name in PAGES if name != "index.html" and not name.startswith("chapters/api/")]
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
CHAPTER = "chapters/linear/3-capacity.html"
RESIZED = 800  # ms: the theme looks 300 ms after a change of size for what scrolls, and lets it be reached
QUERY = {"search.html": "?q=capacity"}
READY = {
    "search.html": "#search-results li",
    "chapters/beyond/explorer.html": ".explorer-allocation .main-svg",
}
# What a label says and what is called must agree, although axe calls its rule for that experimental.
OPTIONS = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}
# A rule that is wrong for a page: the heads of the rows of symbols are formulas, which have MathML and no text.
WRONG = {"chapters/glossary.html": "empty-table-header"}
RUN = "options => axe.run(document, options).then((found) => found.violations)"
SETTLE = """async () => {
  if (window.MathJax?.startup) await MathJax.startup.promise;
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture
def opened(browser):
    """Open a page, with axe in it; the profile is new, since a search marks its words on the pages after it."""
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")  # no colours in between
    context.set_default_timeout(120_000)

    def open_at(address):
        page = context.new_page()
        page.goto(address)
        page.evaluate(AXE_SCRIPT)
        return page

    yield open_at
    context.close()


def findings(page, name=""):
    """Return what axe finds on a page as it is shown now: the rule, and how many places of which kind."""
    page.evaluate(SETTLE)
    found = {rule["id"]: rule["nodes"] for rule in page.evaluate(RUN, OPTIONS)}
    if name in WRONG:
        heads = found.pop(WRONG[name])  # where there is none any more, this is to be taken out of WRONG
        assert all('class="stub"' in node["html"] for node in heads)
    return {rule: Counter(node["html"][:160] for node in nodes).most_common(5) for rule, nodes in found.items()}


@pytest.mark.parametrize("name", [name for name in PAGES if name not in TEMPLATES])
def test_a_page_has_no_finding(opened, name):
    assert findings(opened((SITE / name).as_uri()), name) == {}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_page_has_no_finding_in_either_theme_at_either_width(opened, name):
    page = opened((SITE / name).as_uri() + QUERY.get(name, ""))
    if name in READY:
        page.wait_for_selector(READY[name])
    found = {}
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        page.wait_for_timeout(RESIZED)
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            if here := findings(page, name):
                found[size["width"], theme] = here
    assert found == {}


def test_what_is_folded_has_no_finding_when_it_is_opened(opened):
    page = opened((SITE / CHAPTER).as_uri())
    folds = page.evaluate("() => [...document.querySelectorAll('details')].map((fold) => { fold.open = true; }).length")
    assert folds > 10
    assert findings(page) == {}


def test_a_formula_is_a_stop_of_the_tabulator_only_where_it_scrolls(opened):
    page = opened((SITE / CHAPTER).as_uri())
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        page.evaluate(SETTLE)
        stops = page.eval_on_selector_all("mjx-container[tabindex]", "found => found.map((e) => e.className)")
        assert all("wide-" in classes for classes in stops)


def test_a_fault_is_found(opened, tmp_path):
    (tmp_path / "page.html").write_text(
        '<!DOCTYPE html><html lang="en"><head><title>Page</title></head><body><main><h1>Title</h1>'
        '<p style="color: #999; background: #fff">Pale</p><button></button></main></body></html>'
    )
    assert findings(opened((tmp_path / "page.html").as_uri())).keys() == {"color-contrast", "button-name"}
