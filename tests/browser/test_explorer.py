"""The explorer in a browser, opened as a file: its jars are the package's, everything from the keyboard, any width."""

import json
import re
from itertools import product

import numpy as np
import pytest
from browser import awaited
from built_site import SITE, WIDTHS, open_page
from playwright.sync_api import expect

from capacity import DilatedConvolution, model_constraints, standard_process
from capacity_inspection.graphs import holding_lags
from capacity_studies.explorer import KERNELS, SIZES, Setting

PAGE = SITE / "chapters" / "beyond" / "explorer.html"
CURVE = ".explorer-allocation path.curve"
SHOWN = """async (keys) => {
  const at = (kind) => document.querySelector(`.explorer-${kind}`), shown = {};
  const words = (kind) => (at(kind).checkVisibility() ? at(kind).textContent : ""); // innerText takes 5 ms each time
  for (const key of keys) {
    const heard = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    location.hash = `setting=${key}`;
    await heard; // the explorer hears it first
    shown[key] = {
      summary: words("summary"), reading: words("reading"), means: words("means"),
      losses: at("losses").checkVisibility(), code: at("code").textContent, command: at("command").textContent,
    };
  }
  return shown;
}"""


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
    focus(explorer, "[name=size]")
    explorer.keyboard.press("ArrowRight")
    assert all(old != new for old, new in zip(before, (sentence(explorer), curves(explorer))))
    most = max(int(key.split(".")[2]) for key in analyses)
    focus(explorer, "[name=channels]")
    explorer.keyboard.press("End")
    focus(explorer, "[name=kernel]")
    explorer.keyboard.press("ArrowRight")
    expect(explorer).to_have_url(re.compile(rf"setting=hierarchical\.32\.{most}\.[a-z-]+\.3$"))
    focus(explorer, "[name=process]")
    explorer.keyboard.press("End")
    focus(explorer, "[name=architecture]")
    explorer.keyboard.press("ArrowRight")
    expect(explorer).to_have_url(re.compile(rf"setting=repeated\.32\.{most}\.sunspots\.3$"))
    focus(explorer, ".explorer-controls button:last-child")
    explorer.keyboard.press("Enter")
    expect(explorer.locator(".explorer-summary")).to_have_text(before[0])
    assert curves(explorer) == before[1]


def test_every_analysis_is_shown_with_its_numbers_and_the_code_that_was_run(explorer, analyses):
    for key, shown in awaited(explorer, SHOWN, [*analyses]).items():
        architecture, size, channels, process = key.split(".")
        setting = Setting(architecture, int(size), int(channels), process)
        assert (shown["code"], shown["command"]) == (setting.code, setting.command)
        analysis, words, told = analyses[key], shown["summary"], shown["reading"]
        assert words.startswith(f"It sees {analysis['inputs']} steps.")
        assert f"Total capacity {analysis['total']} of {analysis['inputs']}" in words
        assert f"from {analysis['parameters']} parameters" in words
        half = int(re.search(r"half of it lies in the last (\d+) step", words)[1])
        assert holding_lags(np.array(analysis["allocation"]), 0.5 - 1e-5) == half
        assert ("constraints coincide" in told) == (analysis["total"] < analysis["generic"])
        assert ("stopped after" in told) == (not analysis["converged"])


def drawn_settings(data, count):
    """Return settings of stacks that were not fitted, most of them small, as many as are asked for or as there are."""
    choices = (["hierarchical", "tiled", "repeated"], SIZES, data["channels"], [*data["processes"]], KERNELS)
    settings = [Setting(*values) for values in product(*choices)]
    found = {}
    for index in np.random.default_rng(0).permutation(len(settings)):
        setting = settings[index]
        inputs = 1 + (setting.kernel - 1) * sum(setting.dilations)
        key = setting.key + f".{setting.kernel}" * (setting.kernel != 2)
        if key not in data["analyses"] and inputs <= (64 if len(found) % 20 else data["most"]):
            found[key] = setting
    return dict([*found.items()][:count])


