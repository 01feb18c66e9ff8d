"""The living budget in a browser, opened as a file: its arithmetic is the package's, and any weight can be moved."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup
from built_site import SITE
from live_page import STATIC, check_at_rest, kept, numbers, page_with, swipe, write

from capacity import DilatedConvolution, model_constraints, tensor_train_allocation, tensor_train_capacity
from edition.sphinx_ext.interactive import SCENES

FILES, INVITATION, _ = SCENES["budget"]
SHIFTED = """() => new Promise((done) => {
  const sum = (list) => list.getEntries().reduce((total, { value }) => total + value, 0);
  new PerformanceObserver((list) => done(sum(list))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 200);
})"""
REST = [0.5, 0.8, 0.9, -0.4, 1.0, 0.6]
STACK = DilatedConvolution.hierarchical(3)


def plain(model, parameters):
    return {
        "scene": "budget",
        "dilations": list(model.dilations),
        "weights": [f.tolist() for f in model.filters(parameters)],
    }


def expected(model, parameters):
    return model_constraints(model, parameters, np.eye(model.n_inputs))


OFF = [0.5, 0.8, 0, 0, 1.0, 0.6]
REST_OF_STACK = {"dilations": STACK.dilations, "weights": STACK.filters(REST), "capacities": [], "generic": 4}


@pytest.fixture(scope="module")
def computed(browser):
    """Return what the script computes of a network."""
    page = browser.new_page()
    page.add_script_tag(path=STATIC / "budget-kernel.js")
    yield lambda network: page.evaluate("({dilations, weights}) => budgetKernel(dilations, weights)", network)
    page.close()


@pytest.fixture
def written(tmp_path):
    """Return the address of a page with a network, whose total elsewhere may be larger by `more`."""

    def written(model, parameters, more=0):
        space = expected(model, parameters)
        return write(
            tmp_path, plain(model, parameters) | {"capacities": [], "generic": space.total + more, "states": {}}
        )

    return written


@pytest.fixture
def address(written):
    return written(STACK, REST)


page = page_with("budget", **REST_OF_STACK, states={"off": [layer.tolist() for layer in STACK.filters(OFF)]})


def links(page):
    """The weights, in the order in which the tab key reaches them: from the output down, the oldest tap first."""
    return page.get_by_role("slider")


def values(page):
    return numbers(links(page), "aria-valuenow")


def jars(page):
    """What the page computes, which must be what it draws and says."""
    (capacities,) = kept(page, "capacities")
    heights = numbers(page.locator("svg .capacity"), "height")
    assert np.allclose(np.divide(heights, 72), capacities, atol=1e-6)
    said = page.locator("svg [role=img]").get_attribute("aria-label")
    assert ", ".join(f"{capacity:.2f}" for capacity in capacities) in said
    return capacities


def total(page):
    return page.locator("svg .total").text_content()


def at(page):
    """The parameters of the stack that the page shows: layers from below, the tap without a step first."""
    return np.array(values(page))[::-1]


@pytest.mark.parametrize("seed", range(4))
def test_at_random_settings_the_script_computes_what_the_package_does(computed, seed):
    rng = np.random.default_rng(seed)
    for kind in range(30):
        layers = int(rng.integers(1, 7))
        channels = rng.integers(1, 4, layers - 1).tolist()
        if kind % 2:
            model = DilatedConvolution.hierarchical(layers, channels)
        else:
            taps = rng.integers(1, 4, layers).tolist()
            model = DilatedConvolution(rng.integers(1, 5, layers).tolist(), channels, taps)
        parameters = rng.uniform(-1, 1, model.n_parameters).round(2)
        if kind % 3 == 0:
            parameters[rng.random(parameters.size) < 0.3] = 0
        found, space = computed(plain(model, parameters)), expected(model, parameters)
        assert found["total"] == space.total, (model, parameters)
        np.testing.assert_allclose(found["capacities"], space.spatial(), atol=1e-10)


def test_the_total_never_flickers_where_weights_are_small(computed):
    model = DilatedConvolution.hierarchical(4, 2)
    for small in (1e-2, 1e-5, 1e-8):
        for seed in range(5):
            parameters = np.random.default_rng(seed).choice([-small, small, 0.7, 1.0], model.n_parameters)
            assert computed(plain(model, parameters))["total"] == expected(model, parameters).total


def test_examples_by_hand_come_out(computed):
    found = computed({"dilations": [1, 2], "weights": [[[[1], [0]]], [[[0.8], [0.6]]]]})
    np.testing.assert_allclose(found["capacities"][::-1], [1, 0.64, 1, 0.36], atol=1e-12)
    by_lag = np.outer([0.8, 0.6], [1.0, 0.0]).ravel()
    np.testing.assert_allclose(found["capacities"], tensor_train_allocation(by_lag[::-1], [2, 2], 1), atol=1e-12)
    for channels in (1, 2, 3, 4):
        model = DilatedConvolution.hierarchical(6, channels)
        found = computed(plain(model, model.initial(0)))
        assert found["total"] == tensor_train_capacity([2] * 6, channels)


def test_each_budget_of_the_book_begins_as_its_chapter_computed_it(computed, site):
    found = [
        json.loads(root["data-live"])
        for path in sorted((SITE / "chapters").rglob("*.html"))
        if "live-controls" in (text := path.read_text(encoding="utf-8"))
        for root in BeautifulSoup(text, "html.parser").select(".live-controls")
    ]
    found = [live for live in found if live["scene"] == "budget"]
    assert found
    for network in found:
        np.testing.assert_allclose(computed(network)["capacities"], network["capacities"], atol=1e-10)
        assert computed(network)["total"] == network["generic"]


def test_the_network_takes_the_place_of_the_picture_and_nothing_else_moves(page):
    assert not page.locator("img").is_visible()
    box = page.locator("svg.budget").bounding_box()
    assert box["width"] == pytest.approx(min(552, page.viewport_size["width"]), abs=1)
    assert box["height"] == pytest.approx(box["width"] * 360 / 552, abs=1)
    before = page.locator("#below").bounding_box()
    links(page).first.focus()
    for key in ("End", "PageDown", "Home"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Draw at random").click()
    assert page.locator("#below").bounding_box() == before
    assert page.evaluate(SHIFTED) < 0.01


def test_at_rest_it_shows_what_was_given(page):
    assert at(page).tolist() == REST
    np.testing.assert_allclose(jars(page), expected(STACK, REST).spatial(), atol=1e-10)
    assert total(page) == "4 of 8"


def test_the_keyboard_reaches_every_weight_and_the_jars_follow_while_the_total_stands_still(page):
    for index, link in enumerate(links(page).all()):
        page.keyboard.press("Tab")
        assert link.evaluate("link => link === document.activeElement")
        before, shown = values(page), jars(page)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("PageDown")
        now = values(page)
        assert now[index] == pytest.approx(before[index] - 0.3)
        assert link.get_attribute("aria-valuetext") == f"{now[index]:.2f}".replace("-", "\N{MINUS SIGN}")
        assert [value for k, value in enumerate(now) if k != index] == [v for k, v in enumerate(before) if k != index]
        assert not np.allclose(jars(page), shown, atol=1e-3)
        np.testing.assert_allclose(jars(page), expected(STACK, at(page)).spatial(), atol=1e-10)
        assert total(page) == "4 of 8"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert values(page)[-1] == -1


@pytest.mark.parametrize("index", [0, 3, 5])
def test_a_mouse_drags_any_weight_up_and_down(page, index):
    before = values(page)[index]
    hold = links(page).nth(index).locator(".hold").last
    x, y = hold.evaluate("""line => {
      const at = (k) => (line[k + "1"].baseVal.value + 2 * line[k + "2"].baseVal.value) / 3;
      const point = new DOMPoint(at("x"), at("y")).matrixTransform(line.getScreenCTM());
      return [point.x, point.y];
    }""")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 30, steps=3)
    assert values(page)[index] < before - 0.1
    page.mouse.move(x, y - 400, steps=3)
    assert values(page)[index] == 1
    page.mouse.up()
    page.mouse.move(x, y + 50)
    assert values(page)[index] == 1
    np.testing.assert_allclose(jars(page), expected(STACK, at(page)).spatial(), atol=1e-10)


def test_every_weight_has_a_grip_of_its_own_which_is_what_a_pointer_meets_there(page):
    for link in links(page).all():
        assert link.locator(".grip circle").evaluate("""circle => {
          const box = circle.getBoundingClientRect();
          const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return box.width > 12 && circle.closest("[role=slider]").contains(met);
        }""")


def test_words_of_the_text_move_the_picture_and_start_again_leads_back(page):
    words = page.locator(".moves")
    words.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('svg .total').textContent === '2 of 8'")
    assert at(page).tolist() == OFF
    np.testing.assert_allclose(jars(page), expected(STACK, OFF).spatial(), atol=1e-10)
    assert not page.locator("svg .hand").is_visible()
    page.get_by_role("button", name="Start again").click()
    assert (at(page).tolist(), total(page)) == (REST, "4 of 8")
    words.click()
    links(page).first.focus()
    page.keyboard.press("End")  # the hand has the last word
    page.wait_for_timeout(700)
    assert (values(page)[0], total(page)) == (1, "4 of 8")


def test_a_finger_drags_a_weight_and_not_the_page(page):
    x, y = page.locator("svg .hand").evaluate(
        "hand => { const box = hand.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    swipe(page, (x, y), (0, 20), (0, 40))
    page.wait_for_function(
        "most => Number(document.querySelector('[role=slider]').ariaValueNow) < most", arg=REST[-1] - 0.3
    )
    assert page.evaluate("scrollY") == 0


def test_the_hand_invites_until_the_first_touch_and_keeps_still_where_motion_is_not_wanted(page):
    hand = page.locator("svg .hand circle")
    assert hand.is_visible()
    moving = "hand => getComputedStyle(hand).animationName"
    assert hand.evaluate(moving) != "none"
    page.emulate_media(reduced_motion="reduce")
    assert hand.evaluate(moving) == "none"
    links(page).first.focus()
    page.keyboard.press("ArrowUp")
    assert not hand.is_visible()


def test_the_total_drops_only_where_a_layer_is_switched_off_and_says_so(page):
    says = page.locator(".live-controls output")
    off = "2 of 8", "Layer 3 is switched off"
    steps = [("4 of 8", INVITATION), off, off, ("0 of 8", "Layers 2 and 3 are switched off")]
    for index, (text, reason) in enumerate(steps):
        link = links(page).nth(index)
        link.focus()
        page.keyboard.press("Home")
        for _ in range(4):
            page.keyboard.press("PageUp")
        assert values(page)[index] == 0
        assert total(page) == text
        assert reason in says.inner_text()
    page.get_by_role("button", name="Start again").click()
    assert (at(page).tolist(), total(page), says.inner_text()) == (REST, "4 of 8", INVITATION)


def test_every_weight_of_several_channels_has_its_line_and_a_coincidence_is_told(browser, written):
    model, page = DilatedConvolution.hierarchical(4, 2), browser.new_page()
    parameters = np.random.default_rng(0).uniform(-1, 1, model.n_parameters).round(2)
    page.goto(written(model, parameters, more=1))
    assert total(page) == "12 of 16"
    assert page.locator(".live-controls output").inner_text().startswith("At exactly these weights some directions")
    names = [link.get_attribute("aria-label") for link in links(page).all()]
    assert len({*names}) == len(names) == model.n_parameters
    assert names[0] == "Layer 4, 8 steps back, channel 1 to 1"
    assert sorted(values(page)) == sorted(parameters)
    jars(page)
    page.close()


def test_random_weights_move_the_jars_and_not_the_total(page):
    for _ in range(5):
        before = jars(page)
        page.get_by_role("button", name="Draw at random").click()
        assert not np.allclose(jars(page), before, atol=1e-3)
        assert total(page) == "4 of 8"
        assert np.abs(values(page)).min() > 0.1


def test_who_hears_the_page_hears_weights_jars_and_total_and_on_paper_there_is_the_picture(page):
    names = [link.get_attribute("aria-label") for link in links(page).all()]
    assert names == [f"Layer {layer}, {back} steps back" for layer, step in ((3, 4), (2, 2)) for back in (step, 0)] + [
        "Layer 1, 1 step back",
        "Layer 1, 0 steps back",
    ]
    assert page.locator("svg [role=img]").get_attribute("aria-label").endswith("in all 4 of 8")
    check_at_rest(page, "budget")


def test_without_script_there_is_the_picture_alone(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("img").is_visible()
    assert not page.locator("output, button").first.is_visible()
    context.close()


def test_the_scripts_of_all_live_pictures_weigh_at_most_60_kb():
    assert (
        sum((STATIC / name).stat().st_size for name in {name for scene in SCENES.values() for name in scene.files})
        <= 60_000
    )
