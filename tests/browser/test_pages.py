"""The built book as a browser shows it, on a desktop and on a phone. ``make test-browser`` runs these tests."""

from urllib.parse import unquote, urlsplit

import pytest
from built_site import SITE, WIDTHS, open_page

INSPECT = r"""async () => {
  if (window.MathJax) await MathJax.startup.promise;
  const within = (node, selector) => node.parentElement.closest(selector);
  const main = document.querySelector("main") ?? document.body;
  const raw = [], walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (/\\[([A-Za-z]+|\$[^$]+\$/.test(node.data) && !within(node, "pre, code, script, style, mjx-container"))
      raw.push(node.data.trim().slice(0, 80));
  }
  const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const unseen = ".headerlink, mjx-assistive-mml, mjx-assistive-mml *";
  const clipped = [...document.querySelectorAll(`article :not(${unseen})`)].filter(
    (e) => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility() && !scrolls(e));
  const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.outerHTML.slice(0, 120));
  return {
    raw,
    formulas: document.querySelectorAll("main .math").length,
    rendered: document.querySelectorAll("main .math mjx-container").length,
    errors: texts("mjx-merror, [data-mjx-error]"),
    unnamed: texts("main img:not([alt]), main img[alt='']"),
    clipped: clipped.map((e) => e.outerHTML.slice(0, 160)),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
    links: [...document.querySelectorAll("a[href]")].map((e) => e.href),
  };
}"""


@pytest.fixture(scope="session", params=WIDTHS)
def visits(browser, address, request):
    """What every page of the site did and showed at one width, by its address."""
    width, height = WIDTHS[request.param]
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
    found = {}
    for name in names:
        page, problems = open_page(browser, width, height)
        page.goto(f"{address}/{name}")
        if 'http-equiv="Refresh"' in (SITE / name).read_text(encoding="utf-8"):
            page.wait_for_url(lambda url, name=name: not url.endswith(f"/{name}"))
        found[f"{address}/{name}"] = page.evaluate(INSPECT) | problems
        page.context.close()
    return found


def all_of(visits, key):
    return {address: visit[key] for address, visit in visits.items() if visit[key]}


def test_there_are_pages(visits):
    assert {"index.html", "search.html"} <= {urlsplit(address).path.strip("/") for address in visits}


def test_nothing_is_asked_of_other_sites(visits):
    assert all_of(visits, "outside") == {}


def test_nothing_is_missing(visits):
    assert all_of(visits, "failed") == {}


def test_no_error_is_reported_to_the_console(visits):
    assert all_of(visits, "console") == {}


def test_all_formulas_are_rendered(visits):
    assert all_of(visits, "errors") == {}
    assert all_of(visits, "raw") == {}
    assert {a: v["formulas"] for a, v in visits.items()} == {a: v["rendered"] for a, v in visits.items()}
    assert sum(visit["rendered"] for visit in visits.values()) > 0


def test_every_image_has_a_text_for_those_who_cannot_see_it(visits):
    assert all_of(visits, "unnamed") == {}


def test_no_page_is_wider_than_the_window(visits):
    assert all_of(visits, "clipped") == {}
    assert {address: visit["overflow"] for address, visit in visits.items() if visit["overflow"] > 0} == {}


def test_every_link_within_the_site_leads_to_a_page_and_its_anchor(visits, address):
    broken = []
    for page, visit in visits.items():
        for link in set(visit["links"]):
            target, _, anchor = link.partition("#")
            if target.startswith(address):
                file = SITE / unquote(urlsplit(target).path).strip("/")
                ids = visits.get(target, {"ids": [unquote(anchor)]})["ids"]
                if not file.exists() or (anchor and unquote(anchor) not in ids):
                    broken.append((page, link))
    assert broken == []


def test_the_search_finds_the_page_of_a_term(browser, address):
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(f"{address}/search.html?q=dilated")
    page.wait_for_selector("#search-results li a")
    links = page.eval_on_selector_all("#search-results li a", "links => links.map(link => link.href)")
    assert any("5-1-hierarchical" in link for link in links)
    page.context.close()


@pytest.fixture
def ledger(browser):
    """The ledger, opened as a file."""
    page, problems = open_page(browser, *WIDTHS["desktop"])
    page.goto((SITE / "chapters" / "claims.html").as_uri())
    yield page
    assert problems["console"] == []
    page.context.close()


def choose(page, label, words):
    """Choose the option whose text contains `words`, with the arrow key."""
    box = page.get_by_label(label)
    box.focus()
    for _ in range(box.locator("option").count()):
        if words in box.locator("option:checked").inner_text():
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{label} has no option {words}")


def test_the_ledger_is_filtered_by_part_and_verdict_from_the_keyboard(ledger):
    rows = ledger.locator(".claims-ledger tbody tr:visible")
    every = rows.count()
    assert ledger.locator(".claims-filter output").inner_text() == f"{every} of {every} claims"
    choose(ledger, "Verdict", "correction")
    shown = rows.count()
    assert 0 < shown < every
    assert rows.locator(".claim-correction").count() == shown
    choose(ledger, "Part", "Paper 2")
    assert 0 < rows.count() < shown
    assert ledger.locator("table.claims-ledger:visible").count() == 1
    assert ledger.locator(".claims-filter output").inner_text() == f"{rows.count()} of {every} claims"


def test_the_code_of_a_claim_opens_from_the_keyboard(browser):
    page, _ = open_page(browser, *WIDTHS["phone"])
    page.goto((SITE / "chapters" / "linear" / "5-1-hierarchical.html").as_uri())
    code = page.locator("details.hide:has-text('of this claim') .highlight").first
    assert not code.is_visible()
    page.locator("details.hide:has-text('of this claim') > summary").first.focus()
    page.keyboard.press("Enter")
    assert code.is_visible()
    page.context.close()
