"""What a link leads to shows while the pointer or the keyboard's focus is on it, and the link stays a link."""

import json
import re

import pytest
from built_site import SITE, WIDTHS, open_page, page_of, settled

MOST_LINKS = page_of("linear/3-capacity")
CHAPTER, LEDGER = page_of("linear/4-linear-models"), "chapters/claims.html"
WITHOUT_FORMULAS = "chapters/receipt.html"
LINKS = {  # a link of each kind: its page, how it is found, and what its box shows
    "term": (CHAPTER, "a.term-link", ""),
    "symbol": (CHAPTER, "a.symbol-link", "introduced in"),
    "equation": (MOST_LINKS, "a[href*='#equation-']:not(.headerlink)", "Equation ("),
    "claim": (LEDGER, ".claims-ledger a[href*='#claim-']", "hold"),
    "figure": (CHAPTER, "a:has(> .std-numref)", "Figure"),
}
BOX = ".tippy-box[data-state=visible] .hover"


BEFORE = """link => {
  const seen = (e) => e === link || e.checkVisibility({ visibilityProperty: true });
  const all = [...document.querySelectorAll("a[href], button")].filter(seen);
  all[all.indexOf(link) - 1].focus();
}"""

OPEN = "link => document.getElementById(link.getAttribute('aria-describedby'))?.querySelector('[data-state=visible]')"
MOST = """window.most = 0;
  new MutationObserver(() => { most = Math.max(most, document.querySelectorAll(shown).length); })
    .observe(document.body, { attributes: true, childList: true, subtree: true });"""


def reached(page, link):
    """Move the keyboard's focus to a link from the one before it; formulas between them may be stops too."""
    link.evaluate(BEFORE)
    for _ in range(30):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            return
    raise AssertionError("the tabulator does not reach the link")


@pytest.mark.parametrize("kind", LINKS)
def test_the_focus_shows_what_a_link_leads_to_and_escape_hides_it_from_files_too(browser, kind):
    page, problems = open_page(browser, *WIDTHS["desktop"])
    name, found, shows = LINKS[kind]
    page.goto(f"{SITE.as_uri()}/{name}")
    link = page.locator(found).first
    reached(page, link)
    box = page.locator(BOX)
    box.wait_for()
    assert shows in box.inner_text()
    assert len(box.inner_text()) > 15
    assert not re.search(r"\\[([A-Za-z]", box.inner_text())
    assert page.locator(f"#{link.get_attribute('aria-describedby')}").count() == 1
    assert box.locator("a, button, [tabindex='0']").count() == 0
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    assert link.evaluate("e => e === document.activeElement")
    assert {kind: found for kind, found in problems.items() if found} == {}
    page.context.close()


def test_a_box_shows_alone_however_fast_the_focus_moves_on(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto((SITE / CHAPTER).as_uri())
    settled(page)
    page.evaluate("shown => { " + MOST + " }", ".tippy-box[data-state=visible]")
    terms = page.locator("a.term-link")
    for index in range(3):
        reached(page, terms.nth(index))
        page.wait_for_function(OPEN, arg=terms.nth(index).element_handle())
    assert page.evaluate("most") == 1
    page.context.close()


def test_a_box_is_within_the_screen_and_stays_while_the_pointer_is_in_it(browser, address):
    page, _ = open_page(browser, *WIDTHS["phone"])
    page.goto(f"{address}/{CHAPTER}")
    page.locator("a.term-link").first.hover()
    box = page.locator(BOX)
    box.wait_for()
    box.hover()
    page.wait_for_timeout(500)  # longer than the delay after which a box goes
    place = box.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= WIDTHS["phone"][0]
    page.locator("article h1").hover()
    box.wait_for(state="hidden")
    page.context.close()


def test_the_glossary_adds_few_stops_to_a_page_and_one_for_each_link(browser, address):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/{MOST_LINKS}")
    page.wait_for_load_state()
    settled(page)
    links = page.locator("article :is(a.term-link, a.symbol-link)")
    assert 0 < links.count() <= 30
    page.wait_for_function("!document.querySelector('article a mjx-container[tabindex]')")
    page.context.close()


def test_before_the_first_box_nothing_of_it_is_loaded(browser, address):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/{CHAPTER}", wait_until="load")
    assert any(url.rpartition("/")[2].startswith("pages.js") for url in asked)  # which has hovers.js
    late = ("popper.min.js", "tippy.umd.min.js", "/hovers/")
    assert [url for url in asked if any(name in url for name in late)] == []
    page.locator("a.term-link").first.hover()
    page.locator(BOX).wait_for()
    assert [sum(name in url for url in asked) for name in late] == [1, 1, 1]
    assert any(url.endswith("/_static/hovers/chapters/glossary.js") for url in asked)
    page.context.close()


def test_no_script_of_boxes_is_heavy(site):
    sizes = {path.name: path.stat().st_size for path in (site / "_static" / "hovers").rglob("*.js")}
    assert len(sizes) > 40
    assert {name: size for name, size in sizes.items() if size > 250e3} == {}


def test_a_page_without_formulas_shows_those_of_a_box(browser, address):
    claims = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))["claims"]
    anchor = next(claim["link"] for claim in claims if "$" in claim["statement"]).partition("#")[2]
    page, problems = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/{WITHOUT_FORMULAS}")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    page.locator(f"article a[href$='#{anchor}']").first.hover()
    formula = page.locator(f"{BOX} mjx-container").first
    formula.wait_for()
    assert "MJXTEX" in formula.locator("mjx-c").first.evaluate("e => getComputedStyle(e, '::before').fontFamily")
    assert {kind: found for kind, found in problems.items() if found} == {}
    page.context.close()


@pytest.mark.parametrize("again", ["the link", "the box"])
def test_on_a_touch_screen_a_tap_shows_the_box_and_a_second_one_leads_there(browser, address, again):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{address}/{CHAPTER}")
    link, box = page.locator("a.term-link").first, page.locator(BOX)
    link.tap()
    box.wait_for()
    assert page.url == f"{address}/{CHAPTER}"
    place = box.bounding_box()
    assert 0 <= place["x"] <= place["x"] + place["width"] <= 390
    (link if again == "the link" else box.locator("a")).tap()
    page.wait_for_url("**/glossary.html#term-*")
    context.close()


def test_on_a_touch_screen_a_tap_beside_the_box_closes_it(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{address}/{CHAPTER}")
    for _ in range(2):  # the first tap after that shows it again
        page.locator("a.term-link").first.tap()
        page.locator(BOX).wait_for()
        page.locator("article h1").tap()
        page.locator(BOX).wait_for(state="hidden")
    assert page.url == f"{address}/{CHAPTER}"
    context.close()


def test_on_paper_there_is_no_box(browser, address):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/{CHAPTER}")
    page.locator("a.term-link").first.hover()
    page.locator(BOX).wait_for()
    page.emulate_media(media="print")
    assert not page.locator(".hover").is_visible()
    page.context.close()
