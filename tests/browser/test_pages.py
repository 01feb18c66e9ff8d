"""The built book as a browser shows it, on a desktop and on a phone, from files, and in part from a server.

``make test-browser`` runs these tests.
"""

import json
import re
import statistics

import pytest
from built_site import FAULTS, FIGURE, REFRESH, SITE, TEMPLATES, WIDTHS, open_page, page_of, settled, visit

from edition.claims.labels import PAPERS
from edition.sphinx_ext.interactive import SCENES

ENTRY = "index.html"  # leads on to the first page
FIRST = "chapters/intro.html"
HOME = SITE.as_uri()


@pytest.fixture(scope="session", params=["server", "files"])
def home(request, address):
    """Where the site is: on a server, or in a folder."""
    return address if request.param == "server" else HOME


@pytest.fixture(scope="session")
def visits(browser):
    """What every page shows, by width and address."""
    paths = [path for path in sorted(SITE.rglob("*.html")) if "_static" not in path.parts]
    paths = [path for path in paths if REFRESH not in path.read_text(encoding="utf-8").lower()]
    names = [path.relative_to(SITE).as_posix() for path in paths]
    alike = {*TEMPLATES, *(name for name in names if name.startswith("chapters/api/"))}  # one of a kind is a template
    return visit(
        browser, [f"{HOME}/{name}" for name in names], heard={f"{HOME}/{name}" for name in names if name not in alike}
    )


@pytest.fixture(scope="session")
def pages(visits):
    """The same at one width, for what does not depend on it."""
    return visits["desktop"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_page_has(visits, width, fault):
    assert {address: found for address, page in visits[width].items() if (found := page["faults"][fault])} == {}


def test_from_a_server_a_page_is_as_from_files(browser, address, visits):
    names = (FIRST, "chapters/claims.html", "chapters/beyond/explorer.html", "search.html")  # these fetch the most
    served = visit(browser, [f"{address}/{name}" for name in names])
    for width, found in served.items():
        for name in names:
            there, here = found[f"{address}/{name}"], visits[width][f"{HOME}/{name}"]
            assert there["faults"] == here["faults"]
            assert there["formulas"] == here["formulas"]


def test_there_are_pages_with_formulas(pages):
    assert {f"{HOME}/{FIRST}", *(f"{HOME}/{name}" for name in TEMPLATES)} <= pages.keys()
    assert sum(page["formulas"] for page in pages.values()) > 1000


@pytest.mark.parametrize("width", WIDTHS)
def test_each_live_picture_is_as_large_as_the_figure_at_rest(visits, width):
    seen = set()
    for address, page in visits[width].items():
        source = (SITE / address.removeprefix(f"{HOME}/")).read_text(encoding="utf-8")
        assert len(page["live"]) == source.count('class="live-controls"')
        for live in page["live"]:
            assert live["ratio"] == pytest.approx(live["rest"], rel=0.01), (address, live)
            assert live["hidden"]
            assert live["holds"] > 0
            assert live["most"] <= 1
            assert live["waiting"] == 0
            seen.add(live["scene"])
    assert seen == {*SCENES}


def test_next_leads_through_all_chapters_and_previous_back(pages):
    chain = [f"{HOME}/{FIRST}"]
    while following := pages[chain[-1]]["next"]:
        assert pages[following]["previous"] == chain[-1]
        chain.append(following)
    assert sorted(chain) == sorted(address for address in pages if address.startswith(f"{HOME}/chapters/"))


def test_the_contents_show_what_most_readers_come_for_and_fold_the_rest_unless_it_is_shown(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    for name, opened in {FIRST: False, "chapters/author.html": True}.items():
        page.goto(f"{HOME}/{name}")
        captions = page.locator(".bd-docs-nav [role=heading]").all_inner_texts()
        assert [captions[0], captions[-1]] == ["Start here", "About this book"]
        shown = page.locator(".bd-docs-nav a:visible").all_inner_texts()
        assert "Corrections to the papers" in shown
        assert ("A letter to the author" in shown) == opened
        assert len(shown) <= 36
    page.context.close()


def test_definitions_properties_and_theorems_show_the_badge_of_their_claim(pages):
    claims = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))["claims"]
    links = {claim["id"].replace("/", "-"): f"{HOME}/{claim['link']}" for claim in claims}
    blocks = {label: badges for page in pages.values() for label, badges in page["blocks"].items()}
    assert {label: badges for label, badges in blocks.items() if label in links} == {
        label: [link] for label, link in links.items() if label in blocks
    }
    numbered = {label for label in links if re.fullmatch(rf"({'|'.join(PAPERS)})-(def|prop|thm|conj)-\d+", label)}
    assert numbered
    assert numbered <= blocks.keys()


