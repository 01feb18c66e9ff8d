"""The cache: which edits ask for a new execution of a chapter, and what is kept of former ones."""

import os
import shutil

import pytest
from small_books import cell, write_book

from edition.book import ROOT, book
from edition.execution.all_chapters import execute_all
from edition.execution.cache import KEPT, cache_key, digests, kept, prune, put, seconds_of, sources

CODE = "import sys\nsys.path.insert(0, '..')\nfrom pack import used\nprint(used.value(), open('data.csv').read())"
FILES = {
    "pack/__init__.py": '"""A package."""\n',
    "pack/used.py": '"""Words."""\n\n\ndef value():\n    """Words."""\n    return 2  # a comment\n',
    "pack/unused.py": "value = 3\n",
    "chapters/data.csv": "1,2",
}


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Return a book whose chapter was executed, and its result."""
    root = write_book(tmp_path_factory.mktemp("book"), {"one": "# One\n\n" + cell(CODE)})
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
        os.utime(root / name, (1e9, 1e9))
    return root, execute_all([book(root)["one"]], {"one": {}}, root / "_build")["one"]


@pytest.mark.parametrize(
    ("name", "text", "same"),
    [
        ("pack/used.py", '"""Others."""\n\n\ndef value():\n    return 2\n', True),
        ("pack/unused.py", "value = 4\n", True),
        ("pack/used.py", "def value():\n    return 3\n", False),
        ("pack/used.py", "def value(:\n", False),
        ("pack/__init__.py", "value = 3\n", False),
        ("chapters/data.csv", "1,3", False),
        ("chapters/data.csv", None, False),
    ],
)
def test_a_result_holds_as_long_as_what_was_read_is_the_same_but_for_its_words(executed, name, text, same):
    root, result = executed
    one = book(root)["one"]
    folder, before = result.path.parent, (root / name).read_text()
    try:
        (root / name).write_text(text) if text is not None else (root / name).unlink()
        path, found = kept(one, cache_key(one, {}), folder)
    finally:
        (root / name).write_text(before)
    assert path == (result.path if same else None)
    assert not same or (found["seconds"], found["megabytes"]) == (result.seconds, result.megabytes)


def test_a_file_that_changed_while_it_was_read_is_not_taken_for_what_was_read(tmp_path):
    (tmp_path / "a.py").write_text("a = 1")
    name = os.path.relpath(tmp_path / "a.py", ROOT)
    changed = (tmp_path / "a.py").stat().st_mtime
    assert digests([name], changed) == {name: None}
    assert digests([name], changed + 1)[name]


@pytest.mark.parametrize("content", ["", '{"reads": {', "[1]", '{"reads": 1}', None])
def test_a_note_that_is_damaged_or_lost_asks_for_a_new_execution(executed, tmp_path, content):
    root, result = executed
    folder, one = shutil.copytree(result.path.parent, tmp_path / "one"), book(root)["one"]
    (note,) = folder.glob("*.json")
    note.write_text(content) if content is not None else note.unlink()
    assert seconds_of(folder) == float("inf")
    assert kept(one, cache_key(one, {}), folder) == (None, None)


def test_a_key_covers_code_parameters_and_more_but_no_words(tmp_path):
    one = book(write_book(tmp_path, {"one": "# One\n\n" + cell("one()")}))["one"]
    key = cache_key(one, {"n": 3})
    assert len({key, cache_key(one, {"n": 4}), cache_key(one, {"n": 3}, sources())}) == 3
    text = one.path.read_text()
    one.path.write_text(text.replace("# One", "# Other words"))
    assert cache_key(one, {"n": 3}) == key
    one.path.write_text(text.replace("one()", "one() + 1"))
    assert cache_key(one, {"n": 3}) != key


def test_another_python_asks_for_a_new_execution(tmp_path, monkeypatch):
    one = book(write_book(tmp_path, {"one": "# One\n\n" + cell("one()")}))["one"]
    key = cache_key(one, {})
    monkeypatch.setattr("sys.version_info", (3, 99, 0))
    assert cache_key(one, {}) != key


def test_the_newest_notebooks_are_kept(tmp_path):
    paths = [put(f"{n}", {"seconds": n}, tmp_path, "key") for n in range(KEPT + 2)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1e9 - age, 1e9 - age))
    assert seconds_of(tmp_path) == KEPT + 1
    prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([*paths[2:], *(path.with_suffix(".json") for path in paths[2:])])
