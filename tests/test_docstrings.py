"""Docstrings of the public interface: complete, in the numpydoc format, and with the errors that the code raises."""

import ast
import inspect
import re
from functools import cache, cached_property
from importlib import import_module
from textwrap import dedent

from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate
from package import files

from capacity.linalg import is_orthonormal, orthonormal_basis, subspace_sum, subspaces

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


def test_a_parameter_that_there_is_not_is_noticed(monkeypatch):
    target = is_orthonormal
    monkeypatch.setattr(target, "__doc__", target.__doc__.replace("atol : ", "tolerance : "))
    assert {code for code, _ in validate("capacity.linalg.subspaces.is_orthonormal")["errors"]} >= {"PR02"}


def function(member):
    """The function behind a member of a class: a method, a class method or a property."""
    if isinstance(member, cached_property):
        return member.func
    return member.fget if isinstance(member, property) else getattr(member, "__func__", member)


def documented(thing):
    """Names of the errors in the section Raises of a docstring."""
    sections = NumpyDocString(inspect.getdoc(thing) or "")["Raises"]
    return {name for section in sections for name in re.findall(r"\w+", section.type)}


@cache
def raised(code, owner=None):
    """Names of the errors that a function raises: itself, through its module's helpers, and by checks that it calls."""

    def within(node):
        if isinstance(node, ast.FunctionDef | ast.Lambda):  # what a function defines is not what it does
            return set()
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            return {node.exc.func.id}
        found = within_all(ast.iter_child_nodes(node))
        if isinstance(node, ast.Try):
            types = [name for handler in node.handlers for name in ast.walk(handler.type)]
            caught = within_all(node.body) - within_all([*node.handlers, *node.orelse, *node.finalbody])
            named = {name.id for name in types if isinstance(name, ast.Name)}
            return found - (caught if named & {"Exception", "BaseException"} else caught & named)
        return found | passed_on(node.func) if isinstance(node, ast.Call) else found

    def within_all(nodes):
        return set().union(*map(within, nodes))

    def passed_on(name):
        called = None
        if isinstance(name, ast.Name):
            called = vars(inspect.getmodule(code)).get(name.id)
        elif owner and isinstance(name, ast.Attribute) and ast.unparse(name.value) in ("self", "cls"):
            called = function(vars(owner).get(name.attr))
        if not inspect.isfunction(called):
            return set()
        if called.__module__ == "capacity._validation" or called.__name__.startswith("check_"):
            return documented(called)
        helps = called.__name__.startswith("_") and called.__module__ == code.__module__
        return raised(called, owner) if helps else set()

    return within_all(ast.parse(dedent(inspect.getsource(code))).body[0].body)


def undocumented(module):
    """The errors that each public function, class and method of a module raises without saying so."""
    missing = {}
    for name in getattr(module, "__all__", []):
        thing = getattr(module, name)
        if inspect.isfunction(thing):
            missing[name] = raised(thing) - documented(thing)
        elif inspect.isclass(thing):
            if hasattr(thing, "__post_init__"):
                missing[name] = raised(thing.__post_init__, thing) - documented(thing)
            for key, value in vars(thing).items():
                if not key.startswith("_") and inspect.isfunction(code := function(value)):
                    missing[f"{name}.{key}"] = raised(code, thing) - documented(code)
    return {name: sorted(errors) for name, errors in missing.items() if errors}


def test_every_error_that_is_raised_is_documented():
    missing = {module: undocumented(import_module(module)) for module in files()}
    assert {module: errors for module, errors in missing.items() if errors} == {}


def test_an_undocumented_error_is_noticed(monkeypatch):
    for target in (subspace_sum, orthonormal_basis):  # raised by itself, and by a check
        text = inspect.cleandoc(target.__doc__)  # Python 3.13 takes the indentation off by itself
        monkeypatch.setattr(target, "__doc__", text.replace("Raises\n------", "Warns\n-----"))
    assert undocumented(subspaces) == {"subspace_sum": ["ValueError"], "orthonormal_basis": ["TypeError", "ValueError"]}
