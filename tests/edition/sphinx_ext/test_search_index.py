"""The index of the search: the words of the articles, and nothing of their code, outputs, evidence and formulas."""

import json
import zlib
from base64 import b64decode

import pytest
from docutils import nodes
from sphinx import addnodes

from edition.sphinx_ext.search_index import PASSAGES, article, passages


def unpacked(html):
    """Return what the search of a site knows."""
    text = (html / "_static" / PASSAGES).read_text(encoding="utf-8")
    return json.loads(
        zlib.decompress(b64decode(json.loads(text.removeprefix("window.searchPassages = ").removesuffix(";\n"))))
    )


@pytest.fixture(scope="session")
def index(html):
    text = (html / "searchindex.js").read_text()
    return json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))


@pytest.fixture(scope="session")
def found(html):
    """The passages of a page: the words of each by its anchor."""
    content = unpacked(html)
    page = content["pages"].index("chapters/linear/one")
    numbers = {number: anchor for number, (at, anchor, *_) in enumerate(content["passages"]) if at == page}
    words = {anchor: {} for anchor in numbers.values()}
    for word, places in content["words"].items():
        for number, times in zip(places[::2], places[1::2]):
            if number in numbers:
                words[numbers[number]][word] = times
    return words


def test_the_words_of_the_text_and_of_captions_are_found_at_their_sections(found):
    assert {"word"} <= found[""].keys()
    assert {"add", "pictur", "section"} <= found["a-section"].keys()
    assert "add" not in found[""]


def test_what_is_quoted_is_what_the_place_says_with_its_formulas_typed(html):
    texts = unpacked(html)["texts"]
    one, glossary = (texts[f"chapters/{name}"] for name in ("linear/one", "glossary"))
    assert one["a-section"].startswith("With κ.")
    assert one["linear-fig-5"] == "A picture of x."
    assert one["linear-prop-3"] == "(Sums) They add up."
    assert one["equation-linear-eq-16"] == "With κ."
    assert glossary["term-spin"].startswith("spin What turns.")


def test_words_of_titles_count_more_and_what_names_a_page_stands_apart(found):
    assert found["a-section"]["section"] >= 3
    assert "on" in found[None]


def test_words_of_documented_objects_are_in_passages_of_their_own():
    signature = addnodes.desc_signature("", "", ids=["f"], fullname="f")
    described = addnodes.desc("", signature, addnodes.desc_content("", nodes.paragraph("", "inner")))
    page = nodes.document(None, None, "", nodes.section("", nodes.title("", "Page"), described, ids=["page"]))
    assert [(anchor, "inner" in counts) for anchor, _, counts in passages(page, [])[1:]] == [("", False), ("f", True)]


def test_code_outputs_evidence_passports_and_formulas_are_not_found(found):
    of_code, of_claims, of_passports, of_formulas = {"svg", "ipython"}, {"verdict"}, {"passport"}, {"mathbb", "kappa"}
    words = {word for counts in found.values() for word in counts}
    assert not words & (of_code | of_claims | of_passports | of_formulas | {"measur", "notebook", "download", "circl"})


def test_the_index_of_sphinx_has_titles_and_entries_and_nothing_of_the_text(index):
    assert not {"word", "add", "pictur"} & index["terms"].keys()
    assert index["alltitles"]


def test_the_tree_of_the_page_stays_as_it_is():
    cell = nodes.container("", nodes.literal_block("", "a = 1"), classes=["cell_input"])
    shown = nodes.figure("", nodes.caption("", "A picture"))
    output = nodes.container("", nodes.paragraph("", "3"), shown, classes=["cell_output"])
    page = nodes.section("", nodes.paragraph("", "Words"), cell, output)
    document = page.deepcopy()
    assert article(page).astext().split("\n\n") == ["Words", "A picture"]
    assert page.pformat() == document.pformat()


@pytest.mark.parametrize(
    ("words", "page", "anchor"),
    [
        ("figure 5", "linear/one", "linear-fig-5"),
        ("fig. 5", "linear/one", "linear-fig-5"),
        ("paper 1 figure 5", "linear/one", "linear-fig-5"),
        ("figure e1", "linear/one", "own-fig"),
        ("eq. (16)", "linear/one", "equation-linear-eq-16"),
        ("property 3 of paper 1", "linear/one", "linear-prop-3"),
        ("theorem e1", "linear/one", "linear-own-theorem"),
        ("section 3.1", "linear/one", "a-section"),
        ("3.1", "linear/one", "a-section"),
        ("citation", "rerun", ""),
    ],
)
def test_a_number_leads_to_what_has_it_and_a_keyword_to_its_page(html, index, words, page, anchor):
    found = [(index["docnames"][number], place) for number, place, main in index["indexentries"][words] if main]
    assert found == [(f"chapters/{page}", anchor)]
    assert not anchor or f'id="{anchor}"' in (html / "chapters" / f"{page}.html").read_text()
