"""Validation of arguments: every message names the argument, what was expected, what came, and the remedy."""

import numbers
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = [
    "as_array",
    "as_generator",
    "as_list",
    "as_matrices",
    "as_matrix",
    "as_shaped",
    "as_vector",
    "check_callable",
    "check_choice",
    "check_divisor",
    "check_finite",
    "check_instance",
    "check_integer",
    "check_integers",
    "check_members",
    "check_real",
    "check_size",
    "check_square",
    "common_length",
    "needing",
    "number_types",
]


def as_array(
    value: Any,
    name: str,
    *,
    axes: int = 0,
    last: int | None = None,
    above: float | None = None,
    minimum: float | None = None,
    whole: bool = False,
    remedy: str = "pass an array of finite numbers",
) -> np.ndarray:
    """Return `value`, a number or an array of any shape with at least so many axes, as a float array.

    Its last axis has `last` entries.
    """
    array = _as_array(value, name, None, (), remedy)
    if array.ndim < axes:
        raise ValueError(f"{name}: expected at least {axes} axes, got shape {array.shape}; {remedy}")
    if last is not None and array.shape[-1:] != (last,):
        raise ValueError(f"{name}: expected shape (..., {last}), got {array.shape}; {remedy}")
    bounds = {">": above, ">=": minimum}
    if _range(bounds) and not _within(array.min(), bounds):
        raise ValueError(f"{name}: expected numbers{_range(bounds)}, got {array.min():g}; {remedy}")
    if whole and (array % 1).any():
        raise ValueError(f"{name}: expected whole numbers, got {array[array % 1 != 0].flat[0]:g}; {remedy}")
    return array


def as_vector(
    value: Any,
    name: str,
    *,
    length: int | None = None,
    above: float | None = None,
    remedy: str = "pass a one-dimensional sequence of finite numbers",
) -> np.ndarray:
    """Return `value` as a float array of shape (length,), of numbers above some bound."""
    array = _as_array(value, name, 1, (length,), remedy)
    return array if above is None else as_array(array, name, above=above, remedy=remedy)


def as_complex_vector(
    value: Any,
    name: str,
    *,
    length: int | None = None,
    remedy: str = "pass a one-dimensional sequence of finite numbers",
) -> np.ndarray:
    """Return `value`, of real or complex numbers, as a complex array of shape (length,)."""
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
    except ValueError:  # rows of different lengths
        return as_vector(value, name, length=length, remedy=remedy).astype(complex)
    if array.dtype.kind != "c":
        return as_vector(value, name, length=length, remedy=remedy).astype(complex)
    real, imaginary = (as_vector(part, name, length=length, remedy=remedy) for part in (array.real, array.imag))
    return real + 1j * imaginary


def as_matrix(
    value: Any,
    name: str,
    *,
    rows: int | None = None,
    columns: int | None = None,
    remedy: str = "pass a two-dimensional array of finite numbers",
) -> np.ndarray:
    """Return `value` as a float array of shape (rows, columns); None leaves a size free."""
    return _as_array(value, name, 2, (rows, columns), remedy)


def as_shaped(value: Any, name: str, shape: Sequence[int | None], *, remedy: str) -> np.ndarray:
    """Return `value` as a float array of that shape; None leaves a size free."""
    return _as_array(value, name, len(shape), shape, remedy)


def as_matrices(
    value: Any, name: str, *, rows: int | None = None, remedy: str = "pass two-dimensional arrays of finite numbers"
) -> np.ndarray:
    """Return `value`, a matrix or an array of such along leading axes, as a float array of shape (..., rows, any)."""
    if getattr(value, "ndim", 2) < 3:
        return as_matrix(value, name, rows=rows, remedy=remedy)
    if rows not in (None, value.shape[-2]):
        raise ValueError(f"{name}: expected shape (..., {rows}, any), got shape {value.shape}; {remedy}")
    return as_matrix(value.reshape(-1, value.shape[-1]), name, remedy=remedy).reshape(value.shape)


def _as_array(value, name, ndim, shape, remedy):
    plain = type(value) is np.ndarray and value.dtype == np.float64
    array = value if plain else _converted(value, name, ndim, shape, remedy)
    if ndim not in (None, array.ndim) or any(size not in (None, n) for size, n in zip(shape, array.shape)):
        raise ValueError(f"{name}: expected {_wanted(ndim, shape)}, got shape {array.shape}; {remedy}")
    if array.shape[:1] == (0,) or (ndim is None and array.size == 0):
        raise ValueError(f"{name}: expected at least one entry, got an empty array; {remedy}")
    if not np.isfinite(array).all():
        bad = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}: expected finite numbers, got {array[bad]} at index {bad}; {remedy}")
    return array


