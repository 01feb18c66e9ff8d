"""The cache: which edits ask for a new execution of which chapters, and what is kept of former ones."""

import os

import pytest
from small_books import cell, write_book
from small_package import write_package

from edition.book import ROOT, book
from edition.execution.cache import KEPT, cache_key, prune, put, source_digests
from edition.execution.dependencies import Packages

CHAPTERS = {
    "none": "# None\n\n" + cell("print(1)"),
    "one": "# One\n\n" + cell("n = 2", "parameters") + "\n" + cell("from pack import one") + "\n" + cell("one()"),
    "two": "# Two\n\n" + cell("from pack import room\nroom.two()"),
    "words": "# Words\n",
    "results": "# Results\n\n" + cell("open('../benchmarks/results.json')"),
}


@pytest.fixture
def root(tmp_path):
    root = write_book(tmp_path / "book", CHAPTERS)
    (root / "benchmarks").mkdir()
    (root / "benchmarks" / "results.json").write_text("{}")
    write_package(root)
    return root


def digests(root):
    return source_digests(list(book(root).values()), root, Packages({"pack": root / "pack"}))


def changed(root, path, old, new):
    """Return the chapters whose sources change with a file."""
    before, text = digests(root), (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))
    return {name for name, digest in digests(root).items() if digest != before[name]}


@pytest.mark.parametrize(
    ("path", "old", "new", "chapters"),
    [
        ("pack/base.py", '"""Base."""', '"""Other words."""', set()),
        ("pack/base.py", "  # nothing", "", set()),
        ("pack/unused.py", "4", "5", set()),
        ("pack/base.py", "return 0", "return 1", {"one"}),
        ("pack/room/one_file.py", "return base()", "return -base()", {"one"}),
        ("pack/room/two_file.py", "return 2", "return 3", {"two"}),
        ("pack/room/__init__.py", "__dir__", "__names__", {"one", "two"}),
        ("pack/room/style.txt", "blue", "red", {"one", "two"}),
        ("benchmarks/results.json", "{}", "[]", {"results"}),
        ("requirements.txt", "numpy==", "numpy==1", set(CHAPTERS)),
        ("chapters/one.md", "# One", "# Another", set()),
    ],
)
def test_a_change_reaches_the_chapters_that_depend_on_it_and_no_other(root, path, old, new, chapters):
    assert changed(root, path, old, new) == chapters


def test_data_beside_the_chapters_reach_all_of_them_and_a_script_with_what_it_imports(root):
    before = digests(root)
    (root / "chapters" / "data.csv").write_text("1,2")
    with_data = digests(root)
    assert all(with_data[name] != before[name] for name in CHAPTERS)
    (root / "chapters" / "script.py").write_text("from pack import unused")
    assert changed(root, "pack/unused.py", "4", "5") == set(CHAPTERS)


def test_a_chapter_that_asks_where_the_book_is_may_read_the_results_of_the_benchmarks(root):
    text = (root / "chapters" / "two.md").read_text()
    (root / "chapters" / "two.md").write_text(text.replace("from pack", "from edition.book import ROOT\nfrom pack"))
    chapters = [book(root)["two"], book(root)["one"]]
    packages = Packages(Packages.installed("edition").folders | {"pack": root / "pack"})
    before = source_digests(chapters, root, packages)
    (root / "benchmarks" / "results.json").write_text("[]")
    after = source_digests(chapters, root, packages)
    assert (after["two"] != before["two"], after["one"] != before["one"]) == (True, False)


def test_the_book_itself_has_what_every_kernel_loads_among_its_sources(tmp_path):
    chapters, folders = [book()["linear/appendix-a"]], Packages.installed("capacity", "edition").folders
    before = source_digests(chapters, ROOT, Packages(folders))
    for name in ("figures/capture.py", "claims/check.py", "execution/one_chapter.py", "book.py"):
        edited = Packages(folders)
        module = f"edition.{name.removesuffix('.py').replace('/', '.')}"
        path = tmp_path / "edited.py"
        path.write_text(edited.files[module].read_text() + "\nedited = True\n")
        edited.files[module] = path
        assert source_digests(chapters, ROOT, edited) != before, name


def test_another_python_counts_unless_the_machine_is_left_out(root, monkeypatch):
    chapters, packages = list(book(root).values()), Packages({"pack": root / "pack"})
    before = [source_digests(chapters, root, packages, machine=machine)["one"] for machine in (True, False)]
    monkeypatch.setattr("sys.version_info", (3, 99, 0))
    after = [source_digests(chapters, root, packages, machine=machine)["one"] for machine in (True, False)]
    assert [a == b for a, b in zip(after, before)] == [False, True]


def test_a_key_covers_code_parameters_and_sources_and_no_words(root):
    one = book(root)["one"]
    key = cache_key(one, {"n": 3}, "digest")
    assert len({key, cache_key(one, {"n": 4}, "digest"), cache_key(one, {"n": 3}, "other")}) == 3
    text = one.path.read_text()
    one.path.write_text(text.replace("# One", "# Other words"))
    assert cache_key(one, {"n": 3}, "digest") == key
    one.path.write_text(text.replace("one()", "one() + 1"))
    assert cache_key(one, {"n": 3}, "digest") != key


def test_the_newest_notebooks_are_kept(tmp_path):
    paths = [put(f"{n}", tmp_path, "key") for n in range(KEPT + 2)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1e9 - age, 1e9 - age))
    prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(paths[2:])
