"""What is public has types for a user's checker, comes through a pickle, and gives the same in several threads."""

import inspect
import pickle
from collections import ChainMap
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pkgutil import iter_modules

import pytest

import capacity
from capacity import GaussianProcess
from capacity_inspection.readers import tcn
from capacity_inspection.reports import summary

TOOL = ["look_backs", *("design", "figures", "graphs", "models", "readers", "reports")]
ROOMS = [
    *(each.name for each in iter_modules(capacity.__path__, "capacity.") if not each.name.startswith("capacity._")),
    *(f"capacity_inspection.{room}" for room in TOOL),
]
PUBLIC = {
    f"{thing.__module__}.{thing.__qualname__}" if hasattr(thing, "__qualname__") else f"{room}.{name}": thing
    for room in ROOMS
    for name in import_module(room).__all__
    if (thing := getattr(import_module(room), name)) is not None
}


CALLED = ("__call__", "__getitem__", "__matmul__")


def functions_of(thing):
    """A function, or the public methods and properties that a class has itself."""
    if not inspect.isclass(thing):
        return [thing] if inspect.isfunction(thing) else []
    ours = [vars(each) for each in thing.__mro__ if each.__module__.startswith("capacity")]
    own = (each for name, each in ChainMap(*ours).items() if not name.startswith("_") or name in CALLED)
    found = (
        next((getattr(each, key) for key in ("fget", "func", "__func__") if hasattr(each, key)), each) for each in own
    )
    return [each for each in found if inspect.isfunction(each)]


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_public_is_typed_and_comes_through_a_pickle(name):
    thing = PUBLIC[name]
    assert pickle.loads(pickle.dumps(thing)) is thing or not (inspect.isclass(thing) or inspect.isfunction(thing))
    for function in functions_of(thing):
        signature = inspect.signature(function)
        annotations = [each.annotation for key, each in signature.parameters.items() if key not in ("self", "cls")]
        assert inspect.Signature.empty not in [*annotations, signature.return_annotation], function


def test_reports_of_one_graph_in_several_threads_are_the_same():
    graph, data = tcn([1, 2, 4], channels=3, activation="relu"), GaussianProcess().sample(600, rng=0)
    alone = summary(tcn([1, 2, 4], channels=3, activation="relu"), data=data).text(full=True)
    with ThreadPoolExecutor(4) as pool:
        assert {each.text(full=True) for each in pool.map(lambda _: summary(graph, data=data), range(8))} == {alone}
