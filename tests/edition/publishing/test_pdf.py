"""Typesetting: one PDF, the same each time, and complaints that are told."""

import re
import shutil
import subprocess

import pytest

from edition.publishing.pdf import check_tex, typeset

NEEDS_TEX = pytest.mark.skipif(
    not all(map(shutil.which, ("xelatex", "latexmk", "pdftotext"))), reason="needs XeLaTeX, latexmk and pdftotext"
)


def test_missing_tex_is_told_with_the_packages_that_have_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"xelatex, latexmk; on Debian: apt install .* texlive-xetex latexmk "):
        check_tex()


@NEEDS_TEX
def test_the_document_is_typeset_the_same_each_time(latex, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    check_tex()
    book = typeset(shutil.copytree(latex, tmp_path / "a"))
    made = book.read_bytes()
    again = shutil.copytree(tmp_path / "a", tmp_path / "b")  # with the references of the first time: one run of TeX
    (again / book.name).unlink()
    assert typeset(again).read_bytes() == made
    shown = subprocess.run(["pdftotext", "-layout", book, "-"], capture_output=True, text=True).stdout
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
