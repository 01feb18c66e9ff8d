"""The finished points of a sweep on disk: one file each, and the table of all; who computes them does not matter."""

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from capacity._files import write_atomically

__all__ = ["PointStore", "column", "digest", "evaluate"]


@dataclass(frozen=True)
class PointStore:
    """The points of one function in one folder: ``points/*.json`` and ``table.csv``.

    Attributes
    ----------
    folder : Path
        Where they are.
    points : tuple of dict
        The parameters of each point.
    """

    folder: Path
    points: tuple

    @classmethod
    def open(cls, folder, points, name):
        """Return the store of some points of the function called `name`, to which the folder belongs from now on."""
        _check_points(points)
        store = cls(Path(folder), tuple(points))
        owner = store.folder / "function.txt"
        if not owner.exists():
            write_atomically(owner, name)
        elif (other := owner.read_text(encoding="utf-8")) != name:
            raise ValueError(
                f"folder: expected results of {name}, got those of {other} in {folder}; use another folder"
            )
        return store

    def missing(self):
        """Return the parameters of the points that are not finished."""
        return [parameters for parameters in self.points if not self._file(parameters).exists()]

    def save(self, parameters, results):
        """Write a finished point, as a whole or not at all."""
        content = {"parameters": _plain(parameters), "results": results}
        write_atomically(self._file(parameters), json.dumps(content))

    def table(self):
        """Write the table of all points, which must be finished, and return its columns by name, parameters first."""
        rows = [_read_point(self._file(parameters), parameters) for parameters in self.points]
        names = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        table = csv.DictWriter(text, names, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        write_atomically(self.folder / "table.csv", text.getvalue())
        return {name: column([row.get(name) for row in rows]) for name in names}

    def _file(self, parameters):
        return self.folder / "points" / f"{digest(parameters)[:32]}.json"


def column(values):
    """Return a column of a table: what is missing (None) is NaN among numbers and booleans, and empty among texts."""
    if None not in values:
        return np.array(values)
    texts = any(isinstance(value, str) for value in values)
    return np.array([("" if texts else np.nan) if value is None else value for value in values])


def evaluate(point, parameters):
    """Return the results of a function at one point, with Python's own numbers; an error names the point."""
    try:
        results = _plain(point(**parameters))
        if shared := sorted(set(parameters) & set(results)):
            raise ValueError(f"results must not have the names of parameters {shared}; rename them")
        return results
    except Exception as error:
        raise RuntimeError(f"the point {parameters} of the sweep failed: {type(error).__name__}: {error}") from error


def digest(parameters):
    """Return the hash of the names and values of parameters, whatever their order."""
    return hashlib.sha256(json.dumps(_plain(parameters), sort_keys=True).encode()).hexdigest()


def _check_points(points):
    if not points:
        raise ValueError("points: expected at least one, got none; pass grid(name=values, ...)")
    names, seen = set(points[0]), set()
    for parameters in points:
        if set(parameters) != names:
            raise ValueError(f"points: expected the parameters {sorted(names)} in each, got {sorted(parameters)}")
        found = digest(parameters)
        if found in seen:
            raise ValueError(f"points: expected each once, got {parameters} twice; leave out the second")
        seen.add(found)


def _plain(mapping):
    """The same with Python's own numbers, which JSON writes without a loss."""
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in mapping.items()}
    for name, value in plain.items():
        if not isinstance(value, bool | int | float | str):
            raise TypeError(f"{name}: expected a number, a boolean or text, got {type(value).__name__}; store scalars")
    return plain


def _read_point(file, parameters):
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        of, results = content["parameters"], content["results"]
        if digest(of) == digest(parameters):
            return of | results
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"folder: expected a finished point, got the damaged file {file}; delete it") from error
    raise ValueError(f"folder: expected the point {parameters}, got that of {of} in {file}; delete it")
