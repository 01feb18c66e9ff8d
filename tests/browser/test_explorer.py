"""The explorer in a browser, opened as a file: everything from the keyboard, the choice in the address, any width."""

import json
import re

import pytest
from built_site import SITE, WIDTHS, open_page
from playwright.sync_api import expect

from capacity_studies.explorer import Setting

PAGE = SITE / "chapters" / "beyond" / "explorer.html"
CURVE = ".explorer-allocation g:not([transform]) > path.curve"


@pytest.fixture(params=WIDTHS)
def explorer(browser, request):
    """The explorer's page at one width; nothing may go wrong on it, and nothing may be asked of other sites."""
    page, problems = open_page(browser, *WIDTHS[request.param])
    visit(page)
    yield page
    assert problems["console"] == []
    assert problems["outside"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.context.close()


@pytest.fixture(scope="module")
def analyses():
    """What the page holds."""
    text = re.search(r'<script type="application/json">(.*?)</script>', PAGE.read_text(encoding="utf-8"))[1]
    return json.loads(text)["analyses"]


def visit(page, hash=""):
    page.goto(PAGE.as_uri() + hash)
    page.wait_for_selector(CURVE, state="attached")


def sentence(page):
    return page.locator(".explorer-summary").inner_text()


def curves(page):
    return [curve.get_attribute("d") for curve in page.locator(CURVE).all()]


def focus(page, selector):
    """Go forward with the tab key until a control has the focus, as one who has no mouse does."""
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not lead to {selector}")


def test_every_control_is_reached_and_used_from_the_keyboard(explorer, analyses):
    before = sentence(explorer), curves(explorer)
    focus(explorer, "[name=architecture]")
    explorer.keyboard.press("ArrowRight")
    expect(explorer.locator(".explorer-summary")).to_have_text(re.compile("^Stack of two tiled blocks"))
    assert all(old != new for old, new in zip(before, (sentence(explorer), curves(explorer))))
    most = max(int(key.split(".")[2]) for key in analyses)
    focus(explorer, "[name=channels]")
    explorer.keyboard.press("End")
    expect(explorer).to_have_url(re.compile(rf"setting=tiled\.\d+\.{most}\."))
    focus(explorer, "[name=process]")
    explorer.keyboard.press("End")
    expect(explorer).to_have_url(re.compile(rf"setting=tiled\.\d+\.{most}\.sunspots$"))
    focus(explorer, "[name=axis]")
    explorer.keyboard.press("ArrowRight")
    expect(explorer.locator(".explorer-allocation .xtitle")).to_contain_text("log scale")
    focus(explorer, ".explorer-controls button:last-child")
    explorer.keyboard.press("Enter")
    expect(explorer.locator(".explorer-summary")).to_have_text(before[0])
    assert curves(explorer) == before[1]


def test_every_analysis_is_shown_with_its_numbers_and_the_code_that_was_run(explorer, analyses):
    for key, analysis in analyses.items():
        explorer.evaluate("key => { location.hash = `setting=${key}` }", key)
        architecture, size, channels, process = key.split(".")
        code = Setting(architecture, int(size), int(channels), process).code
        explorer.wait_for_function("code => document.querySelector('.explorer pre').textContent === code", arg=code)
        command = Setting(architecture, int(size), int(channels), process).command
        assert explorer.locator(".explorer pre").nth(1).text_content() == command
        words = sentence(explorer)
        assert f"total capacity {analysis['total']} of {analysis['inputs']} inputs" in words
        assert f"from {analysis['parameters']} parameters" in words
        quarter = sum(analysis["allocation"][-(analysis["inputs"] // 4) :]) / analysis["total"]
        assert abs(int(re.search(r"has (\d+)\s% of the capacity", words)[1]) - 100 * quarter) <= 0.5001
        assert ("constraints coincide" in words) == (analysis["total"] < analysis["generic"])
        assert ("stopped after" in words) == (not analysis["converged"])


def test_the_address_names_what_is_shown_and_the_back_button_returns(explorer):
    first = sentence(explorer)
    explorer.get_by_label("repeated").check()
    second, named = sentence(explorer), explorer.url
    explorer.get_by_label("Process").select_option("sunspots")
    assert len({first, second, sentence(explorer)}) == 3
    explorer.go_back()
    explorer.wait_for_function("words => document.querySelector('.explorer-summary').innerText === words", arg=second)
    assert explorer.get_by_label("repeated").is_checked()
    explorer.go_back()
    explorer.wait_for_function("words => document.querySelector('.explorer-summary').innerText === words", arg=first)
    explorer.goto("about:blank")
    explorer.goto(named)
    assert sentence(explorer) == second
    explorer.goto("about:blank")
    visit(explorer, "#setting=no.such.setting&kept=neither&axis=other")
    assert sentence(explorer) == first


def test_a_curve_is_kept_and_compared_with_the_next(explorer):
    shown, curve = sentence(explorer), curves(explorer)
    explorer.get_by_role("button", name="Keep this curve").click()
    explorer.get_by_label("recurrent").check()
    assert explorer.locator(".explorer-kept").inner_text() == f"Kept: {shown}"
    assert sentence(explorer).startswith("Recurrent model")
    assert curve[0] in curves(explorer)
    assert len(curves(explorer)) == 2
    explorer.get_by_text("The capacities as numbers").click()
    assert explorer.locator(".explorer thead th").all_inner_texts() == ["Lag", "Shown", "Kept"]
    explorer.reload()
    assert len(curves(explorer)) == 2
    explorer.get_by_role("button", name="Drop").click()
    assert len(curves(explorer)) == 1
    assert explorer.locator(".explorer-kept").inner_text() == ""


def test_the_colours_follow_the_theme(explorer):
    seen = set()
    for theme in ("light", "dark"):
        explorer.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        explorer.wait_for_timeout(200)
        text = explorer.locator(".explorer-allocation .xtitle").evaluate("node => getComputedStyle(node).fill")
        assert text == explorer.locator(".explorer-summary").evaluate("node => getComputedStyle(node).color")
        seen.add(text)
    assert len(seen) == 2


def test_the_chapter_about_an_architecture_is_there(explorer):
    for name in ("hierarchical", "tiled", "repeated", "recurrent"):
        explorer.get_by_label(name).check()
        link = explorer.locator(".explorer a").get_attribute("href")
        assert (PAGE.parent / link).resolve().is_file()


def test_without_script_there_is_a_message_and_a_figure(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE.as_uri())
    assert page.locator(".explorer").inner_text().startswith("The explorer needs JavaScript. The figure below")
    assert page.locator("figure#beyond-explorer img:visible").count() == 1
    context.close()


def test_a_link_from_a_chapter_leads_to_its_setting_and_the_address_follows_from_there(explorer, analyses):
    first, last = next(iter(analyses)), list(analyses)[-1]
    visit(explorer, f"?setting={last}")
    shown = sentence(explorer)
    assert f"from {analyses[last]['parameters']} parameters" in shown
    explorer.evaluate("key => { location.hash = `setting=${key}` }", first)
    explorer.wait_for_function("words => document.querySelector('.explorer-summary').innerText !== words", arg=shown)
    assert f"from {analyses[first]['parameters']} parameters" in sentence(explorer)