def test_at_300_settings_that_were_not_fitted_the_jars_are_those_of_the_package(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    visit(page)
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', PAGE.read_text(encoding="utf-8"))[1])
    settings = drawn_settings(data, 300)
    found = page.evaluate(
        """keys => keys.map((key) => {
          const root = document.querySelector(".explorer"), choice = root.choiceOf(key);
          return { ...root.analysisOf(choice), dilations: root.dilationsOf(choice), weights: root.weightsOf(choice) };
        })""",
        [*settings],
    )
    page.context.close()
    for setting, drawn in zip(settings.values(), found):
        model = DilatedConvolution(setting.dilations, setting.channels, setting.kernel)
        parameters = np.concatenate([np.ravel(layer) for layer in drawn["weights"]])
        made = {}
        exec(setting.code.split("model =")[0], made)
        space = model_constraints(model, parameters, made["process"].covariance(model.n_inputs))
        assert (drawn["inputs"], drawn["parameters"]) == (model.n_inputs, model.n_parameters), setting
        assert drawn["dilations"] == setting.dilations
        assert not drawn["fitted"]
        assert drawn["total"] == space.total, setting
        np.testing.assert_allclose(drawn["allocation"], space.spatial(), atol=1e-6, err_msg=str(setting))


def test_the_words_say_what_is_in_reach_and_what_the_last_dilation_buys(explorer):
    process = standard_process("seasonal")
    settings = {
        "hierarchical.16.2.seasonal": ([], [24, 168], 8),
        "hierarchical.16.2.seasonal.3": ([24], [168], 15),
        "repeated.64.1.seasonal.5": ([24, 168], [], 121),
        "hierarchical.16.4.seasonal.2": ([], [24, 168], 8),
    }
    for key, shown in awaited(explorer, SHOWN, [*settings]).items():
        inside, outside, before = settings[key]
        words, told, fitted = shown["summary"], shown["reading"], shown["means"]
        near, _, far = words.partition("Out of reach:")
        assert [int(lag) for lag in re.findall(r"\(lag (\d+)\)", near)] == inside
        assert [int(lag) for lag in re.findall(r"\(lag (\d+)\)", far)] == outside
        assert len(inside) + len(outside) == 2
        inputs, total = (int(re.search(rf"{what} (\d+)", words)[1]) for what in ("It sees", "Total capacity"))
        assert ("Every jar is full: in a linear network more channels would change nothing." in told) == (
            total == inputs
        )
        assert f"see lags {before + 1} to {inputs}" in told
        held = explorer.evaluate(
            "([key, count]) => { const root = document.querySelector('.explorer');"
            " return root.analysisOf(root.choiceOf(key)).allocation.slice(0, count).reduce((a, b) => a + b); }",
            [key, inputs - before],
        )
        assert f"They hold {held:.1f} of the capacity" in told
        left = [f"{100 * process.residual_variance(n):.1f}" for n in (inputs, before)]
        assert f"linear prediction leaves {left[0]}\xa0% of the variance, without {left[1]}\xa0%." in told
        assert ("random weights" in fitted) == (not shown["losses"])
        assert ("random weights" in fitted) == ("half of it" not in words)


@pytest.mark.parametrize("name", ["seasonal", "power-law", "sunspots"])
def test_a_stack_is_too_short_longer_than_it_needs_to_be_or_neither(explorer, name):
    made = {}
    exec(Setting("hierarchical", SIZES[0], 2, name).code.split("model =")[0], made)
    process = made["process"]
    for architecture, kernel in (("hierarchical", 2), ("repeated", 3), ("tiled", 5)):
        sizes = explorer.evaluate(
            "key => { const root = document.querySelector('.explorer'); return root.sizesOf(root.choiceOf(key)); }",
            f"{architecture}.{SIZES[0]}.2.{name}.{kernel}",
        )
        assert 2 < len(sizes) <= len(SIZES)
        stacks = {size: DilatedConvolution(Setting(architecture, size, 1, name).dilations, 1, kernel) for size in sizes}
        left = {size: process.residual_variance(stack.n_inputs) for size, stack in stacks.items()}
        keys = {f"{architecture}.{size}.2.{name}" + f".{kernel}" * (kernel != 2): size for size in left}
        for key, shown in awaited(explorer, SHOWN, [*keys]).items():
            size, words = keys[key], shown["summary"]
            now = left[size]
            assert f"It sees {stacks[size].n_inputs} step" in words
            wanted = next(other for other in left if left[other] < min(left.values()) + 0.01)
            assert ("Too short" in words) == (wanted > size)
            assert ("Longer than it needs to be" in words) == (wanted < size)
            assert ("As long as it needs to be" in words) == (wanted == size)
            if wanted != size:
                assert f"dilations up to {max(stacks[wanted].dilations)} " in words
                told = [float(share) for share in re.findall(r"([\d.]+)\xa0%", words)]
                np.testing.assert_allclose(told, [100 * left[wanted], 100 * now], atol=0.06)


def test_the_address_names_what_is_shown_and_the_back_button_returns(explorer):
    first = sentence(explorer)
    explorer.get_by_role("radio", name="blocks of two convolutions").check()
    second, named = sentence(explorer), explorer.url
    explorer.get_by_role("combobox").select_option("sunspots")
    assert len({first, second, sentence(explorer)}) == 3
    explorer.go_back()
    explorer.wait_for_function("words => document.querySelector('.explorer-summary').innerText === words", arg=second)
    assert explorer.get_by_role("radio", name="blocks of two convolutions").is_checked()
    explorer.go_back()
    explorer.wait_for_function("words => document.querySelector('.explorer-summary').innerText === words", arg=first)
    explorer.goto("about:blank")
    explorer.goto(named)
    assert sentence(explorer) == second
    explorer.goto("about:blank")
    visit(explorer, "#setting=no.such.setting&kept=neither")
    assert sentence(explorer) == first


def test_a_curve_is_kept_and_compared_with_the_next(explorer):
    shown, curve = sentence(explorer), curves(explorer)
    explorer.get_by_role("button", name="Keep this").click()
    explorer.get_by_role("radio", name="recurrent").check()
    total = re.search(r"otal capacity \d+ of \d+", shown)[0]
    assert explorer.locator(".explorer-kept").inner_text().endswith(f"t{total}.")
    assert explorer.get_by_role("radio", name="5", exact=True).is_disabled()
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
    for label in explorer.locator("[name=architecture]").all():
        label.check()
        link = explorer.locator(".explorer a").get_attribute("href")
        assert (PAGE.parent / link).resolve().is_file()


def test_without_script_there_is_a_message_and_a_figure(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE.as_uri())
    assert page.locator(".explorer").inner_text().startswith("To choose needs JavaScript.")
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
