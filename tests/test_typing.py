"""Type annotations: the public face has them all, and the shared types mean what they say."""

import inspect

import pytest

import capacity
from capacity import GaussianProcess
from capacity._typing import Operator

FACE = [name for name in capacity.__all__ if callable(getattr(capacity, name))]


def functions(thing):
    """A function itself; of a class the constructor's fields and all public members that are functions."""
    if inspect.isfunction(thing):
        return [thing]
    members = [inspect.getattr_static(thing, name) for name in dir(thing) if not name.startswith("_")]
    found = [getattr(member, "fget", None) or getattr(member, "func", None) or member for member in members]
    return [getattr(member, "__func__", member) for member in found if callable(getattr(member, "__func__", member))]


@pytest.mark.parametrize("name", FACE)
def test_every_function_of_the_public_face_says_its_types(name):
    untyped = []
    for function in functions(getattr(capacity, name)):
        signature = inspect.signature(function)
        parts = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
        untyped += [f"{function.__qualname__}({p.name})" for p in parts if p.annotation is p.empty]
        untyped += [function.__qualname__] if signature.return_annotation is signature.empty else []
    assert untyped == []


def test_what_counts_as_an_operator_has_a_shape_and_a_product():
    operator: Operator = GaussianProcess().operator(3)
    assert operator.shape == (3, 3)
    assert operator @ [1.0, 0.0, 0.0] == pytest.approx(operator.dense()[0])
