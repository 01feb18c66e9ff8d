"""Sweeps of a chapter: every combination once, resumed, and started anew when the chapter changes."""

import json
import re
import shutil

import nbformat
import pytest
from click.testing import CliRunner
from small_books import cell, claim, write_book

from capacity.sweeps import read_table
from edition.book import book
from edition.cli import main
from edition.execution import sweep as sweeping
from edition.execution.sweep import sweep_chapter
from edition.files import write_atomically

CODE = """from capacity_studies import check
check("linear/prop-3", n * len(names), 2)
check("linear/prop-4", [n, n], [n, n])"""


CLAIMS = claim("linear/prop-3") + claim("linear/prop-4")
VALUES = {"n": [1, 2], "names": [["a"], ["a", "b"]]}


def sweep(root, jobs=1, **values):
    return sweep_chapter(book(root)["one"], values, root / "_build", jobs=jobs)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """Return a book whose chapter was swept, the table and its folder."""
    text = "# One\n\n" + cell("n = 2\nnames = ['a']", "parameters") + "\n" + CLAIMS + cell(CODE)
    root = write_book(tmp_path_factory.mktemp("book"), {"one": text})
    return root, *sweep(root, **VALUES)


@pytest.fixture
def root(swept, tmp_path):
    """Return a copy of this book with its sweep."""
    return shutil.copytree(swept[0], tmp_path / "book")


def test_the_table_has_what_the_claims_measure_and_which_are_not_as_recorded(swept):
    _, table, folder = swept
    assert table["n"].tolist() == ["1", "1", "2", "2"]
    assert table["names"].tolist() == ['["a"]', '["a", "b"]'] * 2
    assert table["linear/prop-3"].tolist() == [1, 2, 2, 4]
    assert "linear/prop-4" not in table  # not a single number
    assert table["claims"].tolist() == [2] * 4
    assert table["not as recorded"].tolist() == ["linear/prop-3", "none", "none", "linear/prop-3"]
    assert all((folder / notebook).is_file() for notebook in table["notebook"])
    assert read_table(folder)["linear/prop-3"].tolist() == [1, 2, 2, 4]


def test_every_value_reaches_the_chapter_as_it_was_given(tmp_path, monkeypatch):
    given = []

    def record(_, values, destination, *, report):
        given.append(values["x"])
        return write_atomically(destination, nbformat.writes(nbformat.v4.new_notebook()))

    def in_turn(work, tasks, **_):
        for name, arguments in tasks.items():
            yield name, work(*arguments), 0

    monkeypatch.setattr(sweeping, "execute", record)
    monkeypatch.setattr(sweeping, "outcomes", in_turn)
    root = write_book(tmp_path, {"one": "# One\n\n" + cell("x = None", "parameters")})
    values = [1e-5, 1e16, float("inf"), float("nan"), "2001-01-31", "1e5", "[a", "a word", None, True, {"a": [1e-5]}]
    sweep(root, x=values)
    assert repr(given) == repr(values)


def test_a_finished_point_is_not_executed_again_unless_the_chapter_changed(root, swept):
    _, table, folder = swept
    again, same = sweep(root, n=[1, 3], names=[["a"]])
    assert same.name == folder.name
    assert again["notebook"][0] == table["notebook"][0]
    first, third = ((same / notebook).stat().st_mtime_ns for notebook in again["notebook"])
    assert first == (folder / table["notebook"][0]).stat().st_mtime_ns < third
    chapter = root / "chapters" / "one.md"
    chapter.write_text(chapter.read_text().replace("n * len(names)", "len(names) * n"))
    assert sweep(root, n=[1])[1] != same


def test_points_run_side_by_side_give_the_same_table(root, swept):
    _, table, folder = swept
    copied = root / folder.relative_to(swept[0])
    for path in sorted(copied.glob("points/*.json"))[:2]:
        notebook = copied / json.loads(path.read_text())["results"]["notebook"]
        notebook.unlink()
        path.unlink()
    again, same = sweep(root, jobs=2, **VALUES)
    assert same == copied
    for path in (path.relative_to(folder) for path in folder.rglob("*.*")):
        assert (same / path).read_bytes() == (folder / path).read_bytes()
    assert {name: column.tolist() for name, column in table.items()} == {
        name: column.tolist() for name, column in again.items()
    }


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 / n", "the point {'n': '0'} of the sweep failed: CellExecutionError"),
        (
            "if not n:\n    import os, signal\n    os.kill(os.getppid(), signal.SIGKILL)",
            "its process was killed, perhaps for want of memory",
        ),
    ],
)
def test_a_point_that_fails_is_named_and_the_finished_ones_are_kept(tmp_path, code, message):
    root = write_book(tmp_path, {"one": "# One\n\n" + cell("n = 2", "parameters") + "\n" + cell(code)})
    with pytest.raises(RuntimeError, match=f"{re.escape(message)}(?s:.*)1 of 3 points failed; the others are kept"):
        sweep(root, n=[1, 0, 2])
    assert len(list(root.glob("_build/sweeps/*/points/*.json"))) == 2
    assert not list(root.glob("_build/sweeps/*/table.csv"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one", "-p", "n", "3"], "n: expected a list of values"),
        (["one", "-p", "n", "[]"], "n: expected a list of values"),
        (["one"], "at least one parameter"),
        (["one", "-p", "m", "[1]"], "unknown parameter m; known: n, names"),
        (["two", "-p", "n", "[1]"], "unknown chapter 'two'"),
        (["one", "-p", "names", "[!!binary aGk=]"], "names: expected a value in YAML"),
    ],
)
def test_what_cannot_be_swept_is_told(root, arguments, message):
    done = CliRunner().invoke(main, ["--root", str(root), "sweep", *arguments])
    assert done.exit_code == 1
    assert message in done.output


def test_the_command_shows_the_points_and_where_the_table_is(root):
    done = CliRunner().invoke(main, ["--root", str(root), "sweep", "one", "-p", "n", "[3, 2]", "-p", "names", "[[a]]"])
    assert done.exit_code == 0, done.output
    assert [line.split() for line in done.stdout.splitlines()[:-1]] == [
        ["n", "names", "claims", "not", "as", "recorded"],
        ["3", '["a"]', "2", "linear/prop-3"],
        ["2", '["a"]', "2", "none"],
    ]
    assert done.stdout.rstrip().endswith("table.csv")
