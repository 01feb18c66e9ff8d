"""What code depends on: the files that define what it uses, those that these import, and never too little."""

import json
from functools import cache

import nbformat
import pytest
from small_books import cell
from small_package import write_package

from edition.book import ROOT, Chapter, book
from edition.execution.dependencies import Packages, dependencies
from edition.execution.one_chapter import run_chapter
from edition.execution.source_code import read_code

PACK, ROOM = {"pack"}, {"pack", "pack.room", "pack.room/style.txt"}
ONE, TWO = ROOM | {"pack.room.one_file", "pack.base"}, ROOM | {"pack.room.two_file"}
THREE = {"pack.room._three", "pack.attic"}
OFFERED = ONE | TWO | THREE
EVERYTHING = OFFERED | {"pack._version", "pack.experiments", "pack.unused"}


def found(source, folder):
    names = dependencies(read_code(source), Packages({"pack": folder}))
    return {name for name in names if "=" not in name}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_package(tmp_path_factory.mktemp("packages"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy", set()),
        ("import pack", PACK),
        ("from pack import room", ROOM),
        ("from pack.room import one", ONE),
        ("from pack import one", ONE),
        ("from pack.room import two as other\nother()", TWO),
        ("from pack import room\nroom.one()", ONE),
        ("from pack import room as r\nprint([r.one, 3])\ndef f():\n    return r.two()", ONE | TWO),
        ("import pack\npack.room.two.__name__", TWO),
        ("import pack.room as r\nr.two()", TWO),
        ("import pack.room.two_file", TWO),
        ("import pack.room\npack.room.one()", ONE),
        ("def late():\n    from pack.room import three", ROOM | THREE),
        ("from pack import version", PACK | {"pack._version"}),
        ("from pack.experiments import late", ONE | TWO | {"pack.experiments"}),
        ("from pack import experiments\nexperiments.room.three()", OFFERED | {"pack.experiments"}),
    ],
)
def test_a_name_leads_to_the_file_that_defines_it_and_to_what_this_imports(folder, source, expected):
    assert found(source, folder) == expected


@pytest.mark.parametrize(
    "source",
    [
        "from pack import room\ngetattr(room, name)()",
        "from pack import room\nrooms = [room]",
        "from pack import room\nroom.unknown",
        "from pack.room import *",
        "from pack.room import unknown",
        "import pack\nf(pack.room)",
        "from pack import room\neval('room.one()')",
        "exec('from pack import room')",
        "code = 'import os; from pack.room import ('",
        "import sys\nsys.modules['pack.room']",
        "import importlib\nimportlib.import_module('pack.room')",
        "!python -c 'import pack.room'",
    ],
)
def test_where_a_use_cannot_be_resolved_all_that_the_room_offers_counts(folder, source):
    assert found(source, folder) >= OFFERED


def test_a_package_that_is_used_as_a_value_counts_with_all_that_it_offers(folder):
    assert found("import pack\nprint(pack)", folder) == OFFERED | {"pack._version"}


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module(name)",
        "__import__(f'{package}.room')",
        "__import__(f'pack.{name}')",
        "no code at all",
    ],
)
def test_where_it_cannot_be_told_what_is_imported_everything_counts(folder, source):
    assert found(source, folder) == EVERYTHING


@pytest.mark.parametrize(
    "source",
    [
        "'''from pack import room'''",
        "# from pack import room",
        "print('capacity of the pack')",
        "import importlib\nimportlib.import_module(f'statsmodels.datasets.{name}')",
        "from importlib import resources\nother.pack.room",
    ],
)
def test_words_are_no_imports(folder, source):
    assert found(source, folder) == set()


def test_strings_of_code_count_with_what_they_import(folder):
    assert found("CODE = '''\\\n{first}\nfrom pack import one\nimport numpy\none({n})\n'''", folder) == ONE


def test_data_of_a_package_are_asked_for_without_its_code(folder):
    assert found("from importlib import resources\nresources.files('pack.room') / 'style.txt'", folder) == ROOM


def test_lines_of_ipython_are_understood(folder):
    assert found("%matplotlib inline\nfrom pack import room\nroom.one?\n", folder) == ROOM
    assert found("%matplotlib inline\nfrom pack import room\nroom.two()", folder) == TWO


@pytest.mark.parametrize(
    ("name", "old", "new", "same"),
    [
        ("base.py", '"""Base."""', '"""Other words."""', True),
        ("base.py", '    """Nothing."""\n', "", True),
        ("base.py", "  # nothing", "\n\n\n# more", True),
        ("room/__init__.py", "A room.", "A large room.", True),
        ("room/__init__.pyi", "from .two_file import two as two\n", "", True),
        ("room/two_file.py", "return 2", "return 3", True),
        ("base.py", "return 0", "return 1", False),
        ("room/one_file.py", "return base()", "return base() + 1", False),
        ("room/style.txt", "blue", "red", False),
        ("room/__init__.pyi", "from .one_file import", "from .two_file import", False),
    ],
)
def test_only_the_code_that_is_used_counts(tmp_path, name, old, new, same):
    folder = write_package(tmp_path)
    first = dependencies(read_code("from pack import one"), Packages({"pack": folder}))
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    assert (dependencies(read_code("from pack import one"), Packages({"pack": folder})) == first) is same


def source(chapter):
    return "\n".join(each.source for each in chapter.notebook()[0].cells if each.cell_type == "code")


@cache
def installed():
    return Packages.installed("capacity", "studies", "edition")


def of_chapter(name):
    return set(dependencies(read_code(source(book()[name])), installed()))


def test_chapters_depend_on_the_files_behind_the_names_that_they_use():
    recurrent, intuitions = of_chapter("linear/5-2-recurrent"), of_chapter("linear/2-intuitions")
    assert recurrent >= {"capacity.models.recurrences", "capacity.fitting.variable_projection"}
    assert recurrent.isdisjoint({"capacity.depth", "capacity.depth.diffusion", "capacity.models.convolutions"})
    assert "capacity.depth.diffusion" in of_chapter("layers/3-2-deep-limits")
    figures = {name for name in intuitions if name.startswith("capacity.figures.") and "=" not in name}
    assert figures == {"capacity.figures.constraints", "capacity.figures.style"}
    assert "capacity.figures/edition.mplstyle" in intuitions
    assert of_chapter("beyond/explorer") >= {"studies.explorer", "capacity.models.recurrences"}  # in strings


def test_each_file_is_read_once_for_all_chapters(monkeypatch):
    read, packages = [], Packages.installed("capacity", "studies", "edition")
    monkeypatch.setattr("edition.execution.dependencies.read_code", lambda *args: read.append(args) or read_code(*args))
    codes = [read_code(source(chapter)) for chapter in book().values()]
    found = [dependencies(code, packages) for code in codes * 2]
    assert sum(map(bool, found)) > 50
    assert len(read) == len(set(read)) <= 2 * len(packages.files)  # a room has a stub as well


LOADED = "import json, sys\nprint(json.dumps([n for n in sys.modules if n.split('.')[0] in ('capacity', 'edition')]))"


def test_what_a_chapter_loads_is_among_what_it_depends_on(tmp_path):
    name = "linear/appendix-a"
    path = tmp_path / "chapter.md"
    path.write_text((ROOT / "chapters" / f"{name}.md").read_text() + "\n" + cell(LOADED))
    text, _ = run_chapter(Chapter("chapter", path), {"n_pairs": 20}, figures=False)
    loaded = set(json.loads(nbformat.reads(text, as_version=4).cells[-1].outputs[0].text))
    assert len(loaded) > 8
    assert loaded <= of_chapter(name)
