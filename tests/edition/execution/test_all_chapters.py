"""Execution: what is kept, what is executed again, and how failures are told; for killed builds see `test_rebuild`."""

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO

import nbformat
import pytest
from papermill import PapermillExecutionError
from small_books import cell, write_book

from edition.book import book
from edition.execution import all_chapters
from edition.execution.all_chapters import Result, execute, execute_all, kept_reads
from edition.execution.one_chapter import Failure
from edition.files import write_atomically

GOOD = "# One\n\nWords.\n\n" + cell("n = 2", "parameters") + "\n" + cell("print(n)")
BAD = "# Two\n\nWords.\n\n" + cell("a = 1\n\n\nb = a / 0")
CHECK = "from capacity_studies import check\ncheck('linear/eq-1', n, 2)"
CLAIM = "# Three\n\n" + cell("n = 2", "parameters") + cell(CHECK)
KILL = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"


def run(root, parameters=None, names=None):
    chapters = book(root)
    chosen = [chapters[name] for name in names or chapters]
    return execute_all(chosen, {c.name: (parameters or {}).get(c.name, {}) for c in chosen}, root / "_build")


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Execute a book of which some chapters fail, each in its way; return its folder, the results and what is told."""
    dies = "# Dies\n\n" + cell("import os\nos._exit(1)")
    texts = {"one": GOOD, "linear/two": BAD, "three": CLAIM, "dies": dies, "killed": "# Killed\n\n" + cell(KILL)}
    root = write_book(tmp_path_factory.mktemp("book"), texts)
    with redirect_stdout(StringIO()) as told, redirect_stderr(StringIO()):  # no terminal, whoever runs the tests
        results = run(root)
    return root, results, told.getvalue()


@pytest.fixture
def root(executed, tmp_path):
    """Return a copy of the book with what came of its execution."""
    return shutil.copytree(executed[0], tmp_path / "book")


@pytest.fixture
def first(executed, root):
    """Return what executing the first chapter of the copy gave."""
    original, results, _ = executed
    return replace(results["one"], path=root / results["one"].path.relative_to(original))


def test_a_failing_chapter_names_its_place_and_leaves_the_others_alone(executed):
    root, results, told = executed
    assert results["one"].path.exists()
    assert results["three"].path.exists()
    failure = results["linear/two"].failure
    text = (root / "chapters" / "linear" / "two.md").read_text().splitlines()
    assert failure.cell == 2
    assert text[failure.line - 1] == "a = 1"
    described = failure.describe("two.md")
    assert described.startswith(f"two.md:{failure.line}: cell 2: ZeroDivisionError: division by zero")
    assert "b = a / 0" in described
    assert "[5/5]" in told
    assert not list((root / "_build" / "executed" / "linear" / "two").glob("*.ipynb"))


def test_what_a_chapter_gave_is_known_as_long_as_it_is_the_same(executed, root):
    chapter, build = book(root)["one"], root / "_build"
    found = kept_reads(chapter, {}, build)
    cells = nbformat.read(executed[1]["one"].path, as_version=4).cells
    assert [[output.text for output in cell.outputs] for cell in cells if cell.cell_type == "code"] == [[], ["2\n"]]
    assert found is not None
    assert kept_reads(chapter, {"n": 3}, build) is None
    text = chapter.path.read_text()
    chapter.path.write_text(text.replace("Words", "Other words"))
    assert kept_reads(chapter, {}, build) == found
    chapter.path.write_text(text.replace("print(n)", "print(n + 0)"))
    assert kept_reads(chapter, {}, build) is None
    assert kept_reads(book(root)["linear/two"], {}, build) is None  # it failed


def test_a_kernel_that_dies_fails_its_chapter(executed):
    failure = executed[1]["dies"].failure
    assert "DeadKernel" in failure.reason
    assert failure.cell == 2


def test_a_chapter_whose_process_is_killed_is_told(executed):
    assert executed[1]["killed"].failure.reason.startswith("its process was killed, perhaps for want of memory")


def test_what_is_unchanged_is_kept_and_what_changed_is_executed(root, first):
    assert not first.cached
    again = run(root, names=["one"])["one"]
    assert again.cached
    assert again.path == first.path
    assert (again.seconds, again.megabytes) == (first.seconds, first.megabytes)
    assert first.seconds > 0
    assert not run(root, {"one": {"n": 3}}, ["one"])["one"].cached
    assert run(root, names=["one"])["one"].cached  # the former result is still there
    chapter = root / "chapters" / "one.md"
    chapter.write_text(chapter.read_text().replace("print(n)", "print(n + 1)"))
    assert not run(root, names=["one"])["one"].cached


@pytest.mark.parametrize("parameters", [{}, {"n": 3}])
def test_new_words_are_taken_over_without_executing(root, tmp_path, parameters):
    first = run(root, {"one": parameters}, ["one"])["one"]
    others = set(first.path.parent.glob("*.ipynb")) - {first.path}
    chapter = root / "chapters" / "one.md"
    options = "---\nmystnb: {figure: {name: fig, caption: New.}}\n---\n"
    text = (
        chapter.read_text()
        .replace("Words.", "Other words, *é*.\n\n+++\n\nMore.")
        .replace("print(n)", f"{options}print(n)")
    )
    chapter.write_text(text)
    again = run(root, {"one": parameters}, ["one"])["one"]
    assert again.cached
    assert again.path != first.path
    fresh = execute(book(root)["one"], parameters, tmp_path / "fresh.ipynb")
    assert again.path.read_bytes() == fresh.read_bytes()
    assert set(again.path.parent.glob("*.ipynb")) == others | {again.path}
    assert again.seconds == first.seconds
    assert run(root, {"one": parameters}, ["one"])["one"].seconds == first.seconds


def test_a_damaged_result_is_made_again(root, first, capsys):
    first.path.write_bytes(first.path.read_bytes()[:-20])
    result = run(root, names=["one"])["one"]
    assert not result.cached
    assert result.path == first.path
    assert "damaged" in capsys.readouterr().out


def test_the_slowest_chapters_begin_first_and_those_not_known_before_them(tmp_path, monkeypatch):
    root, begun = write_book(tmp_path, dict.fromkeys(("quick", "slow", "new"), GOOD)), []

    def fail(_, tasks, **__):
        begun.extend(tasks)
        for name in tasks:
            yield name, Result(failure=Failure(None, None, "not executed", "")), 0

    for name, seconds in (("quick", 1), ("slow", 9)):
        write_atomically(root / "_build" / "executed" / name / "key.json", json.dumps({"seconds": seconds}))
    monkeypatch.setattr(all_chapters, "outcomes", fail)
    run(root)
    assert begun == ["new", "slow", "quick"]


def test_a_chapter_that_fails_writes_nothing(root, tmp_path):
    chapter = book(root)["three"]
    with pytest.raises(PapermillExecutionError, match="ClaimError"):
        execute(chapter, {"n": 3}, tmp_path / "a.ipynb")
    assert not (tmp_path / "a.ipynb").exists()
