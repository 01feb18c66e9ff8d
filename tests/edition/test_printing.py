"""The book on paper: the same numbers and verdicts as on the pages, nothing that needs a screen, one PDF."""

import re
import shutil
import subprocess

import pytest
from small_books import cell, write_book

from edition.chapters import ROOT, book
from edition.execute import Result, execute
from edition.site import build_latex, stage
from edition.typesetting import check_tex, typeset

FIGURE = """---
mystnb: {{figure: {{name: {name}, caption: "A picture of $x$."}}, image: {{alt: A line.}}}}
---
from matplotlib import pyplot as plt
from capacity.figures import use_style
use_style()
lines = plt.figure(figsize=(2, 1)).subplots().plot([1, 2])
plt.show()"""
ONE = r"""# One

Words on $\E[x]$, {eq}`linear-eq-16`, {eq}`own`, {numref}`linear-fig-5`, {prf:ref}`linear-prop-3`, [](two.md) and
[the receipt](../receipt.md).

$$ a = b $$ (linear-eq-16)

$$ c = d $$ (own)

```{prf:property} Sums of $x$
:label: linear-prop-3

They add up.
```

```{prf:proof}
By inspection.
```

"""
CLAIMS = r"""from edition import claim
claim("linear/prop-3", r"Sums $\kappa_{A|B}$ | add up", 3, 3)
claim("linear/eq-16", "It is $b$", 2.0, 2.0, printed=1.0, verdict="holds with a correction", correction="Twice $b$.")"""
TOC = """format: jb-book
root: chapters/intro
parts:
  - caption: A part
    chapters: [{file: chapters/linear/one}, {file: chapters/linear/two}]
  - caption: The rest
    chapters: [{file: chapters/figures}, {file: chapters/claims}, {file: chapters/receipt}]
"""
NEEDS_TEX = pytest.mark.skipif(
    not all(map(shutil.which, ("xelatex", "latexmk", "pdftotext"))), reason="needs XeLaTeX, latexmk and pdftotext"
)


@pytest.fixture(scope="module")
def latex(tmp_path_factory):
    """Return the folder of the LaTeX document of a small book."""
    figures = "".join(cell(FIGURE.format(name=name)) + "\n" for name in ("linear-fig-5", "own-fig"))
    one = ONE + figures + cell(CLAIMS) + "\n" + cell("print('seen')")
    pages = {name: (ROOT / "chapters" / f"{name}.md").read_text() for name in ("figures", "claims", "receipt")}
    intro = "# Book\n\nFirst words.\n\n## More\n\nOthers.\n"
    texts = {"intro": intro, "linear/one": one, "linear/two": "# Two & more\n"}
    root = write_book(tmp_path_factory.mktemp("book"), texts | pages)
    (root / "_toc.yml").write_text(TOC)
    chapters, folder = book(root), root / "_build" / "stage"
    executed = {"linear/one": execute(chapters["linear/one"], {}, root / "_build" / "one.ipynb")}
    run = {"scale": "default", "chapters": {"linear/one": Result()}}
    return build_latex(folder, stage(list(chapters.values()), executed, folder, root=root, run=run))


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


def test_a_statement_shows_its_number_and_its_verdict(text):
    (statement,) = re.findall(r"\\begin{statement}(.*?)\\end{statement}", text, re.S)
    assert r"\sphinxstylestrong{Property 3} (Sums of" in statement
    assert r"\verdict{holds}{\(\checkmark\) holds}" in statement
    assert "They add up." in statement
    assert re.search(r"Proof\. +By inspection\.\s+\\qedmark", text)


def test_claims_show_their_verdict_and_the_ledger_leads_to_them(text):
    assert text.count(r"\label{\detokenize{chapters/linear/one:claim-linear-prop-3}}\verdict{holds}{") == 1
    ledger = text.partition(r"\chapter{What reproduces: the claims}")[2]
    assert ledger.count(r"\hyperref[\detokenize{chapters/linear/one:claim-linear-prop-3}]") == 1
    assert r"\evidence{paper 1, Property 3; measured 3; expected 3}" in text


def test_folded_code_and_pages_for_the_screen_are_left_out(text):
    assert "seen" in text
    assert r"use\PYGZus{}style" not in text
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


def test_missing_tex_is_told_with_the_packages_that_have_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"xelatex, latexmk; on Debian: apt install .* texlive-xetex latexmk "):
        check_tex()


@NEEDS_TEX
def test_the_document_is_typeset_the_same_each_time(latex, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    check_tex()
    made = [typeset(shutil.copytree(latex, tmp_path / name)).read_bytes() for name in ("a", "b")]
    assert made[0] == made[1]
    (tmp_path / "book.pdf").write_bytes(made[0])
    shown = subprocess.run(["pdftotext", "-layout", tmp_path / "book.pdf", "-"], capture_output=True, text=True).stdout
    found = ("(16)", "(E1)", "Figure 5: A picture of", "Property 3 (Sums of", "✎ holds with a correction", "A part")
    assert [words for words in found if words not in shown] == []
    assert re.search(r"Words on .*\(16\), \(E1\), Figure 5, Property 3, Two & more", shown)


@NEEDS_TEX
@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (r"\nonsense", "! Undefined control sequence."),
        (r"\ref{nowhere}", "LaTeX Warning: Reference `nowhere' on page 1 undefined"),
        ("\u4e00", "Missing character: There is no \u4e00"),
    ],
)
def test_what_tex_complains_about_is_told(tmp_path, body, complaint):
    (tmp_path / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}")
    with pytest.raises(RuntimeError, match=re.escape(complaint)):
        typeset(tmp_path)
