"""Series from files: tables of text, NumPy's arrays and sound.

What cannot be read is refused with the line, the column and what to do; nothing is filled in, dropped or rounded.
"""

import csv
import warnings
from functools import partial
from tokenize import TokenError
from typing import Any

import numpy as np

from capacity_inspection.readers._bounded import regular_file

__all__ = ["described_series", "read_series"]

_DELIMITERS = ";\t, "  # in this order: a comma may be that of a decimal


def read_series(path: Any, *, column: int | str | None = None, memory: int = 2**28) -> np.ndarray:
    r"""Read equally spaced observations, the oldest first, from a file of text, of NumPy or of sound.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.tsv``, ``.txt`` or ``.dat``: one row per time, columns divided by commas, semicolons, tabs or
        spaces, with or without a line of titles; ``.npy``: one or two axes, one row per time; ``.wav``: one channel
        per column.
    column : int or str, optional
        Which column, counted from 0, or its title. It has to be given where there are several.

    memory : int, optional
        Bytes that the file may have.

    Returns
    -------
    ndarray, shape (t,)

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is of another kind, larger than `memory`, damaged or empty, there is no such column or several to
        choose from, an entry is missing or no finite number, or the series does not vary.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "series.csv")
    ...     _ = file.write_text("year,level\n1900,1.5\n1901,2\n")
    ...     read_series(file, column="level")
    array([1.5, 2. ])
    """
    return described_series(path, column=column, memory=memory)[0]


def described_series(path, *, column=None, memory=2**28, samples=False):
    """The same, and in words what was understood: a title that is a number cannot be told from an observation.

    With `samples` an array of three or more axes is read as it is: samples of what a network reads.
    """
    path, size = regular_file(path, "data", memory)
    if samples and size and path.suffix.lower() == ".npy" and (array := _loaded(path)).ndim > 2:
        if column is not None or array.dtype.kind not in "biuf" or not array.size or not np.isfinite(array).all():
            raise ValueError(
                f"data: expected finite real numbers, and no column, got samples of shape {array.shape} of "
                f"{array.dtype} in {path.name!r}; leave the column out, or write them anew"
            )
        return np.array(array, float), f"{len(array)} samples of shape {array.shape[1:]}"
    readers = {".npy": _array, ".wav": _sound} | dict.fromkeys((".csv", ".tsv", ".txt", ".dat"), _text)
    if (reader := readers.get(path.suffix.lower())) is None:
        raise ValueError(f"data: expected a file {', '.join(readers)}, got {path.name!r}; convert it to one of these")
    if isinstance(column, bool) or not isinstance(column, int | str | None):
        raise TypeError(f"column: expected a number or a title, got {column!r}; count columns from 0")
    if size == 0:
        raise ValueError(f"data: expected observations, got an empty file {path.name!r}; pass another file")
    series, titles = reader(path, column)
    if series.size < 2:
        raise ValueError(f"data: expected at least two rows, got {series.size} in {path.name!r}; pass a longer series")
    if not np.isfinite(series).all():
        row = int(np.argmin(np.isfinite(series)))
        raise ValueError(
            f"data: expected finite numbers, got {series[row]} in row {row} of {path.name!r}; interpolate gaps or cut "
            "the series there"
        )
    if np.ptp(series) == 0:
        raise ValueError(
            f"data: expected a series that varies, got {series.size} times {series[0]:g} in {path.name!r}; "
            "pass another column"
        )
    parts = [f"{series.size} values", f"from {series[0]:.6g}, {series[1]:.6g} to {series[-1]:.6g}"]
    if column is not None or titles:
        parts.insert(1, f"below the title {titles[0]!r}" if column is None else f"column {column}")
    untitled = "; the first line, without a title, is one of them" * (titles is None and reader is _text)
    return series, ", ".join(parts) + untitled


