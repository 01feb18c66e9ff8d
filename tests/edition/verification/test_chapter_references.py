"""The chapters' references are those of the chapters as they are, and are compared number by number."""

import nbformat
import pytest
from small_books import cell, write_book

from edition.book import ROOT, book, parameters_at
from edition.execution.all_chapters import execute
from edition.verification.chapter_references import (
    FOLDER,
    adopt,
    agree,
    expected_code,
    reduce,
    reference_path,
    write_reference,
)

CHAPTERS = book()
EXECUTABLE = [chapter for chapter in CHAPTERS.values() if chapter.is_executable()]
PARAMETERS = parameters_at("quick", CHAPTERS)


def test_the_reference_of_a_chapter_has_its_code_and_the_quick_parameters():
    stale = []
    for chapter in EXECUTABLE:
        path = reference_path(chapter)
        cells = nbformat.read(path, as_version=4).cells if path.exists() else []
        if [cell.source for cell in cells] != expected_code(chapter, PARAMETERS[chapter.name]):
            stale.append(chapter.name)
    assert stale == [], "make reference CHAPTERS=..."


def test_there_is_no_reference_without_chapter():
    found = {path for path in (ROOT / FOLDER).rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts}
    assert found <= {reference_path(chapter) for chapter in EXECUTABLE}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("loss 0.3333333", "loss 0.3333334"),
        ("[1. 2.5]", "[1.       2.500001]"),
        ("1.00000", "0.999999"),
        ("-0.0", "0.0"),
        ("error 3e-17", "error -2.5e-16"),
        ("1e-05 and 12 rows", "1.000001e-05  and 12 rows"),
        ("measured 0.2; expected at most 1", "measured [0.3, 1]; expected at most 1"),
        ("measured 0.98; expected 1; within 0.05", "measured 1.01; expected 1; within 0.05"),
        (
            "measured 0.98; expected 1.02; within 0.05 + 1e-05 relative",
            "measured 1; expected 1.1; within 0.05 + 1e-05 relative",
        ),
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
        ("measured 0.2; expected 0.2; within 1e-5", "measured 0.3; expected 0.2; within 1e-5"),
        ("measured 0.2; expected at most 1", "measured 0.2; expected at most 2"),
        ("measured 0.98; expected 1; within 0.05", "measured 0.98; expected 1; within 0.06"),
        ("measured 0.98; expected 1; within 0.05", "measured 1.1; expected 1; within 0.05"),
        ("measured 2; expected 2; within 5", "measured 3; expected 2; within 5"),
        ("measured 0.98; expected 1; within 0.1 relative", "measured 1.01; expected 1; within 0.1 relative"),
        ("measured 1; within 0.1 | loss 0.9", "measured 1; within 0.1 | loss 0.8"),
    ],
)
def test_texts_differ_when_words_or_numbers_do(first, second):
    assert not agree(first, second)
    assert not agree(second, first)


def test_outputs_adopt_what_agrees_with_the_reference_and_nothing_else():
    def outputs(*texts):
        shown = [{"output_type": "display_data", "data": {"text/plain": text}} for text in texts[1:]]
        return [{"output_type": "stream", "name": "stdout", "text": texts[0]}, *shown]

    reference = outputs("loss 0.3333333", "[1.]")
    assert adopt(outputs("loss 0.3333334", "[1.000001]"), reference) == reference
    assert adopt(outputs("loss 0.4", "[1.000001]"), reference) == outputs("loss 0.4", "[1.]")
    assert adopt(outputs("loss 0.3333334"), reference) == reference[:1]
    assert adopt(outputs("loss 0.3333334", "[1.]", "3"), reference) == [*reference, outputs("", "3")[1]]


def test_references_hold_no_pictures_warnings_or_times():
    outputs = [
        nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>", "text/plain": "<Figure>"}),
        nbformat.v4.new_output("stream", name="stderr", text="careful"),
        nbformat.v4.new_output("stream", name="stdout", text="12"),
    ]
    code = nbformat.v4.new_code_cell("1", id="one-1", outputs=outputs, metadata={"execution": {"iopub.status": "now"}})
    cells = [nbformat.v4.new_markdown_cell("Words"), code]
    (kept,) = reduce(nbformat.v4.new_notebook(cells=cells)).cells
    assert [output.get("data", output.get("text")) for output in kept.outputs] == [{"text/plain": "<Figure>"}, "12"]
    assert kept.metadata == {}


def test_the_expected_code_is_the_code_that_is_executed(tmp_path):
    text = "# One\n\n" + cell("n = 2\nnames = ['a']", "parameters") + "\n" + cell("print(n)")
    chapter = book(write_book(tmp_path, {"one": text}))["one"]
    for parameters in ({}, {"n": 3, "names": ["b", "c"]}):
        written = write_reference(chapter, execute(chapter, parameters, tmp_path / "one.ipynb"), tmp_path)
        assert [c.source for c in nbformat.read(written, as_version=4).cells] == expected_code(chapter, parameters)
