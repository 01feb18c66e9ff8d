"""Docstrings of the public interface: they are in the numpydoc format and describe the parameters that there are."""

import inspect
from importlib import import_module

import pytest
from chapter_figures import drawn_in
from numpydoc.validate import validate
from package import rooms

FORMAT = {
    "GL05": "tabs instead of spaces",
    "GL06": "unknown section",
    "GL07": "sections out of order",
    "GL08": "no docstring",
    "SS03": "summary without a full stop",
    "SS04": "summary with leading spaces",
    "PR02": "unknown parameters",
    "PR06": "type not by its Python name",
    "PR09": "description without a full stop",
    "PR10": "no space before the colon",
    "RT05": "description of the result without a full stop",
    "YD01": "no Yields section",
}


def public(room):
    return getattr(import_module(room), "__all__", [])


def members(room):
    """Name of each public function, class and method of a room."""
    for name in public(room):
        found = getattr(import_module(room), name)
        if inspect.isfunction(found):
            yield f"{room}.{name}"
        elif inspect.isclass(found):
            methods = [k for k, value in vars(found).items() if not k.startswith("_") and inspect.isfunction(value)]
            yield from (f"{room}.{name}" for name in (name, *(f"{name}.{k}" for k in methods)))


def test_docstrings_are_well_formed():
    names = [name for room in rooms() for name in members(room)]
    assert "capacity.linalg.Basis" in names
    faults = {name: [fault for fault in validate(name)["errors"] if fault[0] in FORMAT] for name in names}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.whole
def test_every_public_name_has_an_executed_example():
    """A doctest; of plots, a figure of the book, to which the page of the room leads."""
    found = {(room, name): getattr(import_module(room), name) for room in rooms() for name in public(room)}
    shown = {place: member for place, member in found.items() if inspect.isfunction(member) or inspect.isclass(member)}
    without = {place for place, member in shown.items() if ">>>" not in inspect.getdoc(member)}
    assert without <= {("capacity.figures", name) for name in drawn_in()}
