"""Aliases: what a reader types, and where it leads."""

import json
from types import SimpleNamespace

import pytest

from edition.sphinx_ext.search_aliases import GREEK, add_alias, forget, script


@pytest.fixture(scope="session")
def places(html):
    """From a text to the places that it means, as the page of the search has them."""
    text = (html / "_static" / "search-aliases.js").read_text()
    content = json.loads(text.removeprefix("const searchAliases = ").removesuffix(";\n"))
    return {alias: [content["places"][n] for n in numbers] for alias, numbers in content["texts"].items()}


@pytest.mark.parametrize(
    ("alias", "anchor", "title"),
    [
        ("figure 5", "linear-fig-5", "Figure 5 of paper 1"),
        ("fig 5", "linear-fig-5", "Figure 5 of paper 1"),
        ("paper 1 figure 5", "linear-fig-5", "Figure 5 of paper 1"),
        ("figure e1", "own-fig", "Figure E1"),
        ("eq 16", "equation-linear-eq-16", "Equation 16 of paper 1"),
        ("equation e1", "equation-own", "Equation E1"),
        ("property 3 of paper 1", "linear-prop-3", "Property 3 of paper 1"),
        ("theorem e1", "linear-own-theorem", "Theorem E1"),
        ("section 3.1", "a-section", "Section 3.1 of paper 1"),
        ("κ", "a-section", "κ, where it is first used"),
        ("kappa", "a-section", "κ, where it is first used"),
    ],
)
def test_a_number_or_a_symbol_leads_to_what_has_it(html, places, alias, anchor, title):
    assert places[alias] == [["chapters/linear/one", anchor, title]]
    assert f'id="{anchor}"' in (html / "chapters" / "linear" / "one.html").read_text()


def test_keywords_lead_to_their_page(places):
    assert places["citation"] == [["chapters/cite", "", "How to cite"]]


def test_what_a_page_adds_comes_first_and_goes_with_the_page():
    env = SimpleNamespace()
    add_alias(env, "Capacity", "glossary", "term-capacity", "Capacity (a term)")
    assert env.edition_aliases == {"glossary": [("Capacity", "glossary", "term-capacity", "Capacity (a term)")]}
    forget(None, env, "glossary")
    assert env.edition_aliases == {}


def test_the_script_has_each_place_once_and_titles_as_html():
    text = script([("A", "one", "x", "1 < 2"), ("b", "one", "x", "1 < 2"), ("A", "two", "", "Two")])
    content = json.loads(text.removeprefix("const searchAliases = ").removesuffix(";\n"))
    assert content["places"] == [["one", "x", "1 &lt; 2"], ["two", "", "Two"]]
    assert content["texts"] == {"a": [0, 1], "b": [0]}


def test_greek_letters_are_named_as_in_formulas():
    assert [GREEK[name] for name in ("lambda", "Sigma", "nu", "epsilon")] == ["λ", "Σ", "ν", "ε"]
