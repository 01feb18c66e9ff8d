"""Formulas are typeset when the book is built."""

import re

import pytest
from bs4 import BeautifulSoup
from pages import pages

from edition.sphinx_ext.formulas import Typesetter


@pytest.fixture(scope="module")
def typeset():
    return Typesetter({"E": r"\mathbb{E}"})


def test_a_formula_has_the_macros_of_the_book_and_is_read_aloud_as_mathml(typeset):
    markup = BeautifulSoup(typeset(r"\E X \le \tfrac12"), "html.parser")
    assert markup.select_one("mjx-math")["aria-hidden"] == "true"
    assert markup.select_one("math").get_text() == "EX≤12"
    assert markup.select_one("math mi")["mathvariant"] == "double-struck"


def test_formulas_within_markup_are_typeset_and_the_rest_stays(typeset):
    found = typeset.within(r"<p>If \(a &lt; b\), then \[a^2\] of $5.</p>")
    markup = BeautifulSoup(found, "html.parser")
    assert [formula.get("display") for formula in markup.select("mjx-container")] == [None, "true"]
    assert markup.get_text() == "If a<b, then a2 of $5."


def test_what_mathjax_cannot_read_is_an_error(typeset):
    with pytest.raises(ValueError, match=r"frac.*Missing argument"):
        typeset(r"\frac")


def test_every_formula_of_a_page_is_typeset_with_glyphs_and_fonts_that_are_there(html):
    shared = "pages.css"  # which all pages load
    style = (html / "_static" / shared).read_text()
    glyphs = set()
    for path, page in pages(html).items():
        assert all(formula.select("mjx-container") for formula in page.select("article .math")), path
        glyphs |= {name for char in page.select("mjx-c") for name in char["class"] if name.startswith("mjx-c")}
        assert page.select(f'link[href*="{shared}"]') or not page.select("mjx-container"), path
    assert glyphs
    assert {name for name in glyphs if f".{name}" not in style} == set()
    fonts = re.findall(r'url\("(mathjax/[^"]+)"\)', style)
    assert fonts
    assert all((html / "_static" / font).is_file() for font in fonts)
