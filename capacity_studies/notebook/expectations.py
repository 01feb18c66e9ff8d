"""Comparison of measured with expected values: equality, tolerances and bounds, and how numbers are shown."""

from dataclasses import dataclass
from numbers import Rational

import numpy as np

__all__ = [
    "ROUNDING",
    "Bound",
    "as_array",
    "at_least",
    "at_most",
    "between",
    "compare",
    "describe",
    "fits",
    "show",
    "summary",
]

ROUNDING = 1e-6  # the largest number that may be a rounding error, and is then shown as zero


@dataclass(frozen=True)
class Bound:
    """What every measured number is expected to be: from `low` to `high`, ends included; None where there is no end."""

    low: object = None
    high: object = None

    def __call__(self, measured):
        """Return whether the array `measured` is within the bound everywhere."""
        above = self.low is None or np.all(measured >= np.asarray(self.low))
        return bool(above and (self.high is None or np.all(measured <= np.asarray(self.high))))

    @property
    def shape(self):
        """The shape of its ends, which may be one number for all."""
        return np.broadcast_shapes(np.shape(self.low), np.shape(self.high))

    def __str__(self):
        """Return the expectation in words."""
        if self.high is None:
            return f"at least {show(self.low)}"
        return f"at most {show(self.high)}" if self.low is None else f"between {show(self.low)} and {show(self.high)}"


def at_least(bound):
    """Expect every measured number to be at least a bound."""
    return Bound(low=bound)


def at_most(bound):
    """Expect every measured number to be at most a bound."""
    return Bound(high=bound)


def between(low, high):
    """Expect every measured number to lie in the closed interval from `low` to `high`."""
    shapes = np.shape(low), np.shape(high)
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        message = f"between: expected low and high of one shape, got {shapes[0]} and {shapes[1]}; correct one"
        raise ValueError(message) from None
    if not np.all(np.asarray(low) <= np.asarray(high)):
        raise ValueError(f"between: expected low <= high, got {low} and {high}; exchange them")
    return Bound(low, high)


def as_array(value, name):
    """Return `value` as an array of booleans, texts or numbers, which include fractions and integers of any size."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufcU" and not all(isinstance(entry, Rational) for entry in array.ravel().tolist()):
        raise TypeError(f"{name}: expected numbers, booleans or texts, got {type(value).__name__}; convert it first")
    return array


def compare(measured, expected, atol, rtol, name):
    """Return whether an array meets a value or a bound, which messages call by `name`, and the largest deviation.

    Every entry must satisfy ``|measured - expected| <= atol + rtol * |expected|``, without a tolerance be equal; NaN
    satisfies nothing, and an infinity only itself. Where the shapes differ, so that nothing can be said, the answer is
    None, and so is the deviation without a tolerance. Bounds, booleans and texts take none.
    """
    tolerant = atol > 0 or rtol > 0
    if isinstance(expected, Bound):
        if tolerant:
            raise ValueError(f"{name}: a bound takes no tolerance; write it into the bound")
        if measured.dtype.kind in "bUc":
            raise TypeError(f"{name}: a bound needs real numbers, got measured of type {measured.dtype}")
        if not fits(expected.shape, measured.shape):
            return None, None
        return expected(measured), None
    expected = as_array(expected, name)
    worded = {array.dtype.kind for array in (measured, expected)} & set("bU")
    if worded and measured.dtype.kind != expected.dtype.kind:
        raise TypeError(f"{name}: expected the type of measured, {measured.dtype}, got {expected.dtype}")
    if worded and tolerant:
        raise ValueError(f"{name}: booleans and texts are compared exactly; drop the tolerance")
    if measured.shape != expected.shape:
        return None, None
    equal = measured == expected
    if not tolerant:
        return bool(np.all(equal)), None
    common = np.result_type(float, *(a.dtype for a in (measured, expected) if a.dtype != object))
    measured, expected = measured.astype(common), expected.astype(common)
    with np.errstate(invalid="ignore"):
        gap = np.where(equal, 0.0, np.abs(measured - expected))
        close = np.isfinite(expected) & (gap <= atol + rtol * np.abs(expected))
    return bool(np.all(equal | close)), float(np.max(gap))


def fits(shape, measured):
    """Return whether what has a shape can stand beside each entry of what is measured."""
    return len(shape) <= len(measured) and all(n in (1, m) for n, m in zip(shape[::-1], measured[::-1]))


def describe(expected, atol=0.0):
    """Return an expectation, a value or a bound, as a short text."""
    return str(expected) if isinstance(expected, Bound) else show(expected, atol)


def show(value, atol=0.0):
    """Return a value as a short text.

    Numbers have six digits. Rounding errors, which `atol` cannot tell from zero, are shown as zero; what a coarse
    tolerance only forgives is a measurement, and shown.

    Examples
    --------
    >>> show([1.0, 1e-17, 1 / 3], atol=1e-12), show(0.134, atol=0.2)
    ('[1, 0, 0.333333]', '0.134')
    """
    array = as_array(value, "value")
    if array.size > 8:
        spans = array.dtype.kind in "iuf"
        span = f" from {_number(array.min(), atol)} to {_number(array.max(), atol)}" if spans else ""
        return f"{' × '.join(map(str, array.shape))} values{span}"
    if array.ndim == 0:
        return _number(array[()], atol)
    return "[" + ", ".join(show(row, atol) for row in array) + "]"


def _number(value, atol):
    if isinstance(value, float | complex | np.inexact):
        return "0" if abs(value) <= min(atol, ROUNDING) else f"{value:.6g}"
    return str(value)


def summary(array):
    """Return an array as JSON can hold it: its entries when they are few, else its shape and range."""
    if array.size <= 64:
        return _json(array)
    spans = array.dtype.kind in "iuf"
    return {"shape": list(array.shape)} | ({"min": _json(array.min()), "max": _json(array.max())} if spans else {})


def _json(value):
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list):
        return [_json(entry) for entry in value]
    plain = isinstance(value, bool | int | str) or (isinstance(value, float) and np.isfinite(value))
    return value if plain else str(value)
