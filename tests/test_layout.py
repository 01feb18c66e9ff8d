"""What is where: the README names all at the top level; a module has its tests in a folder that mirrors its own."""

import importlib
import subprocess

import pytest

from edition.book import ROOT

TESTS = {"capacity": "tests", "edition": "tests/edition"}
WITHOUT = {  # modules that have none, each with the reason
    "capacity/_version": "tests of the metadata compare it with pyproject.toml",
    "edition/__main__": "every command of .ci runs it",
}
UNNAMED = {".gitignore", ".pre-commit-config.yaml", "README.md"}  # known by their names


def modules():
    paths = [path for package in TESTS for path in (ROOT / package).rglob("*.py") if path.stem != "__init__"]
    return sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in paths)


def its_tests(module):
    package, *folders, name = module.split("/")
    return ROOT.joinpath(TESTS[package], *folders, f"test_{name.lstrip('_')}.py")


def test_a_module_has_a_test_module_of_its_name_or_a_reason():
    wrong = [module for module in modules() if its_tests(module).is_file() == (module in WITHOUT)]
    assert {module: WITHOUT.get(module, f"write {its_tests(module)}") for module in wrong} == {}


def test_every_reason_belongs_to_a_module():
    assert WITHOUT.keys() <= set(modules())


def test_no_public_name_of_a_room_is_that_of_a_file_in_it():
    rooms = [path.parent for path in sorted((ROOT / "capacity").glob("*/__init__.pyi"))]
    assert rooms
    for room in rooms:
        public = importlib.import_module(f"capacity.{room.name}").__all__
        assert {path.stem for path in room.glob("*.py")} & set(public) == set(), room.name


def test_the_readme_names_what_is_at_the_top_level():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a clone")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    top = {name.split("/")[0] + "/" * ("/" in name) for name in listed.stdout.splitlines()} - UNNAMED
    assert "capacity/" in top
    assert {name for name in top if name not in readme} == set()
