"""One chapter executed: the same notebook each time, a failure with its place, and an environment left as it was."""

import os

import nbformat
import pytest
from small_books import cell, write_book

from capacity_studies.notebook.capture import MIME, PRINT
from edition.book import book
from edition.execution.one_chapter import Failure, failure_of, run_chapter

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
SLOWLY = (
    "import sys, time\nfor n in range(3):\n    print(n, flush=True)\n    time.sleep(0.3)\nprint(3, file=sys.stderr)"
)
CODES = ["print(n)", SLOWLY, f"import os\nprint([os.environ[name] for name in {NAMES}])"]
CODES += ["from matplotlib.figure import Figure\nFigure()"]
CODES += ["from capacity_studies import check\ncheck('linear/eq-1', number, 2)"]
TEXT = "# One\n\nWords.\n\n" + cell("n = number = 2", "parameters") + "\n" + "\n".join(map(cell, CODES))


def chapter(folder, text):
    return book(write_book(folder, {"one": text}))["one"]


def run_with(variables, one, values, **options):
    """Return a chapter's notebook, what was noted and the environment afterwards, where variables are set before."""
    with pytest.MonkeyPatch.context() as patch:
        for name in NAMES:
            patch.setenv(name, variables[name]) if name in variables else patch.delenv(name, raising=False)
        text, found = run_chapter(one, values, **options)
        return text, found, {name: os.environ[name] for name in NAMES if name in os.environ}


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return chapter(tmp_path_factory.mktemp("book"), TEXT)


@pytest.fixture(scope="module")
def twice(one):
    """Return what two runs of one chapter gave."""
    return [run_with(dict.fromkeys(NAMES, "2"), one, {"n": 3}) for _ in range(2)]


@pytest.fixture(scope="module")
def otherwise(one):
    """Return what a run with other options gave."""
    options = {"environment": {"OMP_NUM_THREADS": "3"}, "figures": False, "report": True}
    return run_with({}, one, {"number": 3}, **options)


def outputs(run, number):
    """Return what a cell of the codes shows."""
    return nbformat.reads(run[0], as_version=4).cells[number - len(CODES)].outputs


def test_the_notebook_is_the_same_byte_for_byte_and_names_no_path(one, twice):
    (first, found, _), (second, _, _) = twice
    assert first == second
    assert str(one.path.parents[1]) not in first
    notebook = nbformat.reads(first, as_version=4)
    ids = [cell.id for cell in one.notebook()[0].cells]
    assert [cell.id for cell in notebook.cells] == [*ids[:2], "injected-parameters", *ids[2:]]
    assert outputs(twice[0], 0)[0].text == "3\n"
    assert found["megabytes"] > 10
    assert {
        "capacity_studies/notebook/check.py",
        "capacity_studies/__init__.pyi",
        "capacity_studies/notebook/capture.py",
    } <= set(found["reads"])
    assert not [
        name
        for name in found["reads"]
        if "site-packages" in name or name.startswith(("capacity/", "capacity_inspection/"))
    ]


def test_what_a_cell_prints_is_one_piece_however_slowly_it_comes(twice):
    assert [(output.name, output.text) for output in outputs(twice[0], 1)] == [
        ("stdout", "0\n1\n2\n"),
        ("stderr", "3\n"),
    ]


def test_a_cell_that_takes_too_long_is_a_failure_with_its_place_and_what_was_shown_before_is_kept(tmp_path):
    one = chapter(tmp_path, "# One\n\n" + cell("print('shown')") + cell("import time\ntime.sleep(60)"))
    with pytest.raises(TimeoutError) as raised:
        run_chapter(one, {}, timeout=1)
    assert failure_of(raised.value).cell == 3
    assert raised.value.executed.cells[1].outputs[0].text == "shown\n"


def test_an_error_from_elsewhere_is_a_failure_without_a_place():
    assert failure_of(OSError("no disk")) == Failure(None, None, "OSError: no disk", "")
    assert failure_of(OSError("no disk")).describe("one.md") == "one.md: OSError: no disk"


def test_the_environment_is_set_for_the_kernel_and_then_as_it_was(twice, otherwise):
    assert [run[2] for run in (twice[0], otherwise)] == [dict.fromkeys(NAMES, "2"), {}]
    assert [outputs(run, 2)[0].text for run in (twice[0], otherwise)] == ["['1', '1']\n", "['3', '1']\n"]


def test_a_claim_that_does_not_come_out_is_shown_where_it_is_only_to_be_reported(otherwise):
    assert "measured 3 does not meet what is expected, 2" in otherwise[0]


def test_figures_are_kept_for_print_and_as_data_only_where_they_are_asked_for(twice, otherwise):
    (kept,), (left,) = (outputs(run, 3) for run in (twice[0], otherwise))
    assert set(kept.data) - set(left.data) == {PRINT, MIME}
