"""Calls that are right, whose arguments are spoilt one after the other: each must be refused by its name."""

import inspect
import re
from pathlib import Path

import numpy as np


def spoilt(value):
    """What may come by mistake in place of an argument, each of which must be refused."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        nan, infinite = value.copy(), value.copy()
        nan.flat[-1], infinite.flat[-1] = np.nan, np.inf
        masked = np.ma.masked_array(value, mask=np.arange(value.size).reshape(value.shape) == 0)
        text = value.astype(str)
        return [nan, infinite, masked, value + 1j, text, text.astype(object), np.zeros((0, *value.shape[1:])), []]
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        return [[], *([other, *value[1:]] for other in spoilt(value[0]) if not np.ma.isMaskedArray(other))]
    if isinstance(value, tuple):
        return [(*value[:-1], 1.5), (*value[:-1], 0), 2.5]
    if isinstance(value, int):
        return [float("nan"), float("inf"), -1, "3", None, 1j]
    if isinstance(value, float):
        return [float("nan"), float("inf"), float("-inf"), "0.5", 1j, [value]]
    return [] if isinstance(value, np.ndarray | list | str) else ["relu", None, 3][isinstance(value, Path) :]


def label(function):
    """The name of a function, after that of the object whose method it is."""
    owner = getattr(function, "__self__", None)
    return f"{type(owner).__name__}." * (owner is not None) + getattr(function, "__name__", repr(function))


def answer(function, arguments, name):
    """What a call does other than to refuse the argument by its name, or nothing."""
    try:
        function(**arguments)
    except (TypeError, ValueError) as error:
        refused = re.search(rf"{re.escape(name)}(?!\w).*: .*expected .*, got .*; \w", str(error))
        return None if refused else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def meant(function, name, wrong):
    """Whether it is a value that the argument may have: None where that is its default."""
    return wrong is None and inspect.signature(function).parameters[name].default is None


def leave_alone(calls):
    """Make calls that are right, and see that they leave their arguments alone."""
    for function, arguments in calls:
        arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
        before = {name: value.copy() for name, value in arrays.items()}
        for value in arrays.values():
            value.flags.writeable = False
        function(**arguments)
        for name, value in arrays.items():
            np.testing.assert_equal(value, before[name], err_msg=f"{label(function)}: {name}")


def answers(calls):
    """What calls answer to spoilt arguments other than to refuse them by name."""
    cases = [
        (function, arguments | {name: wrong}, name)
        for function, arguments in calls
        for name, value in arguments.items()
        for wrong in (["0"] if name == "rng" else spoilt(value))
        if not meant(function, name, wrong)
    ]
    found = ((*case, answer(*case)) for case in cases)
    return [f"{label(f)}({name}={given[name]!r}): {said}" for f, given, name, said in found if said]
