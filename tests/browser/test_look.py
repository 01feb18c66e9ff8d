"""What pages look like: figures, code, formulas and boxes, on a desk and on a phone, in both themes, and on paper."""

import re

import pytest
from browser import awaited
from built_site import SITE, WIDTHS, open_page, page_of, settled, unfold
from matplotlib.colors import to_rgb

GROUND = "#121212"  # of the theme's pages in the dark mode
CHAPTERS = ["linear/sensitivity", "linear/3-capacity", "linear/5-1-hierarchical", "layers/4-1-receptive-field"]
CHAPTERS = [*map(page_of, CHAPTERS)]
EXPLORER = "chapters/beyond/explorer.html"
ALL = "const all = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());"
FILTERED = """([filter, colors]) => {
  const drawn = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  drawn.filter = filter;
  return colors.map((color) => {
    drawn.fillStyle = color;
    drawn.fillRect(0, 0, 1, 1);
    const [red, green, blue] = drawn.getImageData(0, 0, 1, 1).data;
    return [red / 255, green / 255, blue / 255];
  });
}"""
WIDER = """selector => [...document.querySelectorAll(selector)]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 120))"""


def contrast(first, second):
    """Return the contrast of two colours by WCAG 2, from 1 to 21."""
    linear = [[v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in to_rgb(c)] for c in (first, second)]
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture
def opened(browser):
    """Open a page at a width, in a theme."""
    contexts = []

    def open_at(name, width, theme="light"):
        page, _ = open_page(browser, *width)
        contexts.append(page.context)
        page.emulate_media(color_scheme=theme)
        page.goto((SITE / name).as_uri())
        settled(page)
        return page

    yield open_at
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", CHAPTERS)
def test_figures_fit_and_their_size_is_known_before_they_are_there(opened, name):
    """On a desk in the column of text; on a phone with letters of 11 pixels, moved sideways where it does not fit."""
    figures = (
        f"async () => {{ {ALL}"
        + """return Promise.all(all("article figure img").map(async (e) => {
      const [box, column] = [e, e.closest("section")].map((found) => found.getBoundingClientRect());
      e.loading = "eager"; // those far below are not there yet
      await e.decode();
      return { fits: box.left >= column.left - 1 && box.right <= column.right + 1, height: e.getAttribute("height"),
               scrolls: getComputedStyle(e.parentElement).overflowX === "auto",
               letters: 15 * box.width / e.getAttribute("width"),
               share: box.height / box.width * e.naturalWidth / e.naturalHeight };
    })); }"""
    )
    desk, phone = (awaited(opened(name, width), figures) for width in ((1440, 900), WIDTHS["phone"]))
    assert desk
    assert all(figure["fits"] and int(figure["height"]) > 0 for figure in desk)
    assert all(figure["fits"] or figure["scrolls"] for figure in phone)
    assert min(figure["letters"] for figure in phone) > 11
    assert all(figure["share"] == pytest.approx(1, abs=0.01) for figure in desk + phone)


def test_a_figure_is_enlarged_and_left_from_the_keyboard(opened):
    page = opened(CHAPTERS[0], WIDTHS["desktop"], "dark")
    link = page.locator("article a.enlarge").first
    before = link.locator("img:visible").bounding_box()["width"]
    link.focus()
    page.keyboard.press("Enter")
    shown = page.locator("dialog.enlarged[open] img")
    shown.wait_for()
    assert shown.bounding_box()["width"] > before
    assert shown.get_attribute("src") == link.get_attribute("href")
    assert shown.get_attribute("alt") == link.locator("img").first.get_attribute("alt")
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.className").startswith("enlarge")


