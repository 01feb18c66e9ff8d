"""Validation of arguments: every message names the argument, what was expected, what came, and the remedy."""

import numbers

import numpy as np

__all__ = ["as_matrix", "as_vector", "check_integer", "check_real"]


def as_vector(value, name, *, length=None, remedy="pass a one-dimensional sequence of finite numbers"):
    """Return `value` as a float array of shape (length,).

    Raises
    ------
    ValueError
        If `value` is not one-dimensional, is empty, has another length or holds a NaN or an infinity.
    """
    return _as_array(value, name, 1, (length,), remedy)


def as_matrix(value, name, *, rows=None, columns=None, remedy="pass a two-dimensional array of finite numbers"):
    """Return `value` as a float array of shape (rows, columns); None leaves a size free.

    Raises
    ------
    ValueError
        If `value` is not two-dimensional, has other sizes or holds a NaN or an infinity.
    """
    return _as_array(value, name, 2, (rows, columns), remedy)


def _as_array(value, name, ndim, shape, remedy):
    wanted = f"shape ({', '.join('any' if size is None else str(size) for size in shape)}{',' if ndim == 1 else ''})"
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected real numbers of {wanted}, got {type(value).__name__}; {remedy}") from error
    if array.ndim != ndim or any(size not in (None, n) for size, n in zip(shape, array.shape)):
        raise ValueError(f"{name}: expected {wanted}, got shape {array.shape}; {remedy}")
    if array.shape[0] == 0:
        raise ValueError(f"{name}: expected at least one entry, got an empty array; {remedy}")
    if not np.isfinite(array).all():
        bad = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}: expected finite numbers, got {array[bad]} at index {bad}; {remedy}")
    return array


def check_integer(value, name, *, minimum=None, maximum=None, remedy="pass a whole number in that range"):
    """Return `value` as an int within [minimum, maximum].

    Raises
    ------
    TypeError
        If `value` is not an integer (booleans and floats are refused).
    ValueError
        If it lies outside the range.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: expected an integer{_range(minimum, maximum)}, got {value!r}; {remedy}")
    if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
        raise ValueError(f"{name}: expected an integer{_range(minimum, maximum)}, got {value}; {remedy}")
    return int(value)


def check_real(
    value, name, *, above=None, below=None, minimum=None, maximum=None, remedy="pass a number in that range"
):
    """Return `value` as a float with above < value < below and minimum <= value <= maximum.

    Raises
    ------
    TypeError
        If `value` is not a real number.
    ValueError
        If it is NaN or outside the range.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: expected a real number, got {value!r}; {remedy}")
    value = float(value)
    bounds = [(above, "> ", value > (above if above is not None else value - 1))]
    bounds += [(below, "< ", value < (below if below is not None else value + 1))]
    bounds += [(minimum, ">= ", minimum is None or value >= minimum)]
    bounds += [(maximum, "<= ", maximum is None or value <= maximum)]
    if np.isnan(value) or not all(fine for bound, _, fine in bounds if bound is not None):
        wanted = " and ".join(f"{sign}{bound}" for bound, sign, _ in bounds if bound is not None) or "not NaN"
        raise ValueError(f"{name}: expected a number {wanted}, got {value}; {remedy}")
    return value


def _range(minimum, maximum):
    low = "" if minimum is None else f" >= {minimum}"
    high = "" if maximum is None else f" <= {maximum}"
    return low + (" and" if low and high else "") + high
