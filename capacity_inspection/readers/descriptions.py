"""Architectures, processes and data in words: tables as TOML or a command line has them.

A table is a mapping of plain values. Whatever it says that cannot be meant is refused, with the names that are known.
"""

import inspect
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from capacity._validation import check_instance
from capacity.tasks import PROCESSES, GaussianProcess, PredictionTask
from capacity_inspection.readers._bounded import quoted, regular_file
from capacity_inspection.readers.architectures import ARCHITECTURES
from capacity_inspection.readers.series import read_series

__all__ = ["Description", "described_model", "described_process", "read_description"]

_SYNONYMS = {
    "kernel": "taps",
    "taps": "kernel",
    "size": "inputs",
    "inputs": "size",
    "channels": "states",
    "states": "channels",
}
_PARTS = 16  # of a dotted key; descriptions have two


@dataclass(frozen=True)
class Description:
    """What a file describes.

    Attributes
    ----------
    model : LinearModel or Graph
    process : GaussianProcess or None
        From the table ``process``.
    data : ndarray of shape (t,) or None
        From the table ``data``: the series that its file holds.

    Examples
    --------
    >>> from capacity_inspection.readers import tcn
    >>> found = Description(tcn([1, 2], channels=3), described_process({"name": "power law", "exponent": 1.5}))
    >>> found.model.n_inputs, found.process.name, found.data
    (4, 'power law', None)
    """

    model: Any
    process: PredictionTask | None = None
    data: Any = None


def described_model(table: Mapping[str, Any]) -> Any:
    """The network that a table describes.

    Parameters
    ----------
    table : mapping
        ``architecture``, a name such as 'tcn', and the arguments of that function.

    Returns
    -------
    LinearModel or Graph

    Examples
    --------
    >>> described_model({"architecture": "tcn", "dilations": [1, 2, 4, 8], "stacks": 2}).n_inputs
    31
    """
    return _called(table, "description", ARCHITECTURES, "architecture")[1]


def described_process(table: Mapping[str, Any]) -> GaussianProcess:
    """The stationary process that a table describes.

    Parameters
    ----------
    table : mapping
        ``name``, one of those of `standard_process`, and the arguments of the autocovariance, such as ``hurst``.

    Returns
    -------
    GaussianProcess

    Examples
    --------
    >>> described_process({"name": "fractional noise", "hurst": 0.5}).autocovariances(1)
    array([1., 0.])
    """
    name, autocovariance = _called(table, "process", PROCESSES, "process", key="name")
    return GaussianProcess(autocovariance, name)


def read_description(path: Any, *, memory: int = 2**20) -> Description:
    r"""Read a file of TOML that describes a network and, in the tables ``process`` or ``data``, what it is to predict.

    Parameters
    ----------
    path : path-like
        The file. ``data`` has a ``file``, beside the description unless its path is absolute, and maybe a ``column``.
    memory : int, optional
        Bytes that the description may have.

    Returns
    -------
    Description

    Raises
    ------
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "network.toml")
    ...     _ = path.write_text('architecture = "tcn"\ndilations = [1, 2]\n[process]\nname = "power law"\n')
    ...     found = read_description(path)
    >>> found.model.n_inputs, found.process.name
    (4, 'power law')
    """
    path, _ = regular_file(path, "description", memory)
    try:
        text = path.read_text(encoding="utf-8-sig")
        _check_keys(text)
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"description: expected TOML in {path.name!r}, got: {error}; correct that line") from None
    process, data = table.pop("process", None), table.pop("data", None)
    if process is not None and data is not None:
        raise ValueError("description: expected a table process or a table data, got both; remove one")
    return Description(
        described_model(table),
        None if process is None else described_process(process),
        None if data is None else _data(data, path.parent),
    )


def _check_keys(text):
    """Refuse keys of many parts, whose tables would take up to thousands of times the memory of the text."""
    for piece in re.split(r"[=,{}\[\]#\n]", text):
        if sum(map(bool, piece.split("."))) > _PARTS:
            raise ValueError(
                f"description: expected keys of at most {_PARTS} parts, got {quoted(piece, 60)}; write shorter ones"
            )


def _data(table, folder):
    check_instance(table, "data", Mapping, "write [data] with file = ...")
    if not isinstance(table.get("file"), str) or (unknown := set(table) - {"file", "column"}):
        found = sorted(unknown) if isinstance(table.get("file"), str) else "no file"
        raise ValueError(f"data: expected file and column, got {found}; write file = 'series.csv'")
    return read_series(folder / table["file"], column=table.get("column"))


def _called(
    table: Mapping[str, Any], argument: str, functions: Mapping[str, Callable], kind: str, key: str | None = None
) -> tuple[str, Any]:
    """The name of a function in a table, under a key, and its result with the rest, checked against its signature."""
    check_instance(table, argument, Mapping, "pass names with values")
    arguments = {str(name).replace("-", "_"): value for name, value in table.items()}
    given = arguments.pop(key or kind, None)
    chosen = re.sub("[-_]", " ", str(given))
    if chosen not in functions:
        raise ValueError(f"{kind}: expected one of {', '.join(functions)}, got {given!r}; name one of them")
    what, function = f"{kind} {chosen!r}", functions[chosen]
    parameters = {name.removeprefix("n_"): each for name, each in inspect.signature(function).parameters.items()}
    if unknown := [name for name in arguments if name not in parameters]:
        known, meant = ", ".join(parameters) or "none", [_SYNONYMS.get(name, "") for name in unknown]
        remedy = f"write {', '.join(meant)}" if set(meant) <= set(parameters) else "leave them out"
        raise ValueError(f"{what}: expected arguments among {known}, got {', '.join(unknown)}; {remedy}")
    needed = [name for name, each in parameters.items() if each.default is each.empty and name not in arguments]
    if needed:
        raise ValueError(f"{what}: expected {', '.join(needed)}, got nothing for it; pass it")
    for name, value in arguments.items():
        if isinstance(parameters[name].default, bool):
            check_instance(value, name, bool, "write true or false")
    return chosen, function(**{parameters[name].name: value for name, value in arguments.items()})
