"""One chapter executed: the same notebook each time, a failure with its place, and an environment left as it was."""

import os

import nbformat
import pytest
from papermill.exceptions import PapermillExecutionError
from small_books import cell, write_book

from edition.book import book
from edition.execution.one_chapter import Failure, failure_of, run_chapter
from edition.figures.capture import MIME, PRINT

GOOD = "# One\n\nWords.\n\n" + cell("n = 2", "parameters") + "\n" + cell("print(n)")
CLAIM = (
    "# One\n\n"
    + cell("n = 2", "parameters")
    + cell("from edition import claim\nclaim('linear/eq-1', 'Two', n, 2, kind='identity')")
)


def chapter(folder, text):
    return book(write_book(folder, {"one": text}))["one"]


def test_the_notebook_is_the_same_byte_for_byte_and_names_no_path(tmp_path):
    one = chapter(tmp_path, GOOD)
    (first, took), (second, _) = (run_chapter(one, {"n": 3}) for _ in range(2))
    assert first == second
    assert str(tmp_path) not in first
    notebook = nbformat.reads(first, as_version=4)
    assert [c.id for c in notebook.cells] == ["one-1", "one-2", "one-parameters", "one-3"]
    assert notebook.cells[-1].outputs[0].text == "3\n"
    assert set(took) == {"one-2", "one-3"}


def test_what_a_cell_prints_is_one_piece_however_slowly_it_comes(tmp_path):
    code = (
        "import sys, time\nfor n in range(3):\n    print(n, flush=True)\n    time.sleep(0.3)\nprint(3, file=sys.stderr)"
    )
    text, _ = run_chapter(chapter(tmp_path, "# One\n\n" + cell(code)), {})
    outputs = nbformat.reads(text, as_version=4).cells[-1].outputs
    assert [(output.name, output.text) for output in outputs] == [("stdout", "0\n1\n2\n"), ("stderr", "3\n")]


def test_a_failure_has_the_place_in_the_text_and_the_end_of_the_traceback(tmp_path):
    one = chapter(tmp_path, "# One\n\nWords.\n\n" + cell("a = 1\n\n\nb = a / 0"))
    with pytest.raises(PapermillExecutionError) as raised:
        run_chapter(one, {})
    failure = failure_of(raised.value)
    assert failure.cell == 2
    assert one.path.read_text().splitlines()[failure.line - 1] == "a = 1"
    assert failure.describe("one.md").startswith(f"one.md:{failure.line}: cell 2: ZeroDivisionError: division by zero")
    assert "b = a / 0" in failure.describe("one.md")


def test_an_error_from_elsewhere_is_a_failure_without_a_place():
    assert failure_of(OSError("no disk")) == Failure(None, None, "OSError: no disk", "")
    assert failure_of(OSError("no disk")).describe("one.md") == "one.md: OSError: no disk"


@pytest.mark.parametrize(
    ("before", "environment", "shown"), [("2", None, "['1', '1']\n"), (None, {"OMP_NUM_THREADS": "3"}, "['3', '1']\n")]
)
def test_the_environment_is_set_for_the_kernel_and_then_as_it_was(tmp_path, monkeypatch, before, environment, shown):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    for name in names:
        monkeypatch.setenv(name, before) if before else monkeypatch.delenv(name, raising=False)
    one = chapter(tmp_path, "# One\n\n" + cell(f"import os\nprint([os.environ[name] for name in {names}])"))
    text, _ = run_chapter(one, {}, environment=environment)
    assert nbformat.reads(text, as_version=4).cells[-1].outputs[0].text == shown
    assert [os.environ.get(name) for name in names] == [before] * 2


def test_a_claim_fails_its_chapter_unless_a_reader_changed_the_parameters(tmp_path):
    one = chapter(tmp_path, CLAIM)
    with pytest.raises(PapermillExecutionError, match="ClaimError"):
        run_chapter(one, {"n": 3})
    assert "not as recorded" in run_chapter(one, {"n": 3}, report=True)[0]


def test_figures_are_kept_for_print_and_as_data_only_where_they_are_asked_for(tmp_path):
    one = chapter(tmp_path, "# One\n\n" + cell("from matplotlib.figure import Figure\nFigure()"))
    kinds = []
    for figures in (True, False):
        (output,) = nbformat.reads(run_chapter(one, {}, figures=figures)[0], as_version=4).cells[-1].outputs
        kinds.append(set(output.data))
    assert kinds[0] - kinds[1] == {PRINT, MIME}
