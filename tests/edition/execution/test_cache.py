"""The cache: which edits ask for a new execution of a chapter, and what is kept of former ones."""

import os
import shutil
from pathlib import Path

import pytest
from small_books import cell, write_book

from edition.book import ROOT, book
from edition.execution import cache, made_with
from edition.execution.all_chapters import execute_all
from edition.execution.cache import KEPT, cache_key, kept, prune, put, seconds_of, sources, stamped
from edition.execution.reads import _is_source

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
        ("pack/used.py", FILES["pack/used.py"].replace("  # a comment", ""), True),
        ("pack/used.py", FILES["pack/used.py"].replace("Words.", "Others."), False),
        ("pack/unused.py", "value = 4\n", True),
        ("pack/used.py", "def value():\n    return 3\n", False),
        ("pack/used.py", "def value(:\n", False),
        ("pack/__init__.py", "value = 3\n", False),
        ("chapters/data.csv", "1,3", False),
        ("chapters/data.csv", None, False),
    ],
)
def test_a_result_holds_as_long_as_what_was_read_is_the_same_but_for_comments(executed, name, text, same):
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


def test_a_file_that_changed_while_it_was_read_is_not_taken_for_what_was_read(executed):
    root, _ = executed
    name = os.path.relpath(root / "pack" / "used.py", ROOT)
    noted = {"reads": [name], "modules": [], "megabytes": 1}
    changed = (root / "pack" / "used.py").stat().st_mtime
    at_once, later = (stamped(noted, {}, since)["reads"] for since in (changed, changed + 1))
    assert at_once == {name: None}
    assert later[name]


def holds(executed):
    """Return whether the result is still that of the chapter."""
    root, result = executed
    one = book(root)["one"]
    return kept(one, cache_key(one, {}), result.path.parent)[0] is not None


def test_another_version_of_a_package_that_was_used_asks_for_a_new_execution_and_one_of_another_does_not(
    executed, monkeypatch
):
    installed = made_with.installed()
    used = {package for module in ("IPython", "traitlets") for package in installed[module]}
    assert used <= set(executed[1].packages)
    assert not {package for package in installed["sphinx"] if package in executed[1].packages}
    assert holds(executed)
    for module, same in (("IPython", False), ("traitlets", False), ("sphinx", True)):
        monkeypatch.setattr(cache, "installed", lambda changed=module: installed | {changed: ["another 1.0"]})
        assert holds(executed) == same
    monkeypatch.setattr(cache, "installed", lambda: {k: v for k, v in installed.items() if k != "IPython"})
    assert not holds(executed)


@pytest.mark.parametrize(
    ("name", "expected"), [("capacity/a.py", True), ("_build/a.py", False), (".venv/a.py", False), ("../a.py", False)]
)
def test_sources_are_those_of_a_checkout_wherever_it_is(name, expected):
    root = Path("/a/.folder/_build/book")
    assert _is_source(Path(os.path.normpath(root / name)), root) == expected


@pytest.mark.parametrize("content", ["", '{"reads": {', "[1]", '{"reads": 1}', None])
def test_a_note_that_is_damaged_or_lost_asks_for_a_new_execution(executed, tmp_path, content):
    root, result = executed
    folder, one = shutil.copytree(result.path.parent, tmp_path / "one"), book(root)["one"]
    (note,) = folder.glob("*.json")
    note.write_text(content) if content is not None else note.unlink()
    assert seconds_of(folder) == float("inf")
    assert kept(one, cache_key(one, {}), folder) == (None, None)