def _converted(value, name, ndim, shape, remedy):
    """Return numbers of any kind as a float array; nothing that converts with a loss, or by chance, is taken."""
    parts = list(_parts(value))
    if any(map(np.ma.is_masked, parts)):
        raise ValueError(f"{name}: expected numbers, got masked entries; fill them or leave them out")
    try:
        if not {dtype.kind for part in parts for dtype in _types(part)} <= set("biufO"):
            raise TypeError("complex numbers and text would convert with a loss, or by chance")
        with np.errstate(over="ignore"):  # of a type with a larger range; the infinity is found by the caller
            return np.asarray(value).astype(float, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        wanted, got = _wanted(ndim, shape), type(value).__name__
        raise ValueError(f"{name}: expected real numbers of {wanted}, got {got}; {remedy}") from error


def _wanted(ndim, shape):
    sizes = ", ".join("any" if size is None else str(size) for size in shape)
    return "any shape" if ndim is None else f"shape ({sizes}{',' if ndim == 1 else ''})"


def number_types(*values: Any) -> set[np.dtype]:
    """Return the types of all numbers in some arrays, lists or tables; `object` stands for those that NumPy lacks."""
    return {dtype for value in values for part in _parts(value) for dtype in _types(part)}


def _parts(value):
    """Arrays, operators and numbers that a value is made of: itself, the entries of a list, the columns of a table."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if all(issubclass(kind, numbers.Number) for kind in {type(entry) for entry in value}):
            yield np.array(value, dtype=object)
        else:
            for entry in value:
                yield from _parts(entry)
    elif hasattr(value, "columns") and hasattr(value, "items"):
        yield from (np.asarray(column) for _, column in value.items())
    else:
        yield np.asanyarray(value) if hasattr(value, "__array__") else value


def _types(part):
    dtype = getattr(part, "dtype", None)
    if isinstance(dtype, np.dtype) and not (dtype.kind == "O" and isinstance(part, np.ndarray)):
        return {dtype}
    kinds = {type(entry) for entry in part.flat} if isinstance(part, np.ndarray) else {type(part)}
    known = (np.generic, bool, int, float, complex, str, bytes)
    return {np.dtype(kind if issubclass(kind, known) else object) for kind in kinds}


def as_generator(rng: Any) -> np.random.Generator:
    """Return the source of random numbers that `rng` stands for: a seed, a generator, or None for a fresh one."""
    remedy = "pass a seed such as rng=0, a numpy.random.Generator or None"
    if isinstance(rng, bool | np.bool_ | str | bytes | Sequence | np.ndarray):  # NumPy makes seeds of some of these
        raise TypeError(f"rng: expected a source of random numbers, got {rng!r}; {remedy}")
    try:
        return np.random.default_rng(rng)
    except TypeError as error:
        raise TypeError(f"rng: expected a source of random numbers, got {rng!r}; {remedy}") from error
    except ValueError as error:
        raise ValueError(f"rng: expected a seed >= 0, got {rng!r}; {remedy}") from error


def as_list(value: Any, name: str, remedy: str, *, length: int | None = None) -> list:
    """Return the entries of something that can be iterated over, once, as a list with at least one."""
    try:
        entries = list(value)
    except TypeError as error:
        raise TypeError(f"{name}: expected a sequence, got {type(value).__name__}; {remedy}") from error
    if not entries:
        raise ValueError(f"{name}: expected at least one entry, got none; {remedy}")
    if length not in (None, len(entries)):
        raise ValueError(f"{name}: expected {length} entries, got {len(entries)}; {remedy}")
    return entries


def check_finite(values: Any, name: str, wanted: str, remedy: str = "measure in other units") -> Any:
    """Return numbers that were computed from an argument if all are finite."""
    if not np.isfinite(values).all():
        raise ValueError(f"{name}: expected {wanted} within the range of a double, got an overflow or a NaN; {remedy}")
    return values


def check_choice(value: Any, name: str, choices: Collection[str]) -> str:
    """Return `value` if it is one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: expected {' or '.join(map(repr, choices))}, got {value!r}; pass one of them")
    return value


def check_instance(value: Any, name: str, kind: type, remedy: str) -> Any:
    """Return `value` if it is of that kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected an instance of {kind.__name__}, got {type(value).__name__}; {remedy}")
    return value


def check_callable(value: Any, name: str, remedy: str) -> Any:
    """Return `value` if it is a function."""
    if not callable(value):
        raise TypeError(f"{name}: expected a function, got {value!r}; {remedy}")
    return value


def check_square(matrix: Any, name: str, remedy: str) -> Any:
    """Return a matrix, of any kind, if it has as many rows as columns."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: expected a square matrix, got shape {matrix.shape}; {remedy}")
    return matrix


