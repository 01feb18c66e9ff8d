"""The inventories of NumPy's and SciPy's names: as committed, readable by Sphinx, of names that exist."""

from importlib import import_module

import pytest
from sphinx.util.inventory import InventoryFile

from edition.book import ROOT
from edition.sphinx_ext.inventories import FOLDER, NAMES, write_inventories


def read(path, base):
    with path.open("rb") as file:
        return InventoryFile.load(file, base, lambda base, address: f"{base}/{address}")


def test_the_inventories_of_the_repository_are_those_that_the_command_writes(tmp_path):
    for path in write_inventories(tmp_path):
        assert read(path, "x") == read(ROOT / FOLDER / path.name, "x")


def test_sphinx_reads_each_name_with_its_address(tmp_path):
    numpy, _ = write_inventories(tmp_path)
    found = read(numpy, "https://numpy.org/doc/stable")
    address = "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html#numpy.ndarray"
    assert found["py:class"]["numpy.ndarray"][2] == address
    assert found["std:term"]["array_like"][2].endswith("/glossary.html#term-array_like")


@pytest.mark.parametrize(
    "name", [n for names in NAMES.values() for n, (kind, _) in names.items() if kind != "std:term"]
)
def test_the_names_exist(name):
    module, _, last = name.rpartition(".")
    assert hasattr(import_module(module), last)
