"""Checks beside the text as a browser shows them: hidden until the reader asks for them, then folded at rest, opened by
a click, a key or a link, and left folded on paper.
"""

import json

import pytest
from built_site import SITE, WIDTHS, open_page, page_of

CHAPTERS = ("linear/3-capacity", "linear/5-1-hierarchical", "layers/4-2-shattering")
ASKED_FOR = "localStorage.setItem('checks', 'shown')"


def at(name, anchor=""):
    return f"{SITE.as_uri()}/{page_of(name, anchor)}"


@pytest.fixture(params=WIDTHS)
def page(browser, request):
    """A new page at one width, whose reader has asked for checks, and on which nothing may go wrong."""
    page, problems = open_page(browser, *WIDTHS[request.param])
    page.add_init_script(ASKED_FOR)
    yield page
    assert problems["console"] == []
    page.context.close()


@pytest.fixture
def desktop(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.add_init_script(ASKED_FOR)
    yield page
    page.context.close()


def test_checks_are_hidden_until_the_reader_asks_for_them_and_the_choice_is_remembered(browser, address):
    """From a server: of files, Chromium may read on a page what stood in the storage some milliseconds before."""
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/{page_of('linear/3-capacity')}")
    quiet = page.locator("article :is(details.checks, .admonition-title .claim-holds):visible")
    assert quiet.count() == 0
    assert page.locator("article p .claim-correction:visible").count() > 1
    page.get_by_role("button", name="Show checks").click()
    assert quiet.count() > 10
    page.goto(f"{address}/{page_of('linear/4-linear-models')}")
    assert quiet.count() > 5
    page.get_by_role("button", name="Hide checks").click()
    assert quiet.count() == 0
    page.context.close()


def test_a_link_to_what_is_hidden_shows_it(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(at("linear/3-capacity"))
    link = page.locator("article a:has-text('Evidence and code')").first
    link.click()
    page.locator(link.get_attribute("href")).wait_for(state="visible")
    page.context.close()


def test_at_rest_each_section_has_one_quiet_line_and_all_is_folded(page):
    page.goto(at("linear/5-1-hierarchical"))
    lines = page.locator("article details.checks")
    assert lines.count() == page.locator("article section:has(> details.checks)").count() > 5
    assert page.locator("article details[open]").count() == 0
    assert page.locator("article .claim-holds:not(.admonition-title > *):visible").count() == 0
    assert all(line.bounding_box()["height"] < 30 for line in lines.all())


def test_the_line_and_the_code_in_it_open_from_the_keyboard(page):
    page.goto(at("linear/5-1-hierarchical"))
    line = page.locator("details.checks").first
    code = line.locator(".highlight").first
    line.locator("> summary").focus()
    page.keyboard.press("Enter")
    assert line.locator(".claim").first.is_visible()
    assert not code.is_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Code and full evidence":
            break
    page.keyboard.press("Enter")
    assert code.is_visible()


def test_a_link_to_a_claim_opens_what_it_is_folded_in_and_shows_it(page):
    claims = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))["claims"]
    first, *_, last = (c["link"].partition("#")[2] for c in claims if c["chapter"] == "linear/3-capacity")
    page.goto(at("linear/3-capacity", f"#{first}"))
    seen = """id => { const { top, bottom } = document.getElementById(id).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight; }"""
    page.wait_for_function(seen, arg=first)
    page.evaluate("id => { location.hash = id }", last)
    page.wait_for_function(seen, arg=last)
    page.evaluate("() => { document.querySelectorAll('details').forEach((fold) => { fold.open = false }); }")
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(
        """id => { const link = document.createElement("a"); link.href = `#${id}`;
      document.body.append(link); link.click(); }""",
        last,
    )
    page.wait_for_function(seen, arg=last)


def test_what_speaks_in_the_text_leads_to_its_evidence(page):
    page.goto(at("linear/3-capacity"))
    link = page.locator("article a:has-text('Evidence and code')").first
    link.focus()
    page.keyboard.press("Enter")
    evidence = page.locator(link.get_attribute("href"))
    evidence.wait_for(state="visible")
    assert "as expected" in evidence.inner_text()


def test_on_paper_is_what_a_reader_opened_and_no_line_that_would_open_something(desktop):
    desktop.goto(at("linear/3-capacity"))
    desktop.emulate_media(media="print")
    assert desktop.locator("article details > summary:visible").count() == 0
    opened = desktop.locator("details.checks").first
    opened.evaluate("fold => { fold.open = true; }")
    assert opened.locator(".claim").first.is_visible()


def test_without_script_everything_can_be_opened(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at("linear/3-capacity"))
    line = page.locator("details.checks").first
    line.locator("> summary").click()
    line.locator("details > summary").first.click()
    assert line.locator("[id^=claim-]").first.is_visible()
    assert line.locator("pre").first.is_visible()
    context.close()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_setup_is_one_line_before_anything_else_of_the_code(page, chapter):
    page.goto(at(chapter))
    first = page.locator("article :is(details.quiet, div.cell)").first
    assert first.locator("> summary").inner_text() == "Parameters and setup"
    assert not first.locator("pre").first.is_visible()
