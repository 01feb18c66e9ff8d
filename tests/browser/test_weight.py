"""What a first visit of a page loads, what moves meanwhile, and how much there is; from a server, with nothing kept."""

from itertools import chain

import pytest
from built_site import REFRESH, SITE, WIDTHS, open_page, page_of

FIRST, GALLERY, LEDGER = (f"chapters/{name}.html" for name in ("intro", "figures", "claims"))
MOST = {FIRST: 0.5e6, GALLERY: 4e6, LEDGER: 2.2e6}  # bytes, uncompressed
OTHERS = 1.5e6
REQUESTS = 25  # of the first page
SEARCH = 1e6  # bytes of what the search loads besides its page
SHIFT = 0.05  # of the layout; what is below 0.1 is said to go unnoticed
OBSERVE = """
  window.shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.hadRecentInput ? 0 : e.value)))
    .observe({ type: "layout-shift", buffered: true });
"""
QUIET = """() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const quiet = performance.now() - Math.max(...entries.map((entry) => entry.responseEnd));
  const isAhead = ({ top, height }) => height > 0 && top <= innerHeight;
  const isThere = (image) => image.complete || !isAhead(image.getBoundingClientRect());
  return document.readyState === "complete" && [...document.images].every(isThere) && quiet > 500;
}"""
# A browser fetches images that are not far below, too, once it has what it shows.
LOADED = """() => {
  const isBelow = (image) => image.getBoundingClientRect().top > innerHeight;
  const later = new Set([...document.querySelectorAll("img[loading=lazy]")].filter(isBelow).map((image) => image.src));
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const files = entries.filter(({ name }) => !later.has(name)).map((entry) => [entry.name, entry.decodedBodySize]);
  return { files: Object.fromEntries(files), shift, elements: document.querySelectorAll("*").length };
}"""


@pytest.fixture(scope="module")
def loaded(browser, address):
    """What each page loads before it is scrolled, how far its layout shifts, and how many elements it has."""
    pages = [path for path in SITE.glob("chapters/**/*.html") if REFRESH not in path.read_text(encoding="utf-8")]
    found = {}
    for name in sorted(path.relative_to(SITE).as_posix() for path in pages):
        opened = {width: open_page(browser, *size) for width, size in WIDTHS.items()}
        for page, _ in opened.values():  # both are waited for at once
            page.add_init_script(OBSERVE)
            page.goto(f"{address}/{name}", wait_until="commit")
        for width, (page, problems) in opened.items():
            page.wait_for_function(QUIET, polling=100)
            found[width, name] = page.evaluate(LOADED) | {"problems": [*chain(*problems.values())]}
            page.context.close()
    return found


def test_no_page_weighs_more_on_a_first_visit_than_it_may(loaded):
    weights = {key: sum(page["files"].values()) for key, page in loaded.items()}
    heavy = {key: weight for key, weight in weights.items() if weight > MOST.get(key[1], OTHERS)}
    assert heavy == {}


def test_the_first_page_asks_for_few_files(loaded):
    assert max(len(loaded[width, FIRST]["files"]) for width in WIDTHS) <= REQUESTS


def test_what_the_search_loads_is_light(site):
    assert sum((site / name).stat().st_size for name in ("searchindex.js", "_static/search-passages.js")) <= SEARCH


def test_nothing_goes_wrong_while_a_page_is_loaded(loaded):
    assert {key: page["problems"] for key, page in loaded.items() if page["problems"]} == {}


def test_nothing_moves_while_a_page_is_loaded(loaded):
    assert {key: page["shift"] for key, page in loaded.items() if page["shift"] >= SHIFT} == {}


@pytest.mark.parametrize("name", [FIRST, page_of("linear/5-1-hierarchical"), LEDGER])
def test_a_page_answers_within_a_second(browser, address, name):
    """It does once its main thread is idle; by the processor's time, because the clock's depends on what else runs."""
    times = []
    for _ in range(3):
        page, _ = open_page(browser, *WIDTHS["desktop"])
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"{address}/{name}", wait_until="networkidle")
        found = {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}
        times.append(found["TaskDuration"])
        page.context.close()
    assert min(times) < 1


def test_no_page_has_more_elements_than_a_browser_lays_out_at_once(loaded):
    assert {key: page["elements"] for key, page in loaded.items() if page["elements"] > 37_000} == {}


def test_the_first_figure_of_a_page_is_loaded_at_once_and_those_far_below_are_not(browser, address):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/{page_of('linear/5-1-hierarchical')}", wait_until="networkidle")
    loaded = page.eval_on_selector_all("article figure img", "found => found.map((e) => e.naturalWidth > 0)")
    page.context.close()
    assert (loaded[0], loaded[-1]) == (True, False)
