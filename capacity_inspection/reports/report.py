"""A report on one network: a row of numbers per layer, totals, and the capacity of the inputs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from capacity._validation import check_instance, check_integer, needing
from capacity_inspection.reports.quantity import Quantity
from capacity_inspection.reports.screen import screen

__all__ = ["LayerRow", "Report", "begun", "refuse"]

_LATER = ("rows", "totals", "allocation", "bands")


@dataclass(frozen=True)
class LayerRow:
    """What is known of one layer.

    Attributes
    ----------
    name : str
    operator : str
        What it does.
    shape : tuple of int
        Of its values, channels first, or of its weights where its values have no shape of their own.
    numbers : mapping of str to Quantity
        By the name of the column.

    Examples
    --------
    >>> from capacity_inspection import summary
    >>> from capacity_inspection.readers import tcn
    >>> row = summary(tcn([1, 2], channels=2, activation="relu")).rows[1]
    >>> row.name, row.operator, row.shape, row.numbers["parameters"].value
    ('layer 1', 'convolution', (2, 4), 4)
    """

    name: str
    operator: str
    shape: tuple[int, ...]
    numbers: Mapping[str, Quantity]


@dataclass(frozen=True)
class Report:
    """All that `summary` finds out about a network; printed, it is a table.

    Attributes
    ----------
    title : str
        What the network is, and on what it was looked at.
    rows : tuple of LayerRow
        Inputs first. All have the same columns.
    totals : mapping of str to Quantity
        Of the network as a whole.
    allocation : mapping of str to ndarray
        Capacity per input position, by the rule that it follows: one axis, oldest first, or two.
    bands : mapping of str to tuple of ndarray, optional
        Lower and upper ends of intervals, for some of the allocations.
    says : tuple of str, optional
        What the numbers say, in sentences.
    first : tuple of str, optional
        Names of the columns and totals that the first screen has; the others are in the full text. Default: all.
        "operator" and "shape" are columns, too.
    step : int, optional
        Where in the allocations the last step is that the unit stands for, if positions are steps of a series.

    Examples
    --------
    >>> from capacity_inspection import summary
    >>> from capacity_inspection.readers import tcn
    >>> report = summary(tcn([1, 2], channels=2, activation="relu"))
    >>> report["total", "field"].value, report.strictly()["layer 1", "pseudo-random"].note
    ((4,), 'gains of all activations are independent, and paths that meet without one between add as squares')
    """

    title: str
    rows: tuple[LayerRow, ...]
    totals: Mapping[str, Quantity]
    allocation: Mapping[str, np.ndarray] = field(default_factory=dict)
    bands: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    step: int | None = None

    def __post_init__(self) -> None:
        for _, _, number in self.numbers():
            check_instance(number, "numbers", Quantity, "say how each is known: Quantity(value, kind, note)")
        columns = [tuple(row.numbers) for row in self.rows]
        if len(set(columns)) > 1:
            raise ValueError(f"rows: expected the same columns in all, got {sorted(set(columns))}; fill in the missing")

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            complete = vars(self).get("_complete")
            if name not in _LATER or complete is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            vars(self).update(vars(complete()))
            del vars(self)["_beginning"], vars(self)["_complete"]
            return vars(self)[name]

    def numbers(self) -> Iterator[tuple[str, str, Quantity]]:
        """All numbers, each with the row ("total" for the network) and the column where it stands.

        Yields
        ------
        tuple of (str, str, Quantity)
        """
        yield from ((row.name, column, number) for row in self.rows for column, number in row.numbers.items())
        yield from (("total", column, number) for column, number in self.totals.items())

    def __getitem__(self, place: tuple[str, str]) -> Quantity:
        """The number of a row, or of "total", in a column."""
        for row, column, number in self.numbers():
            if (row, column) == place:
                return number
        known = ", ".join(dict.fromkeys(column for _, column, _ in self.numbers()))
        raise ValueError(f"place: expected (row, column) with a column among {known}, got {place!r}; see report.rows")

    def strictly(self, *, assumptions: bool = False) -> "Report":
        """The report itself, if it has all its numbers.

        Parameters
        ----------
        assumptions : bool, optional
            Refuse numbers that rest on an assumption, too.

        Returns
        -------
        Report

        Raises
        ------
        ValueError
            If a number is unavailable; the message names the first one, and why.
        """
        refused = ("unavailable", "assumed") if assumptions else ("unavailable",)
        for row, column, number in self.numbers():
            if number.kind in refused:
                raise ValueError(
                    f"strict: expected all numbers{' without assumptions' * assumptions}, got one that is "
                    f"{number.kind}: {column} of {row}, {number.note}; do without strict, or change that"
                )
        return self

    def text(self, width: int = 80, *, full: bool = False) -> str:
        """What `print` shows, in lines of another width, or all that the report has.

        Parameters
        ----------
        width : int, optional
            In characters, at least 40. Columns that do not fit beside each other go on in tables of their own.
        full : bool, optional
            Show what decides nothing by itself, too.

        Returns
        -------
        str
        """
        shown = self if full else vars(self).get("_beginning", self)
        return screen(shown, check_integer(width, "width", minimum=1), full)

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, as JSON has them.

        Returns
        -------
        dict
        """
        rows = [
            {"name": row.name, "operator": row.operator, "shape": list(map(int, row.shape))}
            | {column: number.to_dict() for column, number in row.numbers.items()}
            for row in self.rows
        ]
        return {
            "title": self.title,
            "says": list(self.says),
            "layers": rows,
            "total": {name: number.to_dict() for name, number in self.totals.items()},
            "allocation": {name: np.asarray(values).tolist() for name, values in self.allocation.items()},
            "intervals": {name: [np.asarray(end).tolist() for end in ends] for name, ends in self.bands.items()},
            "step": self.step,
        }

    def to_frame(self) -> Any:
        """The rows as a table of pandas: a column per number, and one beside it that says its kind.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names of the layers. What is unavailable is missing there.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        with needing("to_frame", "frames"):
            import pandas as pd
        table: dict[str, list] = {
            "operator": [row.operator for row in self.rows],
            "shape": [row.shape for row in self.rows],
        }
        for column in self.rows[0].numbers if self.rows else ():
            table[column] = [row.numbers[column].value for row in self.rows]
            table[f"{column}, kind"] = [row.numbers[column].kind for row in self.rows]
        return pd.DataFrame(table, index=pd.Index([row.name for row in self.rows], name="layer"))

    def plot(self, ax: Any = None) -> list:
        """Draw the capacity of the inputs.

        Parameters
        ----------
        ax : Axes, optional
            Where; a new figure by default.

        Returns
        -------
        list of Artist

        Raises
        ------
        ImportError
            If Matplotlib or seaborn is not installed.
        ValueError
            If the report has no allocation.
        """
        if not self.allocation:
            raise ValueError("report: expected one with a capacity per input, got none; pass a process or data")
        with needing("plot", "figures"):
            from capacity_inspection.figures.reports import new_axes, plot_report
        with new_axes() if ax is None else nullcontext(ax) as axes:
            return plot_report(axes, self.allocation, self.bands)


def begun(report: Report, complete: Callable[[], Report]) -> Report:
    """What looks like `complete()`, which is called once more is asked for than a report has on its first screen."""
    found = object.__new__(Report)
    vars(found).update({key: value for key, value in vars(report).items() if key not in _LATER})
    vars(found).update(_beginning=report, _complete=complete)
    return found


def refuse(arguments: Mapping[str, Any], what: str) -> None:
    """Refuse arguments that say nothing of what a report is asked for."""
    if given := [name for name, value in arguments.items() if value is not None]:
        raise ValueError(f"{given[0]}: expected none for {what}, got one; leave it out")
