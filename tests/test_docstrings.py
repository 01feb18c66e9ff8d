"""Docstrings of the public interface: complete and in the numpydoc format."""

import inspect
from importlib import import_module

import pytest
from numpydoc.validate import validate

from edition.floors import modules

FORMAT = {
    "GL05": "tabs instead of spaces",
    "GL06": "unknown section",
    "GL07": "sections out of order",
    "GL08": "no docstring",
    "SS03": "summary without a full stop",
    "SS04": "summary with leading spaces",
    "PR02": "unknown parameters",
    "PR03": "parameters out of order",
    "PR06": "type not by its Python name",
    "PR09": "description without a full stop",
    "PR10": "no space before the colon",
    "RT05": "description of the result without a full stop",
    "YD01": "no Yields section",
}
COMPLETE = FORMAT | {"PR01": "parameters missing", "RT01": "no Returns section"}
SHORT = ("capacity.checks", "capacity.figures")  # validators and plots: their names and one line say it all


def public(module):
    """Name of each public function, class and method of a module, with the checks that it has to pass."""
    complete = FORMAT if module.__name__ in SHORT else COMPLETE
    for name in getattr(module, "__all__", []):
        found = getattr(module, name)
        if inspect.isfunction(found):
            yield f"{module.__name__}.{name}", complete
        elif inspect.isclass(found):
            methods = [k for k, value in vars(found).items() if not k.startswith("_") and inspect.isfunction(value)]
            yield from ((f"{module.__name__}.{name}", FORMAT) for name in (name, *(f"{name}.{k}" for k in methods)))


@pytest.mark.parametrize("module", modules())
def test_docstrings_are_complete_and_well_formed(module):
    checks = dict(public(import_module(f"capacity.{module}")))
    faults = {name: validate(name)["errors"] for name in checks}
    assert {name: found for name in checks if (found := [f for f in faults[name] if f[0] in checks[name]])} == {}


def test_a_missing_parameter_is_noticed(monkeypatch):
    target = import_module("capacity.subspaces").is_orthonormal
    monkeypatch.setattr(target, "__doc__", target.__doc__.replace("atol : ", "tolerance : "))
    assert {code for code, _ in validate("capacity.subspaces.is_orthonormal")["errors"]} >= {"PR01", "PR02"}
