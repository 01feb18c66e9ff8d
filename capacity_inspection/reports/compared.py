"""Reports side by side, and what a network reports with random weights: several draws in one report."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity_inspection.graphs import Graph, redrawn_weights
from capacity_inspection.reports.linear import linear_report
from capacity_inspection.reports.nonlinear import network_report
from capacity_inspection.reports.quantity import HeldIn, Quantity
from capacity_inspection.reports.report import Report
from capacity_inspection.reports.screen import letters, side_by_side

__all__ = ["LAG_ONE", "comparison", "lag_groups", "lag_range", "redrawn_report"]

LAG_ONE = "Lag 1 is the input at the step of the output: the most recent one, unless a network looks ahead."
_TWO_KINDS = (
    "Under the name of a rule: what one output unit hands down to the inputs. Without one: what the parameters of a "
    "linear model hold of the inputs on its task."
)


def comparison(reports: Mapping[str, Report], width: int = 80) -> str:
    """Totals of several reports side by side, in columns A, B, ...

    A network with activations has a column for each rule that its capacity follows, so that the lags that hold its
    capacity stand beside those of a linear model. Of series it says which share lies at which lags, in octaves.

    Parameters
    ----------
    reports : mapping of str to Report
        By what each is to be called, above the table.
    width : int, optional
        In characters. Columns that do not fit follow in a table of their own.

    Returns
    -------
    str

    Examples
    --------
    >>> from capacity_inspection.readers import tcn
    >>> small, large = (network_report(tcn([1, 2], channels=c, activation="relu")) for c in (1, 2))
    >>> print(comparison({"one channel": small, "two channels": large}).splitlines()[1])
    B: two channels
    """
    names = letters(len(reports))
    columns: dict[str, dict[str, Quantity]] = {}
    octaves: dict[int, str] = {}
    for letter, report in zip(names, reports.values()):
        rules = list(dict.fromkeys(rule for rule, _, _ in _by_rule(report) if rule))
        for rule, name, number in _by_rule(report):
            title = f"{letter}, {rule or rules[0]}" if rules else letter
            columns.setdefault(title, {})[name] = number
        for rule, shares in _shares_by_lag(report).items():
            column = columns.setdefault(f"{letter}, {rule}" if rules else letter, {})
            known = next((number for name, number in column.items() if isinstance(name, HeldIn)), Quantity(0))
            known = replace(known, interval=None)
            octaves |= {last: f"% {_octave(last)}" for last in shares}
            column |= {octaves[k]: replace(known, value=round(100 * part, 1)) for k, part in shares.items()}
    heading = [f"{letter}: {text}" for letter, text in zip(names, reports)]
    both = len({title in names for title in columns}) > 1
    totals = dict.fromkeys(name for report in reports.values() for _, name, _ in _by_rule(report))
    rows = [*totals, *(octaves[k] for k in sorted(octaves))]
    remarks = [_TWO_KINDS] * both + [LAG_ONE] * bool(octaves)
    return side_by_side(heading, columns, rows, remarks, check_integer(width, "width", minimum=1))


def lag_groups(length: int, step: int, *, singly: bool = False) -> dict[int, np.ndarray]:
    """Which positions of a series, the oldest first, are at which lags behind a step, that step itself being lag 1.

    Groups are octaves, 1, 2, 3 and 4, 5 to 8, ..., with 0 for all steps ahead, or single lags. They have the name of
    their last lag, the most recent first.

    Examples
    --------
    >>> {last: positions.tolist() for last, positions in lag_groups(6, 4).items()}
    {0: [5], 1: [4], 2: [3], 4: [1, 2], 8: [0]}
    """
    lags = step + 1 - np.arange(length)
    ends = lags if singly else np.where(lags > 0, 2 ** np.ceil(np.log2(np.maximum(lags, 1))).astype(int), 0)
    return {int(end): np.flatnonzero(ends == end) for end in np.unique(ends)}


def lag_range(newest: int, oldest: int) -> str:
    """Name of the lags between two ends, both included, which are both behind a step or both ahead of it.

    Examples
    --------
    >>> lag_range(5, 8), lag_range(1, 1), lag_range(-2, 0)
    ('5-8', '1', '1-3 ahead')
    """
    first, last = (newest, oldest) if newest > 0 else (1 - oldest, 1 - newest)
    return (f"{first}" if first == last else f"{first}-{last}") + ("" if newest > 0 else " ahead")


def _octave(last: int) -> str:
    return f"at lag {lag_range(last // 2 + 1, last)}" if last > 0 else "ahead"


def _shares_by_lag(report: Report) -> dict[str, dict[int, float]]:
    """Shares of the capacity by rule and by the last lag of each octave."""
    if report.step is None:
        return {}
    return {
        rule: {last: float(curve[at].sum() / curve.sum()) for last, at in lag_groups(len(curve), report.step).items()}
        for rule, curve in report.allocation.items()
        if curve.any()
    }


def _by_rule(report: Report) -> Iterator[tuple[str, str, Quantity]]:
    """Totals as (rule, name, number); the rule is empty where there is none."""
    for name, number in report.totals.items():
        yield (name.rule, name.by(""), number) if isinstance(name, HeldIn) else ("", name, number)


def redrawn_report(
    model: Any, *, draws: int = 5, rng: Rng = 0, process: Any = None, data: Any = None, **options: Any
) -> Report:
    """A network with its weights drawn anew, at the usual scale: the middle of several draws, and their ends.

    The scale need not be that of its own initialisation. Where there are residual connections the reach depends on it;
    what training changed is seen beside a file of the weights that it began with.

    Parameters
    ----------
    model : LinearModel or Graph
        Of a linear model the parameters are those of its `initial`, of a graph those of `redrawn_weights`.
    draws : int, optional
    rng : int, Generator or None
        Of the draws.
    process, data
        As in `summary`.
    **options
        Of `network_report`: output and at.

    Returns
    -------
    Report
        Numbers that differ have an interval from the lowest to the highest; so has the mean of the allocations.

    Examples
    --------
    >>> from capacity_inspection.readers import tcn
    >>> report = redrawn_report(tcn([1, 2], channels=2, activation="relu"), draws=3)
    >>> report["total", "field"].value, report["layer 1", "pseudo-random"].value
    ((4,), 1.0)
    """
    rng = as_generator(rng)
    found = []
    for _ in range(check_integer(draws, "draws", minimum=1)):
        if isinstance(model, Graph):
            drawn = redrawn_weights(model, rng=rng)
            found.append(network_report(drawn, process=process, data=data, rng=0, **options))
        else:
            point = model.initial(rng)
            found.append(linear_report(model, process=process, data=data, parameters=point, **options))
    first = found[0]
    rows = tuple(
        replace(row, numbers={name: _middle([r[row.name, name] for r in found]) for name in row.numbers})
        for row in first.rows
    )
    totals = {name: _middle([report.totals[name] for report in found]) for name in first.totals}
    curves = {rule: np.array([r.allocation[rule] for r in found if rule in r.allocation]) for rule in first.allocation}
    return replace(
        first,
        title=f"{first.title}, {draws} draws",
        rows=rows,
        totals=totals,
        allocation={rule: each.mean(axis=0) for rule, each in curves.items()},
        bands={f"{rule}, {draws} draws": (each.min(axis=0), each.max(axis=0)) for rule, each in curves.items()},
        says=(),
    )


def _middle(numbers: list[Quantity]) -> Quantity:
    """The middle one of several numbers, with their ends where they differ; unavailable if one is."""
    unknown = next((number for number in numbers if number.value is None), None)
    if unknown is not None or len(list(groupby(number.value for number in numbers))) == 1:
        return unknown or numbers[0]
    values = np.sort([number.value for number in numbers], axis=0)
    low, middle, high = (
        tuple(each.tolist()) if np.ndim(each) else each.item()
        for each in (values[0], values[len(values) // 2], values[-1])
    )
    return replace(numbers[0], value=middle, interval=(low, high), gap=None)