def check_size(count: int, name: str, what: str, *, maximum: int = 2**30, remedy: str = "take a smaller one") -> None:
    """Refuse what would not fit into a memory of usual size."""
    if count > maximum:
        raise ValueError(f"{name}: expected {what} of at most {maximum} numbers, got {count}; {remedy}")


def check_integer(
    value: Any,
    name: str,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    remedy: str = "pass a whole number in that range",
) -> int:
    """Return `value` as an int within [minimum, maximum]."""
    bounds = {">=": minimum, "<=": maximum}
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: expected an integer{_range(bounds)}, got {value!r}; {remedy}")
    if not _within(int(value), bounds):
        raise ValueError(f"{name}: expected an integer{_range(bounds)}, got {value}; {remedy}")
    return int(value)


def check_divisor(value: Any, name: str, total: int, remedy: str) -> int:
    """Return `value` as an int that divides a number."""
    if total % (divisor := check_integer(value, name, minimum=1)):
        raise ValueError(f"{name}: expected a divisor of {total}, got {value}; {remedy}")
    return divisor


def check_integers(
    value: Any, name: str, *, length: int | None = None, at_least: int = 0, minimum: int = 1
) -> tuple[int, ...]:
    """Return a tuple of so many integers, or of any number `at_least`; with a length, one number stands for all."""
    if not isinstance(value, Sequence | np.ndarray) or (np.ndim(value) == 0 and not isinstance(value, str)):
        if length is None:
            raise TypeError(f"{name}: expected a sequence of integers, got {value!r}; pass one entry per layer")
        return (check_integer(value, name, minimum=minimum),) * length
    if length is not None and len(value) != length:
        raise ValueError(f"{name}: expected {length} entries, got {len(value)}; pass one number or one entry per layer")
    if len(value) < at_least:
        raise ValueError(f"{name}: expected a length of at least {at_least}, got {len(value)}; pass one per layer")
    return tuple(check_integer(entry, f"{name}[{i}]", minimum=minimum) for i, entry in enumerate(value))


def check_members(value: Any, name: str, members: Iterable[str], remedy: str) -> Any:
    """Return `value` if it has all the named members."""
    missing = [member for member in members if not hasattr(value, member)]
    if missing:
        raise TypeError(
            f"{name}: expected an object with {', '.join(members)}, got {type(value).__name__} without "
            f"{', '.join(missing)}; {remedy}"
        )
    return value


def common_length(arrays: Mapping[Any, Any], name: str) -> int:
    """Return the length that all arrays of a dictionary have."""
    check_instance(arrays, name, Mapping, "pass them by name, as in {'trained': array}")
    lengths = {key: len(values) for key, values in arrays.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(f"{name}: expected arrays of one length, got {lengths}; pass as many entries in each")
    return next(iter(lengths.values()))


def check_real(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    below: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    remedy: str = "pass a number in that range",
) -> float:
    """Return `value` as a finite float with above < value < below and minimum <= value <= maximum."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: expected a real number, got {value!r}; {remedy}")
    try:
        value = float(value)
    except OverflowError:
        raise ValueError(
            f"{name}: expected a number within the range of a double, got a larger one; {remedy}"
        ) from None
    bounds = {">": above, "<": below, ">=": minimum, "<=": maximum}
    if not np.isfinite(value) or not _within(value, bounds):
        wanted = "a number" if np.isfinite(value) else "a finite number"
        raise ValueError(f"{name}: expected {wanted}{_range(bounds)}, got {value}; {remedy}")
    return value


_COMPARED = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


def _within(number, bounds):
    return all(bound is None or _COMPARED[sign](number, bound) for sign, bound in bounds.items())


def _range(bounds):
    known = " and ".join(f"{sign} {bound}" for sign, bound in bounds.items() if bound is not None)
    return f" {known}" if known else ""


@contextmanager
def needing(name: str, extra: str) -> Iterator[None]:
    """Say which extra has a package that is imported inside and is not installed; `name` is of what needs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise ImportError(
            f"{name}: expected {package} to be installed, it is not; run `pip install capacity-allocation[{extra}]`"
        ) from error
