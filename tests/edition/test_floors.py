"""The floors of the package: what may import what."""

import pytest

from edition.floors import FLOORS, imported, modules, row

PLOTTING = {"matplotlib", "seaborn"}


@pytest.mark.parametrize("name", modules())
def test_a_module_imports_from_strictly_lower_rows_only(name):
    inside = {source.split(".")[1] for source in imported(name) if source.startswith("capacity.")} - {name}
    relative = {source for source in imported(name) if source.startswith(".")}
    assert not relative, "import by full name"
    assert {other for other in inside if row(other) >= row(name)} == set()


@pytest.mark.parametrize("name", modules())
def test_only_the_figures_import_a_plotting_library(name):
    assert name == "figures" or not {source.split(".")[0] for source in imported(name)} & PLOTTING


@pytest.mark.parametrize("name", modules())
def test_no_module_knows_the_edition_and_only_the_figures_know_notebooks(name):
    notebooks = set() if name == "figures" else {"IPython", "matplotlib_inline"}
    assert not {source.split(".")[0] for source in imported(name)} & ({"edition", "myst_nb", "sphinx"} | notebooks)


def test_no_module_stands_on_two_floors():
    names = [name for rows in FLOORS.values() for row in rows for name in row]
    assert len(names) == len(set(names))


def test_imports_inside_functions_count():
    assert "matplotlib" in {source.split(".")[0] for source in imported("figures")}
