"""The layers of a network, one by one: what each can do, alone and beside the others, and what is lost without it.

Two questions that differ. A layer whose parameters add no direction to those of the others is *redundant*: they can do
what it does nearby, so that it needs no training. Whether it can be *removed* is measured: by what is then lost.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity.allocation import LayerConstraints, layer_chain, layer_constraints
from capacity.models.base import LinearModel
from capacity_inspection.graphs import Graph, variance_lost, weight_jacobian
from capacity_inspection.reports.left_out_layers import LIMIT, LOSSES, layers_out, together
from capacity_inspection.reports.linear import fitted_points, holding, rank, size_of, task_of
from capacity_inspection.reports.nonlinear import looked_at, network_report, samples_of
from capacity_inspection.reports.quantity import Quantity, unavailable
from capacity_inspection.reports.report import LayerRow, Report, refuse
from capacity_inspection.reports.rescalings import bounds_given_others

__all__ = ["layer_shares_report"]

_CHAIN = "in the order of the layers, each given those before it"
_RANKS = ("alone", "only", "added")
_LOST = ("held constant", "one tap")
_MORE = 32  # outputs beyond two for each parameter, since units may be on for few of them
_WORK = 1e11  # multiplications of ranks and of passes, which take a minute
_RTOL = 1e-9  # of ranks of derivatives that are known to rounding errors


def layer_shares_report(
    model: LinearModel | Graph,
    *,
    process: Any = None,
    data: ArrayLike | None = None,
    parameters: ArrayLike | None = None,
    output: str | None = None,
    at: Any = None,
    optima: int = 1,
    rng: Rng = 0,
    progress: bool = False,
) -> Report:
    """Capacity of each layer: alone, provided by it only, and added to the layers before it; and the cost of its loss.

    Parameters
    ----------
    model : LinearModel or Graph
    process, data
        As in `summary`. A linear model needs one of them.
    parameters : array_like, optional
        Of a linear model; fitted by default.
    output, at : optional
        Of a graph, as in `network_report`. Ranks and losses are those of all channels at this position.
    optima : int, optional
        Fits of a linear model, and of what is left of it without each layer.
    rng : int, Generator or None
        Source of randomness.
    progress : bool, optional
        Show progress bars.

    Returns
    -------
    Report
        Of a linear model, with losses without each layer, as `layers_out` says; its allocation has the part of each
        layer that is added to the layers before it, which sum to the whole. Of a graph, capacities are ranks of the
        derivatives of the output by the parameters, on the data, or on white noise where there are too few, and lower
        bounds for all inputs, or, where ranks take minutes, an upper bound of what each layer adds to the others;
        with data, the shares of the output's variance that are lost are those of `variance_lost`.

    Notes
    -----
    The capacity of a layer given the others, rank(all) - rank(others), is at most its capacity alone, since
    rank(all) <= rank(layer) + rank(others); how far it is below is its redundancy.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> from capacity.tasks import GaussianProcess
    >>> report = layer_shares_report(DilatedConvolution([1, 2]), process=GaussianProcess())
    >>> report["layer 2", "alone"].value, report["layer 2", "only"].value, report["layer 2", "added"].value
    (2, 1, 1)
    """
    if isinstance(model, Graph):
        refuse({"parameters": parameters}, "a network with activations")
        return _of_graph(model, process, data, output, at, as_generator(rng), progress)
    refuse({"output": output, "at": at}, "a linear model")
    task = task_of(model, process, data)
    if task is None:
        raise ValueError("process: expected a process or data, got neither; a division among layers needs one")
    rng, optima = as_generator(rng), check_integer(optima, "optima", minimum=1)
    points = fitted_points(model, task, parameters, optima, rng, progress)
    point, covariance = points.parameters[0], points.covariance
    constraints = layer_constraints(model, point, covariance)
    ranks, whole = _ranks(constraints)
    fits = {"starts": optima - 1, "rng": rng, "progress": progress}
    out = layers_out(model, point, task, **fits)
    rows = []
    for name, part in model.layers.items():
        size, held = size_of(part), holding(constraints.space([name]).spatial(model.components))
        rows.append(
            LayerRow(name, "linear", (size,), {"parameters": Quantity(size)} | ranks[name] | out[name].losses | held)
        )
    totals = {"capacity": rank(whole)}
    if hasattr(task, "residual_variance"):
        best = float(task.residual_variance(model.n_inputs // model.components))
        totals["residual variance"] = Quantity(best, "numerical", "of the best linear prediction, to which losses add")
    totals |= points.remarks()
    chain = layer_chain(model, point, covariance)
    says = _redundant(rows)
    best = totals["residual variance"].value if "residual variance" in totals else 0.0
    bound = points.losses[0] + LIMIT * (best + points.losses[0])
    if gone := together(out, task, bound, model.n_inputs, **fits):
        (least, loss), *more = gone
        says += (
            f"Fitted anew without {least} it loses least: {loss:.3g} more than the best linear prediction, "
            f"{points.losses[0]:.3g} with it{''.join(f', {each:.3g} without {name} as well' for name, each in more)}.",
        )
    first = ("parameters", *_RANKS, *LOSSES, *totals)
    return Report(f"{type(model).__name__}, layer by layer", tuple(rows), totals, chain, says=says, first=first)


def _ranks(constraints):
    """Numbers of each layer by column, and the space of all."""
    names, whole = list(constraints.columns), constraints.space()
    reached = [0, *(constraints.space(names[: end + 1]).total for end in range(len(names)))]
    found = {}
    for i, name in enumerate(names):
        others = constraints.space([other for other in names if other != name]).total
        numbers = (constraints.space([name]).total, whole.total - others, reached[i + 1] - reached[i])
        notes = ("", "", _CHAIN)
        found[name] = {c: Quantity(n, "numerical", note) for c, n, note in zip(_RANKS, numbers, notes)}
    return found, whole


def _of_graph(graph, process, data, output, at, rng, progress):
    base = network_report(graph, process=process, data=data, output=output, at=at, rng=rng)
    part, name, unit, lags, _ = looked_at(graph, output, at)
    ranks, capacity = _ranks_of_graph(part, name, unit, process, data, rng)
    samples = samples_of(part, process, data, rng)
    cuts = {} if samples is None else dict(zip(_LOST, (False, True)))
    lost = {column: _lost(part, samples, name, unit, cut, lags, progress) for column, cut in cuts.items()}
    counts = "independent", "multiply-adds"  # counts that are in the summary
    rows = []
    for row in base.rows:
        numbers = {"parameters": row.numbers["parameters"]} | ranks(row.name)
        numbers |= {column: of_layer(row.name) for column, of_layer in lost.items()}
        numbers |= {key: number for key, number in row.numbers.items() if key not in (*numbers, *counts)}
        rows.append(replace(row, numbers=numbers))
    totals = {"parameters": base.totals["parameters"], "independent": base.totals["independent"], "capacity": capacity}
    says = base.says[:1] + _redundant(rows)
    tap = "most recent" if lags else "middle"
    changes = "Held constant", f"Cut to its {tap} tap, what the others add being held at its mean"
    for column, change in zip(lost, changes):
        if least := _least([row for row in rows if part[row.name].inputs], column):
            share = least.numbers[column].value
            known = [row.name for row in rows if part[row.name].inputs and row.numbers[column].value is not None]
            more = _together(part, samples, name, unit, cuts[column], lags, known, (least.name, share), progress)
            costs = f"{change}, {least.name} costs least: {_percent(share)} of the output's variance"
            costs += "".join(f", {_percent(each)} with {layer} as well" for layer, each in more) + "."
            chain = column == _LOST[0] and abs(share - 1) < 1e-9
            says += ("No layer can be held constant: there is no way around any." if chain else costs,)
    if samples is None:
        says += ("Pass data (--data FILE) to see what is lost without each layer.",)
    first = ("shape", "parameters", *_RANKS, *_LOST, *totals)
    return Report(f"{base.title}; layer by layer", tuple(rows), totals, base.allocation, says=says, first=first)


def _least(rows, column):
    """The row with the smallest number in a column, None if none has one."""
    known = [row for row in rows if row.numbers[column].value is not None]
    return min(known, key=lambda row: row.numbers[column].value, default=None)


def _redundant(rows):
    """Which layers add nothing to what the others can do, in a sentence or none."""
    named = [row.name for row in rows if row.numbers["only"].value == 0 and row.numbers["alone"].value]
    if not named:
        return ()
    return (
        f"Redundant, each by itself: {', '.join(named)}; what their parameters can change, those of others can, too.",
    )


def _ranks_of_graph(part, name, unit, process, data, rng):
    """Ranks of each layer, by a function of its name, and the capacity of all."""
    parameters, channels = part.n_parameters, part[name].shape[0]
    wanted = 2 * parameters + _MORE
    layers = sum(node.n_parameters > 0 for node in part.nodes)
    try:
        if not parameters:
            raise ValueError("the network has no parameters")
        if wanted * parameters**2 * 3 * layers > _WORK:
            raise ValueError(f"ranks of {parameters} parameters of {layers} layers take minutes")
        samples, source = samples_of(part, process, data, rng, most=wanted), "on the data"
        count = 0 if samples is None else len(next(iter(samples.values())) if isinstance(samples, dict) else samples)
        if count * channels < wanted:
            source = "for white noise" + f", since {count * channels} on the data are too few" * (count > 0)
            samples = {key: rng.standard_normal((wanted, *part[key].shape)) for key in part.inputs}
        constraints = _compressed(weight_jacobian(part, samples, name, unit, rows=wanted, rng=rng))
        ranks, whole = _ranks(constraints)
    except ValueError as error:
        missing, bounds = unavailable(str(error)), bounds_given_others(part)
        bounds |= {node.name: Quantity(0) for node in part.nodes if not node.n_parameters}
        return lambda layer: {c: bounds.get(layer, missing) if c == "only" else missing for c in _RANKS}, missing
    capacity = rank(whole, f"rank on {wanted} outputs {source}")
    return lambda layer: ranks.get(layer, dict.fromkeys(_RANKS, Quantity(0))), capacity


def _compressed(blocks):
    """Derivatives as constraints, with columns of length one, in as few rows as have the same ranks."""
    jacobian = np.hstack(list(blocks.values()))
    lengths = np.linalg.norm(jacobian, axis=0)
    kept = lengths > _RTOL * lengths.max(initial=0.0)
    triangle = np.linalg.qr(jacobian * np.where(kept, 1 / np.where(kept, lengths, 1.0), 0.0), mode="r")
    ends = np.cumsum([block.shape[1] for block in blocks.values()])[:-1]
    return LayerConstraints(len(triangle), dict(zip(blocks, np.split(triangle, ends, axis=1))), _RTOL)


def _percent(share):
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"


def _together(part, samples, name, unit, cut, lags, known, first, progress):
    """Layers that can go with a first one, each time the one that then costs least, and what all of them cost."""
    gone = dict([first])
    while max(gone.values()) <= LIMIT and len(gone) < len(known):
        left = [layer for layer in known if layer not in gone]
        options = {"nodes": left, "beside": list(gone), "one_tap": cut, "newest": lags, "progress": progress}
        gone |= [min(variance_lost(part, samples, name, unit, **options).items(), key=lambda each: each[1])]
    return list(gone.items())[1:]


def _lost(part, samples, name, unit, cut, lags, progress):
    """Share of the output's variance lost without a layer, or with it cut to one tap, by a function of its name."""
    try:
        found = variance_lost(part, samples, name, unit, one_tap=cut, newest=lags, progress=progress)
    except ValueError as error:
        missing = unavailable(str(error))
        return lambda _: missing
    nothing = unavailable("no convolution of several taps")
    return lambda layer: Quantity(found[layer], "numerical") if layer in found else nothing