TEXT = "# One\n\n" + cell("one()")
COUNTS = {
    "code": TEXT.replace("one()", "one() + 1"),
    "a cell more": TEXT + cell("2"),
    "a tag": TEXT.replace("one()", ":tags: [hide-input]\none()"),
    "Python": lambda patch: patch.setattr("sys.version_info", (3, 99, 0)),
    "the machine": lambda patch: patch.setattr("platform.machine", lambda: "another"),
    "the processor": lambda patch: patch.setattr(made_with, "processor", lambda: "another"),
    "its instructions": lambda patch: patch.setenv("OPENBLAS_CORETYPE", "another"),
    "those of NumPy": lambda patch: patch.setenv("NPY_DISABLE_CPU_FEATURES", "another"),
    "what writes notebooks": lambda patch: patch.setattr(made_with, "version", lambda _: "another"),
    "what executes": lambda patch: patch.setattr(cache, "EXECUTES", cache.EXECUTES[:1]),
}
DOES_NOT_COUNT = {
    "words": TEXT.replace("# One", "# Other words"),
    "a comment": TEXT.replace("one()", "# Words.\none()  # words"),
    "a cell of words": TEXT + "\nOther words.\n\n+++\n\nMore.\n",
    "threads, of which kernels have one": lambda patch: patch.setenv("OMP_NUM_THREADS", "7"),
    "settings, which kernels do not get": lambda patch: patch.setenv("MPLCONFIGDIR", "/another"),
    "packages, of which the notes know": lambda patch: patch.setattr(cache, "installed", dict),
    "the temporary folder": lambda patch: patch.setenv("TMPDIR", "/another"),
}


def changed_key(folder, change):
    """Return whether the key of a chapter is another after a change of its text or of what is around."""
    one = book(write_book(folder, {"one": TEXT}))["one"]
    before = cache_key(one, {"n": 3})
    assert cache_key(one, {"n": 3}) == before
    with pytest.MonkeyPatch.context() as patch:
        if callable(change):
            change(patch)
        else:
            write_book(folder, {"one": change})
        return cache_key(one, {"n": 3}) != before


@pytest.mark.parametrize("change", COUNTS.values(), ids=COUNTS)
def test_a_key_depends_on_each_of_these(tmp_path, change):
    assert changed_key(tmp_path, change)


@pytest.mark.parametrize("change", DOES_NOT_COUNT.values(), ids=DOES_NOT_COUNT)
def test_a_key_depends_on_none_of_these(tmp_path, change):
    assert not changed_key(tmp_path, change)


def test_a_key_depends_on_parameters_and_on_more_but_not_on_where_the_book_is(tmp_path):
    one, same = (book(write_book(tmp_path / name, {"one": TEXT}))["one"] for name in ("a", "b"))
    assert cache_key(one, {"n": 3}) == cache_key(same, {"n": 3})
    others = cache_key(one, {"n": 4}), cache_key(one, {"m": 3}), cache_key(one, {"n": 3}, "more")
    assert len({cache_key(one, {"n": 3}), *others}) == 4


@pytest.mark.parametrize("change", [("capacity/a.py", "a = 2"), ("edition/b.py", ""), ("capacity/a.pyi", "a: int")])
def test_what_is_kept_without_knowing_what_it_read_depends_on_all_code_and_packages(tmp_path, monkeypatch, change):
    for root in (tmp_path / "one", tmp_path / "two"):
        (root / "capacity").mkdir(parents=True)
        (root / "edition").mkdir()
        (root / "capacity" / "a.py").write_text("a = 1")
        monkeypatch.setattr(cache, "ROOT", root)
        before = sources()
        (root / "capacity" / "a.pyc").write_text("of a compiler")
        assert sources() == before
    monkeypatch.setattr(cache, "ROOT", tmp_path / "one")
    assert sources() == before  # wherever it is
    (tmp_path / "one" / change[0]).write_text(change[1])
    assert sources() != before
    monkeypatch.setattr(cache, "ROOT", root)
    monkeypatch.setattr(cache, "installed", dict)
    assert sources() != before


def test_the_newest_notebooks_are_kept(tmp_path):
    paths = [put(f"{n}", {"seconds": n}, tmp_path, "key") for n in range(KEPT + 2)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1e9 - age, 1e9 - age))
    assert seconds_of(tmp_path) == KEPT + 1
    prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([*paths[2:], *(path.with_suffix(".json") for path in paths[2:])])
