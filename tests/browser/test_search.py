"""The search in a browser: what ten queries find, what their excerpts quote, the box that Ctrl+K opens."""

from urllib.parse import quote

import pytest
from built_site import SITE, WIDTHS, open_page, page_of

from edition.claims.labels import PAPERS

FIVE = page_of("linear/5-1-hierarchical")
RESULTS = "#search-results ul.search > li"
FIRST = {
    "figure 5": (f"{FIVE}#linear-fig-5", "5.1 Hierarchical models"),
    "Fig. 5": (f"{FIVE}#linear-fig-5", "5.1 Hierarchical models"),
    "equation 16 of paper 1": (page_of("linear/4-linear-models", "#equation-linear-eq-16"), "4. Capacity applied"),
    "property 3": (page_of("linear/3-capacity", "#linear-prop-3"), "3. Capacity allocated"),
    "definition 1": (page_of("linear/3-capacity", "#linear-def-1"), "3. Capacity allocated"),
    "appendix b": (page_of("linear/appendix-b"), "Appendix B."),
    "install": ("chapters/rerun.html", "Re-run and cite"),
    "citation": ("chapters/rerun.html", "Re-run and cite"),
    "pdf": ("chapters/rerun.html", "Re-run and cite"),
    "receptive field": (page_of("layers/4-1-receptive-field"), "4.1 The effective receptive field"),
    "orthonormal_basis": ("chapters/api/linalg.html#capacity.linalg.orthonormal_basis", "capacity.linalg.orthonormal"),
}


ASKED = {  # what a practitioner would type, and the pages that answer it
    "how do I use this on my network": ("beyond/your-own", "beyond/command"),
    "how many parameters does my model really use": ("beyond/your-own", "beyond/command", "linear/3-capacity"),
    "which layer can I remove": ("beyond/your-own",),
    "receptive field of my network": ("layers/4-1-receptive-field", "beyond/questions"),
    "is a long receptive field wasted": ("beyond/questions",),
    "how far back does attention look": ("beyond/attention", "beyond/far-back"),
    "how long is the memory of an LSTM": ("beyond/far-back", "linear/5-2-recurrent", "beyond/state-space"),
    "what does a transformer spend its capacity on": ("beyond/attention",),
    "Mamba and S4": ("beyond/state-space",),
    "batch norm": ("layers/4-2-shattering",),
    "why do gradients shatter in deep networks": ("layers/4-2-shattering",),
    "how should I initialise the weights of a very deep network": ("beyond/weight-scale",),
    "spike": ("linear/5-1-hierarchical",),
    "does it help to choose an architecture": ("beyond/usefulness",),
    "can it predict overfitting": ("beyond/variance", "beyond/usefulness"),
    "load a PyTorch model": ("beyond/your-own", "api/inspection/readers", "beyond/command"),
    "ONNX file": ("beyond/command", "beyond/your-own"),
    "when should I not use this": ("limits",),
    "difference to saliency maps": ("limits", "beyond/usefulness", "beyond/attention"),
    "mistakes in the paper": ("errata",),
    "how fast is it": ("rerun",),
    "reproduce the figures": ("rerun", "claims", "receipt"),
    "relation to Fisher information": ("companions/geometry-fisher", "companions/bridge"),
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
    texts = """rows => rows.map(row => [row.querySelector("a").getAttribute("href"), row.querySelector("a").innerText,
      row.querySelector(".context")?.innerText ?? ""])"""
    return page.eval_on_selector_all(RESULTS, texts)


@pytest.mark.parametrize("query", FIRST)
def test_the_first_result_is_what_was_meant(page, address, query):
    link, title, _ = search(page, address, query)[0]
    assert link == FIRST[query][0]
    assert title.startswith(FIRST[query][1])


@pytest.mark.parametrize("query", ASKED)
def test_a_question_is_answered_by_one_of_the_first_three_results(page, address, query):
    links = [link.partition("#")[0] for link, *_ in search(page, address, query)[:3]]
    assert {*map(page_of, ASKED[query])} & {*links}, links


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("spike", page_of("linear/5-1-hierarchical", "#why-the-curves-have-spikes")),
        ("which layer can go", page_of("beyond/your-own", "#which-layer-can-go")),
        ("is a long receptive field wasted", page_of("beyond/questions", "#is-a-long-receptive-field-wasted")),
    ],
)
def test_a_result_leads_to_the_section_that_has_the_words(page, address, query, place):
    assert place in [link for link, *_ in search(page, address, query)[:3]]


def test_both_spellings_find_the_same(page, address):
    found = [
        [link for link, *_ in search(page, address, q)] for q in ("normalisation behaviour", "normalization behavior")
    ]
    assert found[0] == found[1] != []


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


@pytest.mark.parametrize("query", ["capacity", "dilated convolution", "figure 5", "is a long receptive field wasted"])
def test_excerpts_quote_the_article_from_files_too(page, address, query):
    for home in (address, SITE.as_uri()):
        excerpts = [excerpt for _, _, excerpt in search(page, home, query)]
        assert sum(map(bool, excerpts)) >= 0.9 * len(excerpts)
        for code in ("import ", "Contents", "claim(", "Executed notebook", "\\(", "$"):
            assert [excerpt for excerpt in excerpts if code in excerpt] == []


def test_from_files_the_same_is_found(page, address):
    for query in ("figure 5", "capacity"):
        assert search(page, SITE.as_uri(), query) == search(page, address, query)


def test_an_excerpt_shows_where_the_words_are(page, address):
    search(page, address, "receptive field")
    marked = page.eval_on_selector_all(
        f"{RESULTS} .context", "all => all.map((e) => e.querySelectorAll('.highlighted').length)"
    )
    assert min(marked[:2]) >= 2


def test_the_box_opens_from_the_keyboard_and_searches(page, address):
    page.goto(f"{address}/chapters/intro.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("tensor train")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{RESULTS} a")
    assert page.locator(f"{RESULTS} a").first.get_attribute("href") == "chapters/glossary.html#term-tensor-train"
