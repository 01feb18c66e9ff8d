"""What is public has types for a user's checker, comes through a pickle, and gives the same in several threads."""

import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from capacity import GaussianProcess
from capacity_inspection.readers import tcn
from capacity_inspection.reports import summary

ROOMS = ["look_backs", *("design", "figures", "graphs", "models", "readers", "reports")]
PUBLIC = [
    (f"{room}.{name}", thing)
    for room in ROOMS
    for name, thing in vars(import_module(f"capacity_inspection.{room}")).items()
    if name in import_module(f"capacity_inspection.{room}").__all__
]


def functions_of(thing):
    """A function, or the public methods and properties that a class has itself."""
    if not inspect.isclass(thing):
        return [thing] if inspect.isfunction(thing) else []
    own = (each for name, each in vars(thing).items() if not name.startswith("_") or name == "__getitem__")
    found = (
        next((getattr(each, key) for key in ("fget", "func", "__func__") if hasattr(each, key)), each) for each in own
    )
    return [each for each in found if inspect.isfunction(each)]


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_what_is_public_is_typed_and_comes_through_a_pickle(name, thing):
    assert pickle.loads(pickle.dumps(thing)) is thing or not callable(thing)
    for function in functions_of(thing):
        signature = inspect.signature(function)
        annotations = [each.annotation for key, each in signature.parameters.items() if key not in ("self", "cls")]
        assert inspect.Signature.empty not in [*annotations, signature.return_annotation], function


def test_reports_of_one_graph_in_several_threads_are_the_same():
    graph, data = tcn([1, 2, 4], channels=3, activation="relu"), GaussianProcess().sample(600, rng=0)
    alone = summary(tcn([1, 2, 4], channels=3, activation="relu"), data=data).text(full=True)
    with ThreadPoolExecutor(4) as pool:
        assert {each.text(full=True) for each in pool.map(lambda _: summary(graph, data=data), range(8))} == {alone}
