"""The chapters' references are those of the chapters as they are, and are compared number by number."""

import nbformat
import pytest
from nbformat.v4 import new_output
from small_books import cell, write_book

from capacity_studies.notebook.check import MIME as CLAIM
from edition.book import ROOT, book
from edition.execution.all_chapters import execute
from edition.verification.chapter_references import (
    FOLDER,
    adopt,
    agree,
    printed,
    reference_notebook,
    reference_path,
    write_reference,
)

TEXT = "# One\n\n" + cell("n = 2", "parameters") + "".join(map(cell, ["print(n)", "a = n", "print(n)\nprint(1.5)"]))


@pytest.mark.whole
def test_each_chapter_with_code_has_a_reference_and_no_other_is_there():
    paths = {reference_path(chapter) for chapter in book().values() if chapter.is_executable()}
    assert set((ROOT / FOLDER).rglob("*.json")) == paths, "make reference CHAPTERS=..."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("loss 0.3333333", "loss 0.3333334"),
        ("[1. 2.5]", "[1.       2.500001]"),
        ("1.00000", "0.999999"),
        ("-0.0", "0.0"),
        ("error 3e-17", "error -2.5e-16"),
        ("1e-05 and 12 rows", "1.000001e-05  and 12 rows"),
        ("stationarity  ~8.78e-08  0 at an optimum", "stationarity ~1.72e-07  0 at an optimum"),
    ],
)
def test_texts_agree_when_their_numbers_do(first, second):
    assert agree(first, second)
    assert agree(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("rank 12", "rank 13"),
        ("1000000 parameters", "1000001 parameters"),
        ("loss 0.3333", "loss 0.3334"),
        ("loss 0.3", "error 0.3"),
        ("[1, 2]", "[1, 2, 3]"),
        ("a-1.0", "a1.0 -"),
        ("nan", "0.0"),
        ("1e-5", "1e-6"),
        ("0.5", "-0.5"),
    ],
)
def test_texts_differ_when_words_or_numbers_do(first, second):
    assert not agree(first, second)
    assert not agree(second, first)


def test_a_text_adopts_what_agrees_with_the_reference_and_nothing_else():
    reference = "loss 0.3333333\nrank 12\n[1.]"
    assert adopt("loss 0.3333334\nrank 12\n[ 1.000001]", reference) == reference
    assert adopt("loss 0.4\nrank 12\n[1.000001]", reference) == "loss 0.4\nrank 12\n[1.]"
    assert adopt("loss 0.3333334\nrank 13", reference) == "loss 0.3333334\nrank 13"


def test_printed_text_has_no_pictures_no_claims_and_no_warnings():
    outputs = [
        new_output("display_data", {"image/svg+xml": "<svg/>", "text/plain": "<Figure size 1x1 with 2 Axes>"}),
        new_output("display_data", {"image/svg+xml": "<svg/>", "text/html": "<b>", "text/plain": "slider: 0 at 1"}),
        new_output("display_data", {CLAIM: {}, "text/markdown": "", "text/plain": "linear/eq-6 | measured 3"}),
        new_output("display_data", {"application/papermill.record/text/plain": "3"}),
        new_output("stream", name="stderr", text="careful"),
        new_output("stream", name="stdout", text="12\n"),
    ]
    assert printed(outputs) == "12\nslider: 0 at 1\n3"


@pytest.mark.parametrize("parameters", [{}, {"n": 3}])
def test_a_reference_keeps_what_cells_print_and_is_put_together_with_their_code(tmp_path, parameters):
    chapter = book(write_book(tmp_path, {"one": TEXT}))["one"]
    executed = execute(chapter, parameters, tmp_path / "one.ipynb")
    path = write_reference(chapter, executed, tmp_path)
    assert "print" not in path.read_text()
    notebook = reference_notebook(chapter, parameters, tmp_path)
    cells = [cell for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.source for cell in notebook.cells] == [cell.source for cell in cells]
    assert [printed(cell.outputs) for cell in notebook.cells] == [printed(cell.outputs) for cell in cells]
    chapter.path.write_text(chapter.path.read_text().replace("print(1.5)", "print(2.5)"))
    with pytest.raises(ValueError, match=r"one.json: .*; make reference CHAPTERS=one$"):
        reference_notebook(chapter, parameters, tmp_path)


def test_lines_for_which_a_page_has_no_room_are_refused(tmp_path):
    chapter = book(write_book(tmp_path, {"one": TEXT.replace("print(1.5)", "print(81 * 'x')")}))["one"]
    executed = execute(chapter, {}, tmp_path / "one.ipynb")
    with pytest.raises(ValueError, match=r"^one: .*at most 80 characters, got 81"):
        write_reference(chapter, executed, tmp_path)