def _text(path, column):
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"data: expected text in UTF-8, got other bytes at {error.start} of {path.name!r}; convert it"
        ) from None
    filled = {number: line for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")}
    if not filled:
        raise ValueError(f"data: expected one row per time, got none in {path.name!r}; pass another file")
    first, last = min(filled), max(filled)
    if blank := next((number for number in range(first, last) if not lines[number - 1].strip()), None):
        raise ValueError(
            f"data: expected a row per time, got an empty line {blank} within {path.name!r}; interpolate gaps, cut the "
            "series there, or remove the line"
        )
    delimiter = next((mark for mark in _DELIMITERS if mark in filled[last].strip()), ",")
    fields = partial(_fields, filled, delimiter, path.name)
    titles = [field.strip() for field in fields(first)]
    if wrong := next((number for number in filled if len(fields(number)) != len(titles)), None):
        raise ValueError(
            f"data: expected {len(titles)} columns in line {wrong} of {path.name!r} as in line {first}, got "
            f"{len(fields(wrong))}; divide columns alike in all lines, with decimal points in the numbers"
        )
    numbers = list(filled)
    if not all(kinds := _are_words(titles)):
        second = numbers[:2][-1]
        if kinds != _are_words(fields(second)):
            raise ValueError(
                f"data: expected titles or numbers in line {first} of {path.name!r}, got some of each, other than in "
                f"line {second}; remove the line, or let no title be a number"
            )
        titles = None
    remedy = "say which, by number or title; a comma within a number divides columns, so write decimals with points"
    index = _index(column, titles, len(kinds), path.name, remedy)
    numbers = numbers[1:] if titles else numbers
    values = np.array([_number(fields(number)[index]) for number in numbers], float)  # NaN for what is no number
    if not np.isfinite(values).all():
        number = numbers[int(np.argmin(np.isfinite(values)))]
        found = repr(entry) if (entry := fields(number)[index].strip()) else "nothing"
        raise ValueError(
            f"data: expected a finite number in line {number}, column {index} of {path.name!r}, got {found}; "
            "interpolate gaps, cut the series there, or write plain numbers with decimal points"
        )
    return values, titles


def _fields(lines, delimiter, name, number):
    """Fields of a line; a blank stands for any number of them."""
    line = lines[number]
    if delimiter == " ":
        return line.split()
    if '"' not in line:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ValueError(
            f"data: expected columns in line {number} of {name!r}, got: {error}; close its quotation marks, "
            "and write one row per line"
        ) from None


def _number(text):
    try:
        return None if "_" in text else float(text)  # Python reads 2020_01 as 202001
    except ValueError:
        return None


def _are_words(fields):
    return [_number(field) is None for field in fields]


def _index(column, titles, count, name, remedy="say which, by number"):
    known = ", ".join(f"{i}: {title}" for i, title in enumerate(titles)) if titles else f"0 to {count - 1}"
    if column is None:
        if count > 1:
            raise ValueError(f"column: expected one of {known} in {name!r}, got none; {remedy}")
        return 0
    if titles and column in titles:
        if titles.count(column) > 1:
            raise ValueError(
                f"column: expected a title that stands once in {name!r}, got {column!r}; pass its number among {known}"
            )
        return titles.index(column)
    if isinstance(column, str) and column.removeprefix("-").isdecimal():
        column = int(column)
    if isinstance(column, str) or not 0 <= column < count:
        raise ValueError(f"column: expected one of {known} in {name!r}, got {column!r}; pass a number or a title")
    return column


def _loaded(path):
    with path.open("rb") as file:
        if file.read(2) == b"PK":
            raise ValueError(
                f"data: expected one array in {path.name!r}, got an archive of several; save the series alone, with "
                "np.save"
            )
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OverflowError, SyntaxError, TokenError) as error:  # the last two of its header
        found = "no array, or Python objects" if "pickle" in str(error) else error  # NumPy offers to load these
        raise ValueError(f"data: expected an array of numbers in {path.name!r}, got: {found}; write it anew") from None


def _array(path, column):
    array = _loaded(path)
    if array.dtype.kind not in "biuf" or array.ndim not in (1, 2) or array.size < 2:
        raise ValueError(
            f"data: expected at least two real numbers with one or two axes, got shape {array.shape} of {array.dtype} "
            f"in {path.name!r}; save one row per time"
        )
    return _columns(array, column, path.name)


def _sound(path, column):
    from scipy.io import wavfile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wavfile.WavFileWarning)  # of chunks that hold no sound
            array = wavfile.read(path)[1]
    except (ValueError, EOFError, MemoryError, OverflowError) as error:
        raise ValueError(
            f"data: expected sound as PCM or floats in {path.name!r}, got: {error}; convert it to 16-bit PCM"
        ) from None
    except Exception:  # of a damaged header: struct.error and others
        raise ValueError(f"data: expected a wav file, got a damaged one, {path.name!r}; write it anew") from None
    return _columns(array, column, path.name)


def _columns(array, column, name):
    if array.ndim == 1:
        array = array[:, None]
    index = _index(column, None, array.shape[1], name)
    return np.array(array[:, index], dtype=float), None
