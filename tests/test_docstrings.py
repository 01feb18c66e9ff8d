"""Docstrings of the public interface: they are in the numpydoc format and describe the parameters that there are."""

import inspect
from importlib import import_module

from numpydoc.validate import validate
from package import files

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


def public(module):
    """Name of each public function, class and method of a module."""
    for name in getattr(module, "__all__", []):
        found = getattr(module, name)
        if inspect.isfunction(found):
            yield f"{module.__name__}.{name}"
        elif inspect.isclass(found):
            methods = [k for k, value in vars(found).items() if not k.startswith("_") and inspect.isfunction(value)]
            yield from (f"{module.__name__}.{name}" for name in (name, *(f"{name}.{k}" for k in methods)))


def test_docstrings_are_well_formed():
    names = [name for module in files() for name in public(import_module(module))]
    faults = {name: [fault for fault in validate(name)["errors"] if fault[0] in FORMAT] for name in names}
    assert {name: found for name, found in faults.items() if found} == {}
