"""A module has its tests in a folder that mirrors its own, and a room no file that hides a name of it."""

import importlib

import pytest
from chapter_figures import figures_of

from edition.book import ROOT, book

TESTS = {
    "capacity": "tests",
    "capacity_inspection": "tests/inspection",
    "capacity_studies": "tests/studies",
    "edition": "tests/edition",
}


def its_tests(module):
    package, *folders, name = module.split("/")
    return ROOT.joinpath(TESTS[package], *folders, f"test_{name.lstrip('_')}.py")


WITHOUT = {  # modules that have none, each with the reason
    "capacity/_version": "tests of the metadata compare it with pyproject.toml",
    "capacity/models/fully_connected": "tests of all linear models have it",
    "capacity/tasks/prescribed": "tests of all tasks have it",
    "capacity_inspection/graphs/operators/normalization": "tests of all operators draw it",
    "capacity_inspection/graphs/operators/rearranging": "tests of all operators draw them",
    "capacity_inspection/graphs/operators/sums": "tests of all operators draw them",
    "edition/__main__": "every command of .ci runs it",
    "edition/claims/labels": "its examples are its tests",
    "edition/execution/made_with": "tests of the cache vary each part of it",
    "edition/execution/progress": "every command shows it",
    "edition/execution/reads": "tests of one_chapter and of the cache see what it notes",
    "edition/files": "tests of capacity/_files try what it has of it",
    "edition/parameters": "tests of book try what may be set",
    "edition/publishing/build": "every command of .ci runs it",
    "edition/sphinx_ext/claim_records": "tests of the pages that list claims see its links and tables",
}


def without():
    files = [path for name in book() if (path := figures_of(name)).is_file()]
    drawn = [path.relative_to(ROOT).with_suffix("").as_posix() for path in files]
    return WITHOUT | {module: "the chapters' references run it" for module in drawn if not its_tests(module).is_file()}


def modules():
    paths = [path for package in TESTS for path in (ROOT / package).rglob("*.py") if path.stem != "__init__"]
    return sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in paths)


@pytest.mark.whole
def test_a_module_has_a_test_module_of_its_name_or_a_reason():
    reasons = without()
    wrong = [module for module in modules() if its_tests(module).is_file() == (module in reasons)]
    assert {module: reasons.get(module, f"write {its_tests(module)}") for module in wrong} == {}


def test_no_public_name_of_a_room_is_that_of_a_file_in_it():
    rooms = [path.parent for path in sorted(ROOT.glob("capacity*/*/__init__.pyi"))]
    assert rooms
    for room in rooms:
        public = importlib.import_module(f"{room.parent.name}.{room.name}").__all__
        assert {path.stem for path in room.glob("*.py")} & set(public) == set(), room.name