@pytest.mark.parametrize(("width", "screens"), [("desktop", 1), ("phone", 2)])
def test_the_question_the_living_budget_and_three_ways_on_come_first_and_no_plumbing(browser, home, width, screens):
    page, _ = open_page(browser, *WIDTHS[width])
    page.goto(f"{home}/{ENTRY}")
    page.wait_for_url(f"**/{FIRST}")
    picture, ways = page.locator("article svg.budget"), page.locator("article .ways")
    picture.wait_for()
    assert "?" in page.locator("article h1").inner_text()
    box, height = picture.bounding_box(), WIDTHS[width][1]
    assert page.evaluate("scrollY") == 0
    assert box["width"] > 300
    assert box["y"] + box["height"] <= height
    end = ways.bounding_box()["y"] + ways.bounding_box()["height"]
    assert end <= screens * height
    assert (ways.locator("> p").count(), ways.locator("> p:has(a)").count()) == (3, 3)
    before = page.locator("article :is(a:not(.headerlink), summary):visible").first.bounding_box()
    assert before["y"] > box["y"] + box["height"]
    page.context.close()


def test_words_that_move_a_picture_find_one_on_their_page(pages):
    assert {role for page in pages.values() for role in page["moves"]} == {"button"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "place",
    [
        page_of("linear/3-capacity", "#linear-prop-3"),
        page_of("linear/3-capacity", "#equation-linear-eq-5"),
        page_of("linear/5-1-hierarchical", "#why-the-curves-have-spikes"),
        page_of("linear/5-1-hierarchical", "#claim-linear-fig-5-recent-first"),
        "chapters/glossary.html#symbol-kappa",
        "chapters/claims.html#what-holds",
        "chapters/api/linalg.html#capacity.linalg.orthonormal_basis",
    ],
)
def test_a_link_into_a_page_leads_below_the_bar(browser, width, place):
    page, _ = open_page(browser, *WIDTHS[width])
    page.goto(f"{HOME}/{place}")
    settled(page)
    top = page.evaluate(
        "document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top"
    )
    bar = page.locator(".bd-header-article").bounding_box()
    assert bar["y"] + bar["height"] <= top < bar["height"] + 60
    page.context.close()


def test_the_dark_mode_is_chosen_by_the_system_and_by_the_button(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    ground = "getComputedStyle(document.body).backgroundColor"
    colors = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{HOME}/{FIRST}")
        colors.append(page.evaluate(ground))
    assert colors[0] != colors[1]
    for _ in range(3):  # the button goes through light, dark and the system's choice
        page.locator("button.theme-switch-button:visible").click()
        colors.append(page.evaluate(ground))
    assert set(colors[2:]) == set(colors[:2])
    page.context.close()


def test_the_keyboard_reaches_the_text_first_and_shows_where_it_is(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{HOME}/{page_of('linear/3-capacity')}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#main-content"
    marked = """() => {
      const e = document.activeElement;
      const drawn = ["fill", "stroke", "opacity"]; // what shows it in a picture
      const properties = ["outline", "boxShadow", "backgroundColor", "borderColor", "textDecoration", ...drawn];
      const parts = [e, ...e.querySelectorAll("*")]; // the theme marks the arrow in what folds a part of the contents
      const look = () => parts.flatMap((part) => properties.map((name) => getComputedStyle(part)[name])).join();
      const focused = look();
      e.blur();
      const differs = focused !== look();
      e.focus({ focusVisible: true });
      return differs ? "" : e.outerHTML.slice(0, 120);
    }"""
    page.add_style_tag(content="* { transition: none !important; }")
    unmarked = []
    for _ in range(60):
        page.keyboard.press("Tab")
        unmarked.append(page.evaluate(marked))
    assert [found for found in unmarked if found] == []
    page.context.close()


def test_no_figure_has_text_cut_off_or_on_top_of_other_text(browser):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    bad = {}
    for figure in sorted((SITE / "figures").glob("*.svg")):
        page.goto(figure.as_uri())
        if found := page.evaluate(FIGURE):
            bad[figure.name] = found
    page.context.close()
    assert bad == {}


def text_size(file):
    """Return the size of the smallest text of a figure, indices apart, and the width, both in the figure's units."""
    svg = file.read_text(encoding="utf-8")
    sizes = re.findall(r"scale\((0\.\d+) -0\.\d+\)", svg)  # glyphs are drawn at size 100, upside down
    return 100 * min(map(float, sizes)), float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])


def test_on_a_phone_the_texts_of_figures_are_large_enough_to_read(visits):
    shown = {src: width for page in visits["phone"].values() for src, width in page["figures"]}
    assert len(shown) > 50
    small = {}
    for src, width in shown.items():
        size, natural = text_size(SITE / "figures" / src.rpartition("/")[2])
        if (pixels := size * width / natural) < 8:
            small[src] = pixels
    assert small == {}


def test_a_line_of_text_on_a_desk_has_60_to_75_characters(pages):
    lines = {address: page["lines"] for address, page in pages.items() if len(page["lines"]) >= 3}
    assert len(lines) > 30
    assert {a: middle for a, found in lines.items() if not 60 <= (middle := statistics.median(found)) <= 75} == {}


def test_the_theory_on_one_page_is_one_page_on_paper(browser, site):
    page = browser.new_page()
    page.goto((SITE / "chapters" / "hurried.html").as_uri())
    for size in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size))) == 1
    page.close()
