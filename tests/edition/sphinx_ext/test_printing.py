"""The book on paper: the same numbers and verdicts as on the pages, nothing that needs a screen, one PDF."""

import re

import pytest


@pytest.fixture(scope="module")
def text(latex):
    """Return the document between its beginning and its end."""
    (document,) = latex.glob("*.tex")
    return document.read_text().partition(r"\begin{document}")[2]


def numbers(text, kind):
    return re.findall(rf"\\renewcommand{{\\the{kind}}}{{(.*?)}}", text)


def test_equations_and_figures_carry_the_numbers_that_they_have_on_the_pages(text):
    assert numbers(text, "equation") == ["16", "E1"]
    assert numbers(text, "figure") == ["5", "E1"]
    for kind, label in (("equation", r"\label{equation:"), ("figure", r"\caption{")):
        spans = text.split(rf"\renewcommand{{\the{kind}}}")[1:]
        assert [span.count(label) for span in spans] == [1, 1]


def test_a_statement_shows_its_number_and_the_verdict_of_its_claim(text):
    statement, *_ = re.findall(r"\\begin{statement}(.*?)\\end{statement}", text, re.S)
    assert re.search(r"\\sphinxstylestrong{Property 3} +\(Sums of.*\\verdict{holds}", statement, re.S)
    assert "They add up." in statement
    assert re.search(r"Proof\. +By inspection\.\s+\\qedmark", text)


def test_the_ledger_leads_to_the_claims(text):
    chapter, _, ledger = text.partition(r"\chapter{What reproduces: the claims}")
    for name in ("linear-prop-3", "linear-eq-16"):
        made = f"chapters/linear/one:claim-{name}"
        label = rf"\label{{\detokenize{{{made}}}}}"
        assert text.count(label) == chapter.count(label) == 1
        assert ledger.count(rf"\hyperref[\detokenize{{{made}}}]") == 1
        assert ledger.count(rf"\pageref{{\detokenize{{{made}}}}}") == 1


def test_what_holds_is_told_in_the_ledger_only_and_what_is_corrected_in_the_text_too(text):
    chapter, _, ledger = text.partition(r"\chapter{What reproduces: the claims}")
    assert [(part.count(r"\kappa_{A|B}"), part.count(r"It is \(b\)")) for part in (chapter, ledger)] == [(0, 1), (1, 1)]
    assert re.search(r"\\verdict{correction}{✎ holds with a correction}", chapter)


def test_folded_code_and_pages_for_the_screen_are_left_out(text):
    assert "seen" in text
    assert r"use\PYGZus{}style" not in text
    assert "twoness" not in text
    assert "How this copy was made" not in text
    assert "the receipt" in text
    assert "chapters/receipt" not in text


def test_the_first_page_becomes_an_introduction_and_the_parts_are_titled(text):
    order = [r"\chapter{Introduction}", "First words.", r"\section{More}", r"\part{A part}", r"\chapter{One}"]
    order += [r"\chapter{Two \& more}", r"\part{The rest}", r"\chapter{The figures}"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)


def test_the_figures_are_listed_with_their_pages(text):
    assert text.count(r"\pageref{\detokenize{chapters/linear/one:linear-fig-5}}") == 1


def test_the_title_page_has_the_version_in_place_of_a_date(latex):
    (document,) = latex.glob("*.tex")
    assert re.search(r"\\date\{version \d+\.\d+[^}]*\}", document.read_text())
