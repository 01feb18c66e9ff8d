"""Sweeps: one function of some parameters, computed at every point of a grid, with a table of the results on disk.

A sweep is resumable: each finished point is one file, written at once and completely, so that a run that is killed
loses only the points that were under way, and the next run does the others only. A point is a pure function of its
parameters; random numbers are seeded from them (`seeded_generator`). Results therefore do not depend on the order of
the points, on the number of workers, or on how often the sweep was interrupted.
"""

import csv
import itertools
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed, parallel_config
from tqdm import tqdm

from capacity._point_store import PointStore, column, digest, evaluate
from capacity._validation import check_integer

__all__ = ["grid", "read_table", "seeded_generator", "sweep"]


def grid(**axes: Iterable[Any]) -> list[dict[str, Any]]:
    """All combinations of the values of some parameters, the last one varying fastest.

    Parameters
    ----------
    **axes : iterable
        The values of each parameter.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> grid(channels=[1, 2], seed=range(2))
    [{'channels': 1, 'seed': 0}, {'channels': 1, 'seed': 1}, {'channels': 2, 'seed': 0}, {'channels': 2, 'seed': 1}]
    """
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


def seeded_generator(**parameters: Any) -> np.random.Generator:
    """Random generator seeded from the names and values of parameters, whatever their order.

    Parameters
    ----------
    **parameters
        Numbers and texts.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> seeded_generator(channels=2, seed=0).random() == seeded_generator(seed=0, channels=2).random()
    True
    """
    return np.random.default_rng(int(digest(parameters), 16))


def sweep(
    point: Callable,
    points: Sequence[dict[str, Any]],
    folder: str | PathLike,
    *,
    jobs: int = 1,
    backend: str = "loky",
    progress: bool = False,
) -> dict[str, np.ndarray]:
    """Compute a function at all points that are not on disk yet, and merge all into one table.

    Parameters
    ----------
    point : callable
        Called with the parameters of a point as keywords; returns a dict of numbers, booleans or text. It must be a
        function of its parameters alone, and importable by the workers where `jobs` is not 1.
    points : list of dict
        Parameters of each point, e.g. ``grid(channels=[1, 2], seed=range(3))``: numbers, booleans or text.
    folder : path
        Where the results go: ``points/*.json``, one file per point, and ``table.csv``. It belongs to one function:
        give a changed function another folder.
    jobs : int, optional
        Number of worker processes; -1 takes one per core. With Dask, -1 takes the whole cluster.
    backend : {'loky', 'dask'}, optional
        Processes on this machine, or the cluster of the current ``dask.distributed.Client``, which needs
        ``pip install capacity-allocation[cluster]``. Points of a worker that dies are computed by another one.
    progress : bool, optional
        Show a progress bar over the points.

    Returns
    -------
    dict of str to ndarray
        The columns of the table, parameters first; rows in the order of `points`. A result that some points lack is
        NaN there among numbers and booleans, which are floats then, and an empty text among texts.

    Raises
    ------
    ValueError
        If the folder holds the results of another function, or a file in it cannot be read.
    RuntimeError
        If a point fails, or its worker dies a second time; it is named, and those that were finished before are kept.

    Notes
    -----
    Equal numbers to the last bit on any number of workers need one thread per linear-algebra call
    (``OMP_NUM_THREADS=1``), as elsewhere; with more, they are equal up to rounding errors.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> def product(x, y):
    ...     return {"product": x * y}
    >>> with TemporaryDirectory() as folder:
    ...     print(sweep(product, grid(x=[1, 2], y=[3, 4]), folder)["product"])
    [3 4 6 8]
    """
    if (jobs := check_integer(jobs, "jobs", minimum=-1)) == 0:
        raise ValueError("jobs: expected a number of workers, got 0; pass -1 for one per core")
    if "<lambda>" in getattr(point, "__qualname__", "<lambda>"):
        raise TypeError(f"point: expected a function with a name, got {point!r}; define it with def")
    store = PointStore.open(folder, list(points), f"{point.__module__}.{point.__qualname__}")
    missing, total = store.missing(), len(store.points)
    with (
        parallel_config(backend=backend, n_jobs=jobs),
        tqdm(total=total, initial=total - len(missing), desc="points", disable=not progress) as bar,
    ):
        begun: list[Any] = []
        try:
            _compute_all(point, missing, store, bar, begun)
        except _death(backend):  # of which point is not known: each that was under way is computed again, alone
            for parameters in PointStore(store.folder, tuple(begun)).missing():
                _compute_alone(point, parameters, store, bar, backend)
            _compute_all(point, store.missing(), store, bar, [])
    return store.table()


def read_table(folder: str | PathLike) -> dict[str, np.ndarray]:
    """Columns of the table that a finished sweep left in its folder: integers, floats, booleans or text.

    A column of text that reads as numbers or booleans throughout comes back as these.

    Parameters
    ----------
    folder : path-like
        Where the sweep ran.

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    ValueError
        If there is no table, or it is damaged.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> def square(x):
    ...     return {"square": x * x}
    >>> with TemporaryDirectory() as folder:
    ...     table = sweep(square, grid(x=[1, 2]), folder)
    ...     print(read_table(folder)["square"])
    [1 4]
    """
    path = Path(folder) / "table.csv"
    if not path.is_file():
        raise ValueError(f"folder: expected a finished sweep, got no file {path}; run sweep(..., folder) to its end")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or any(None in row or None in row.values() for row in rows):
        raise ValueError(f"folder: expected a whole table, got the damaged file {path}; run sweep(..., folder) again")
    return {name: _typed([row[name] for row in rows]) for name in rows[0]}


def _compute_all(point, missing, store, bar, begun):
    """Compute points and keep each as soon as it is known; `begun` takes those that were handed to a worker."""

    def tasks():
        for index, parameters in enumerate(missing):
            begun.append(parameters)
            yield delayed(_compute)(point, parameters, index)

    # One point at a time, and in whatever order they finish: each is safe as soon as it is known.
    for index, results in Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")(tasks()):
        store.save(missing[index], results)
        bar.update()


def _compute_alone(point, parameters, store, bar, backend):
    """Compute a point while no other is computed; where its worker dies, it is named."""
    try:
        with parallel_config(backend=backend, n_jobs=2):  # in another process, which one job would not be
            _compute_all(point, [parameters], store, bar, [])
    except _death(backend) as error:
        raise RuntimeError(
            f"the point {parameters} of the sweep failed: its worker died twice ({type(error).__name__}: {error}); "
            "give it more memory, or look for a crash"
        ) from error


def _death(backend):
    """Return the error that tells of a dead worker."""
    if backend != "dask":
        return BrokenProcessPool
    from dask.distributed import KilledWorker

    return KilledWorker


def _compute(point, parameters, index):
    return index, evaluate(point, parameters)


def _typed(texts):
    """Return a column of a table, of the kind that all texts in it have which are not empty."""
    known = {text for text in texts if text}
    kinds = [{"True": True, "False": False}.__getitem__]
    kinds += [] if any("_" in text for text in known) else [int, float]  # Python reads 1_0 as ten
    for kind in kinds if known else []:
        try:
            return column([kind(text) if text else None for text in texts])
        except (ValueError, KeyError):
            continue
    return np.array(texts)