def test_without_scripts_a_figure_leads_to_its_image(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((SITE / page_of("linear/2-intuitions")).as_uri())
    assert page.locator("article figure img:visible").count() == 1
    page.locator("article a.enlarge").first.click()
    assert page.url.endswith(".svg")
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_white_of_figures_is_the_ground_of_the_page(opened, theme):
    for name in (CHAPTERS[2], "chapters/figures.html", "chapters/intro.html"):
        page = opened(name, WIDTHS["desktop"], theme)
        look = "(e) => getComputedStyle(e).filter"
        images = page.evaluate(
            f"() => {{ {ALL} return all('article :is(figure, .figure-entry, .figure-shown) img').map({look}); }}"
        )
        assert set(images) == {"invert(0.93) hue-rotate(180deg)" if theme == "dark" else "none"}
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", ground))
        assert f"#{red:02x}{green:02x}{blue:02x}" == (GROUND if theme == "dark" else "#ffffff")


def test_the_text_of_figures_can_be_read_in_the_dark_mode(site, opened):
    found = set()
    for file in (site / "figures").glob("*.svg"):
        for group in re.split(r'(?=<g id=")', file.read_text(encoding="utf-8")):
            if group.startswith('<g id="text_'):
                found |= {*re.findall(r"fill: (#\w{6})", group)[:1]} - {"#ffffff"}  # on a dark cell
    assert found
    page = opened(CHAPTERS[0], WIDTHS["desktop"], "dark")
    shown = page.evaluate(FILTERED, ["invert(0.93) hue-rotate(180deg)", sorted(found)])
    assert {color: dark for color, dark in zip(sorted(found), shown) if contrast(dark, GROUND) < 4.5} == {}


@pytest.mark.parametrize("name", CHAPTERS)
def test_on_a_phone_headings_get_smaller_with_their_level_and_nothing_is_cut_without_a_sign(opened, name):
    page = opened(name, WIDTHS["phone"])
    size = "found => found.map((e) => parseFloat(getComputedStyle(e).fontSize))"
    sizes = [page.eval_on_selector_all(f"article {level}", size) for level in ("h1", "h2", "h3")]
    sizes = [max(found) for found in sizes if found]
    assert sizes == sorted(set(sizes), reverse=True)
    assert page.evaluate(WIDER, "article :is(h1, h2, h3), article .cell_input pre") == []
    unfold(page)
    formulas = page.evaluate("""() => [...document.querySelectorAll("article mjx-container[display='true']")]
      .filter((e) => e.checkVisibility()).map((e) => ({
        spare: e.clientWidth - e.firstElementChild.getBoundingClientRect().width, scrolls: e.matches(".wide-display"),
        share: parseFloat(e.style.fontSize) / parseFloat(e.dataset.size),
        fade: getComputedStyle(e).maskImage !== "none" && getComputedStyle(e).overflowX === "auto" }))""")
    for formula in formulas:
        assert 0.69 < formula["share"] <= 1
        assert (formula["spare"] < 0) == formula["scrolls"]
        assert formula["fade"] or not formula["scrolls"]


@pytest.mark.parametrize("name", [page_of("linear/3-capacity"), page_of("layers/2-1-augmented")])
def test_88_characters_of_code_fit_on_a_desk(opened, name):
    page = opened(name, (1440, 900))
    characters = """pre => {
      const probe = document.createElement("span"), style = getComputedStyle(pre);
      probe.textContent = "x".repeat(100);
      pre.append(probe);
      const one = probe.getBoundingClientRect().width / 100;
      probe.remove();
      return (pre.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / one;
    }"""
    probed = page.locator("article .cell_input pre:visible").first
    assert probed.evaluate(f"pre => {{ pre.style.whiteSpace = 'pre'; return ({characters})(pre); }}") >= 88
    probed.evaluate("pre => { pre.style.whiteSpace = ''; }")
    assert page.evaluate(WIDER, "article .cell_input pre") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_can_be_read_while_it_is_pointed_at(opened, theme):
    page = opened(CHAPTERS[1], (1440, 900), theme)
    page.add_style_tag(content="* { transition: none !important; }")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for kind in ("article p a.reference", "article a.term-link", ".bd-sidebar-primary a.reference", ".page-toc a"):
        link = page.locator(f"{kind}:visible").last
        rest = link.evaluate("e => getComputedStyle(e).color")
        link.hover()
        pointed = link.evaluate("e => getComputedStyle(e).color")
        assert pointed != rest, kind
        colors = [[int(value) / 255 for value in re.findall(r"\d+", color)[:3]] for color in (pointed, ground)]
        assert contrast(*colors) >= 4.5, kind


def test_every_button_shows_that_it_has_the_focus(opened):
    for width in WIDTHS.values():
        page = opened(CHAPTERS[1], width)
        page.keyboard.press("Tab")  # from here on the focus is that of a keyboard
        plain = page.evaluate(
            f"() => {{ {ALL}"
            + """return all("button, article summary").filter((e) => {
          e.focus({ focusVisible: true });
          const { outlineStyle, outlineWidth } = getComputedStyle(e);
          return document.activeElement === e && (outlineStyle === "none" || parseFloat(outlineWidth) < 2);
        }).map((e) => e.outerHTML.slice(0, 120)); }"""
        )
        assert plain == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_paper_a_page_is_its_text_dark_on_white(opened, theme):
    page = opened(CHAPTERS[2], (700, 1000), theme)
    page.emulate_media(media="print", color_scheme=theme)
    shown = page.evaluate(
        f"() => {{ {ALL}"
        + """
      const around = ".bd-sidebar-primary, .bd-sidebar-secondary, .bd-header-article, .prev-next-footer, .headerlink";
      const texts = all("article :is(p, li, h1, h2, a, pre, pre span, figcaption, td, th, mjx-container)");
      return {
        around: all(around).length,
        ground: getComputedStyle(document.body).backgroundColor,
        colors: [...new Set(texts.map((e) => getComputedStyle(e).color))],
        images: all("article figure img").map((e) => getComputedStyle(e).filter),
        closed: all("article details.hide:not([open]), article details.passport:not([open])").length,
      };
    }"""
    )
    assert shown["around"] == shown["closed"] == 0
    assert shown["ground"] == "rgb(255, 255, 255)"
    assert set(shown["images"]) == {"none"}
    for color in shown["colors"]:
        if color.startswith("rgb("):
            red, green, blue = map(int, re.findall(r"\d+", color))
            assert contrast(f"#{red:02x}{green:02x}{blue:02x}", "white") >= 4.5, color
    assert page.evaluate(WIDER, "article .cell_input pre, article figure") == []
    assert page.pdf(format="A4").startswith(b"%PDF")
