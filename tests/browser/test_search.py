"""The search in a browser: what ten queries find, what their excerpts quote, the box that Ctrl+K opens."""

from urllib.parse import quote

import pytest
from built_site import SITE, WIDTHS, open_page

from edition.claims.labels import PAPERS

FIVE = "chapters/linear/5-1-hierarchical.html"
RESULTS = "#search-results ul.search > li"
FIRST = {
    "figure 5": (f"{FIVE}#linear-fig-5", "5.1 Hierarchical models"),
    "Fig. 5": (f"{FIVE}#linear-fig-5", "5.1 Hierarchical models"),
    "equation 16 of paper 1": ("chapters/linear/4-linear-models.html#equation-linear-eq-16", "4. Capacity applied"),
    "property 3": ("chapters/linear/3-capacity.html#linear-prop-3", "3. Capacity allocated"),
    "definition 1": ("chapters/linear/3-capacity.html#linear-def-1", "3. Capacity allocated"),
    "appendix b": ("chapters/linear/appendix-b.html", "Appendix B."),
    "install": ("chapters/rerun.html", "Re-run and change it"),
    "citation": ("chapters/cite.html", "How to cite"),
    "pdf": ("chapters/rerun.html", "Re-run and change it"),
    "receptive field": ("chapters/layers/4-1-receptive-field.html", "4.1 The effective receptive field"),
    "orthonormal_basis": ("chapters/api/linalg.html#capacity.linalg.orthonormal_basis", "capacity.linalg.orthonormal"),
}


@pytest.fixture(scope="module")
def page(browser):
    page, problems = open_page(browser, *WIDTHS["desktop"])
    yield page
    assert problems["console"] == []
    page.context.close()


def search(page, home, query):
    """Return address, title and excerpt of each result."""
    page.goto(f"{home}/search.html?q={quote(query)}")
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.innerText")
    page.wait_for_load_state("networkidle")
    texts = """rows => rows.map(row => [row.querySelector("a").getAttribute("href"), row.querySelector("a").innerText,
      row.querySelector(".context")?.innerText ?? ""])"""
    return page.eval_on_selector_all(RESULTS, texts)


@pytest.mark.parametrize("query", FIRST)
def test_the_first_result_is_what_was_meant(page, address, query):
    link, title, _ = search(page, address, query)[0]
    assert link == FIRST[query][0]
    assert title.startswith(FIRST[query][1])


def test_things_with_the_same_number_in_several_sources_are_found_first(page, address):
    assert {link.partition("#")[2] for link, *_ in search(page, address, "figure 3")[:3]} == {
        f"{part}-fig-3"
        for part in PAPERS
        if part != "geometry"  # slides number no figures
    }
    assert {link.partition("#")[2] for link, *_ in search(page, address, "Eq. (16)")[:2]} == {
        f"equation-{part}-eq-16" for part in ("linear", "layers")
    }
    assert search(page, address, "figure 3 of paper 2")[0][0].endswith("#layers-fig-3")


@pytest.mark.parametrize("query", ["κ", "kappa", "Σ", "ν"])
def test_a_symbol_is_found(page, address, query):
    link, _, excerpt = search(page, address, query)[0]
    assert link.startswith("chapters/")
    assert not link.startswith("chapters/api")
    assert excerpt


def test_chapters_come_before_the_interface_of_which_there_is_little(page, address):
    results = search(page, address, "capacity")
    interface = [link.startswith("chapters/api") for link, *_ in results]
    assert interface == sorted(interface)
    assert interface.count(False) > 20
    assert 0 < interface.count(True) <= 5


def test_excerpts_quote_the_article(page, address):
    for query in ("capacity", "dilated convolution", "figure 5"):
        excerpts = [excerpt for _, _, excerpt in search(page, address, query)]
        assert sum(map(bool, excerpts)) >= 0.9 * len(excerpts)
        for code in ("import ", "Contents", "claim(", "Executed notebook", "\\(", "$"):
            assert [excerpt for excerpt in excerpts if code in excerpt] == []


def test_from_files_there_are_titles_and_no_errors(page):
    assert search(page, SITE.as_uri(), "figure 5")[0] == [*FIRST["figure 5"], ""]
    assert len(search(page, SITE.as_uri(), "capacity")) > 20


def test_the_box_opens_from_the_keyboard_and_searches(page, address):
    page.goto(f"{address}/chapters/intro.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("tensor train")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{RESULTS} a")
    assert page.locator(f"{RESULTS} a").first.get_attribute("href") == "chapters/glossary.html#term-tensor-train"
