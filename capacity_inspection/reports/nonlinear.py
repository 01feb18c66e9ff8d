"""The report on a network with activations: paper 2 at its own weights, from one output down to the inputs.

Both ends of the theory are there: gains that are pseudo-random, and activations that act linearly. In between, with
data, the coupling of each activation is measured on them.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from warnings import warn

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_array, as_generator
from capacity.linalg.precision import balanced
from capacity.tasks.gaussian import GaussianProcess
from capacity_inspection.graphs.cancellation import MovedBoxes
from capacity_inspection.graphs.evaluation import as_inputs
from capacity_inspection.graphs.fields import (
    MovingField,
    fields_of_units,
    moving_fields,
    output_position,
    receptive_fields,
)
from capacity_inspection.graphs.flow import UnitFlows
from capacity_inspection.graphs.gains import measured_couplings
from capacity_inspection.graphs.graph import Graph, check_graph, signal_path
from capacity_inspection.graphs.holding import holding_lags, holding_side
from capacity_inspection.graphs.redrawing import SCALES
from capacity_inspection.graphs.removal import needed_lags
from capacity_inspection.graphs.sampled_slopes import sampled_flow, squared_gradient
from capacity_inspection.graphs.timing import looking_farther, time_reach
from capacity_inspection.graphs.unit_values import UnitValues
from capacity_inspection.reports.cancelled import bound, moved_field, moved_in_time
from capacity_inspection.reports.decisions import NO_DATA, by_reach, by_reach_of_series, plural
from capacity_inspection.reports.linear import SEEN, STATED, held_columns
from capacity_inspection.reports.quantity import HeldIn, Quantity, unavailable
from capacity_inspection.reports.reaches import linear_reaches, network_reaches, windows_of
from capacity_inspection.reports.report import LayerRow, Report, begun
from capacity_inspection.reports.rescalings import independent_in_all

__all__ = ["looked_at", "network_report", "open_axis", "reads", "samples_of", "sees"]

_AT_MOST = "a bound: units behind an upsampling, a mask, or pads of entries, differ in what they see"
_CHANGED = 0.01  # share of the output's variance that a look-back may change
_WINDOWS = 64  # of a series or a process
_NAMED = 5  # nodes of a path
_PADDED = ("convolution", "average_pool", "max_pool", "pad", "slice", "concatenate")
_FORWARD = dict.fromkeys(_PADDED, "pad on the past's side only") | {  # what lets an operator read no later step
    "attention": "mask later steps",
    "recurrent": "run recurrent layers forwards only",
}
_UNBOUNDED = ("accumulate", "attention", "recurrent")  # what sees the further the longer the input is, beside pools
_RANDOM = 8  # inputs, where gains follow from data and there are none
_ON_DATA = "gains are held as they are on the data"
_OF_GAINS = "it makes gains, which are held"
_RULES = {
    "pseudo-random": "gains of all activations are independent, and paths that meet without one between add as squares",
    "linear": "activations act as linear maps",
}


def network_report(
    graph: Graph,
    *,
    process: GaussianProcess | None = None,
    data: Any = None,
    output: str | None = None,
    at: Any = None,
    draws: int | None = None,
    rng: Rng = 0,
) -> Report:
    """Capacity that one output unit of a network spends on its inputs, layer by layer.

    Parameters
    ----------
    graph : Graph
    process : GaussianProcess, optional
        Gives samples of the input, if that is one series, on which couplings are measured.
    data : array_like, optional
        Such samples, shape (samples, *shape of the input), or a series, which is cut into windows.
    output : str, optional
        Name of a node. Default: the first output of the graph.
    at : "centre", "last" or tuple of int, optional
        The unit, (channel, *positions). Default: the last one of a causal network of one axis, else the one in the
        centre.
    draws : optional
        Of former versions; without effect.
    rng : int, Generator or None
        Of the samples of a process.

    Returns
    -------
    Report
        With a row for each input, each node with weights and each pool or attention that the output depends on. Where
        there is attention, a normalisation or a gate, capacity is that of the map whose gains are held: at the data, or
        else at independent standard normal inputs, which is an assumption. What its first screen leaves out is computed
        once somebody looks at it, unless data or a generator are given, which may change before.

    Examples
    --------
    >>> from capacity_inspection.readers import tcn
    >>> report = network_report(tcn([1, 2], channels=2, activation="relu"))
    >>> report["layer 1", "pseudo-random"].value, report["total", "field"].value
    (1.0, (4,))
    """
    if draws is not None:
        warn("draws has no effect and goes with version 2; use redrawn_report", DeprecationWarning, stacklevel=2)
    part, name, unit, lags, reach = looked_at(graph, output, at)
    generator = as_generator(rng)
    in_series = process is None and data is not None and _is_series(part, data)
    series, scaled = series_read(part, data) if in_series else (None, "")
    samples = samples_of(part, process, data, generator) if series is None else _spread(series, part, _WINDOWS)
    path = signal_path(part, [name])
    rows = [node for node in part.nodes if (node.rule.reported and node.name in path) or node.n_parameters]
    lines, moving, moved = [], _moving(part), MovedBoxes(part)
    moves = moved_in_time(moved, reach)
    asked = moved.passes or any(field.note for each in moving.values() for field in each[1:])
    units = {node.name: output_position(part, node.name, "centre")[1] for node in rows if asked}
    of_units = fields_of_units(part, [(name, unit), *units.items()])
    fields, boxes = of_units[name, unit], {key: of_units[key, place] for key, place in units.items()}
    counted: dict[str, int] = {}
    for node in rows:
        own = {key: size for key, size in node.parameters.items() if key not in counted}
        counted |= own
        numbers = {"parameters": _parameters(part, sum(own.values())), "independent": _independent(own)}
        numbers["multiply-adds"] = Quantity(node.rule.multiply_adds(node, part.shapes_below(node)))
        numbers |= _seen(moved, node.name, moving.get(node.name), units.get(node.name), boxes.get(node.name, {}))
        lines.append(LayerRow(node.name, node.operator, node.shape, numbers))
    totals = _totals(part, name, path, fields, moving)
    if "field" in totals:
        totals["field"] = bound(totals["field"].value, moved_field(moved, name, unit, fields), totals["field"].note)
    behind = len(totals)  # of these stand those of the capacity
    totals |= _in_time(reach, moves, name, part.inputs)
    sentences = sees(part, name, totals.get("field"), reach, lags, moves)
    if len(part.inputs) > 1:
        sentences = " ".join([_of(part.inputs[0], sentences), *_of_others(part, name, fields)])
    if part.zeros:
        whole = part.by_structure()
        seen, other = receptive_fields(whole, name, unit), time_reach(whole, name)
        if (seen, other) != (fields, reach):
            moved = MovedBoxes(whole)
            found, moves = moved_field(moved, name, unit, seen), moved_in_time(moved, other)
            field = bound(seen[part.inputs[0]].shape[1:], found, "whatever the weights")
            totals["field, by structure"] = field
            later = (
                f"its field is {field}." if other == reach else f"i{sees(whole, name, field, other, lags, moves)[1:]}"
            )
            sentences += (
                " That is at these weights: the file does not say whether a mask made the zeros among those of "
                f"{', '.join(part.zeros[:_NAMED])}. If none did, {later}"
            )
    if output is None and len(graph.outputs) > 1:
        sentences += (
            f" There are {len(graph.outputs)} outputs, of which this is the first: output={graph.outputs[1]!r} "
            f"(--output {graph.outputs[1]!r}) looks at the next."
        )
    if notes := [note for note in graph.notes if note not in open_axis(graph)]:
        totals["left out"] = Quantity(len(notes), note="; ".join(notes))
    says: tuple[str, ...] = ()
    gradient, held = None, held_columns("lags" if lags else "box")
    if samples is not None:
        if lags and series is not None:
            says, found = _on_series(part, name, unit, totals["field"].value[-1], series)
            totals |= found
        if lags:
            totals["look-back, as it is"] = _look_back(part, samples, name, unit)
        gradient, note = _gradient(part, samples, name, unit)
        extent = fields.get(part.inputs[0])
        box = () if extent is None else tuple(slice(*ends) for ends in list(zip(extent.start, extent.stop))[1:])
        for column in held:
            totals[column.by("gradient")] = (
                unavailable(note) if gradient is None else _held(gradient[box], column, "numerical", note)
            )
    title = f"Network of {plural(len(part.layers), 'layer')} and {'*' * bool(part.counted)}"
    title += plural(part.n_parameters, "parameter")
    title += f", drawn at random ({SCALES[part.drawn]})" if part.drawn else ""
    title += f"; reads {reads(part, lags or reach)}"
    title += f"; output {name}: {_place(unit, reach.axis if reach is not None and reach.node == name else 1)}"
    if series is not None:
        title += f"; on windows of the series{scaled}"
    report = Report(
        title,
        tuple(lines),
        totals,
        says=(
            sentences,
            *open_axis(graph),
            *(says or _looks(totals, data is not None or process is not None, lags)),
        ),
        first=("shape", "parameters", "field"),
        step=_step(part, name, unit, reach, lags),
    )
    waits = samples is None and generator is not rng  # what is the caller's may change until somebody looks
    known = behind, part, name, unit, held, samples, rng if waits else generator, gradient
    complete = partial(_with_capacity, report, *known)
    return begun(report, complete) if waits else complete()


def _with_capacity(report, behind, part, name, unit, held, samples, rng, gradient):
    """A report with the columns and totals of the capacity, the latter behind the first few."""
    flows = _flows(part, name, unit, _rules(part, samples, as_generator(rng)), {row.name for row in report.rows})
    main, path, rows = list(flows)[-1], signal_path(part, [name]), []
    for row in report.rows:
        shares = {rule: _share(flow, note, row.name) for rule, (flow, note) in flows.items()}
        if row.name not in path:
            shares[main] = unavailable(_OF_GAINS)
        numbers = row.numbers | shares | _holding(path, flows[main], row.name, held)
        rows.append(replace(row, numbers=numbers))
    known, totals = list(report.totals.items()), {}
    for rule, found in flows.items():
        totals |= {column.by(rule): number for column, number in _holding(path, found, part.inputs[0], held).items()}
    totals = dict(known[:behind]) | totals | _heads(part, flows[main]) | dict(known[behind:])
    allocation = {
        rule: _positions(flow.inputs[part.inputs[0]]) for rule, (flow, _) in flows.items() if not isinstance(flow, str)
    }
    if gradient is not None:
        allocation["gradient"] = gradient
        if main in allocation:
            allocation[main] = allocation.pop(main)  # the last one is drawn where only one is
    return replace(report, rows=tuple(rows), totals=totals, allocation=allocation)


def looked_at(graph, output, at):
    """The part of a graph that a report is about, its output, the unit, whether positions are lags, and its reach."""
    check_graph(graph)
    name, unit = output_position(graph, output, "centre" if at is None else at)
    part = graph.up_to(name)
    reach = time_reach(part, name)
    lags = _is_causal(part, name, reach) if at is None else at == "last" and len(part[part.inputs[0]].shape) == 2
    if at is None and lags:
        unit = output_position(graph, name, "last")[1]
    elif at is None:  # of what may be steps, where the first axis is none of channels, the one that sees most
        last = part[name].shape[0] - 1
        found = fields_of_units(part, [(name, (channel, *unit[1:])) for channel in (0, last // 2, last)])
        unit = max(found, key=lambda each: sum(math.prod(box.shape) for box in found[each].values()))[1]
    return part, name, unit, lags, reach


def _place(unit, axis):
    """A unit by its channel and position; where the first axis is that of positions, these change places."""
    channel, *positions = unit if axis else (*unit[1:2], unit[0], *unit[2:])
    return f"channel {channel} at position {', '.join(map(str, positions))}" if positions else f"unit {channel}"


def reads(graph, in_time):
    """The size of the first input, and what its axes are taken for where it was read from."""
    source = graph[graph.inputs[0]]
    size = plural(source.shape[0], "channel")
    if len(source.shape) > 1:
        what = plural(math.prod(source.shape[1:]), "step" if in_time else "position").partition(" ")[2]
        size += f" of {' x '.join(map(str, source.shape[1:]))} {what}"
    return size + (f", as ({', '.join(graph.axes[source.name])})" if source.name in graph.axes else "")


def open_axis(graph):
    """What there is to say of an axis of time that nothing decided."""
    return [note for note in graph.notes if "time_axis=" in note]


def sees(part, name, number, reach, lags, moves):
    """How far the unit can see, and whether later steps reach any output, as a sentence, or two of what is a bound."""
    if number is None:
        return "It sees nothing of the input."
    if number.kind == "assumed" and (reach is None or not reach.future or reach.node != name):
        return f"{sees(part, name, replace(number, kind='exact', note=''), reach, lags, moves)} That is {number.note}."
    note = f", {number.note}" * bool(number.note)
    if reach is None or not len(number.value):
        whole = " x ".join(map(str, part[part.inputs[0]].shape[1:]))
        sentence = f"It sees {number} of the {whole} positions{note}." if number.value else "It sees all of its input."
        along = len(number.value) == 1 and not lags
        return sentence + " For which steps outputs stand is not known, nor whether they look ahead." * along
    whole = part[part.inputs[0]].shape[-1]
    beside = f"It sees {number} of the {whole} steps{note}, and stands for none. Below it {reach.node}"
    if not reach.future:
        most = reach.past + reach.stride
        seen = max((last + 1 - first for _, first, last in reach.farthest[:1]), default=most)  # of one that sees most
        extent = f"{seen} of " * (seen < most) + f"the last {plural(most, 'step')}"
        if reach.node != name and number.value[0] > most:
            return f"{beside} sees {extent}, and is causal."
        return f"It sees {extent}{note}, and is causal: no path leads to an output from a later step."
    farther = looking_farther(part, reach.node)
    named = [key for key in reach.path if part[key].n_parameters or part[key].rule.reported or key in farther]
    named = named if len(named) <= _NAMED else [*named[: _NAMED - 1], "...", named[-1]]
    steps = plural(reach.future, "step")
    if moves[1] != reach.future:
        return (
            f"It {'is not' if moves[1] else 'may be'} causal: paths look {steps} ahead ({' -> '.join(named)}), but "
            f"cancel. Of these, {moves[1]} move an output at redrawn inputs and weights."
        )
    ahead = f"{steps} ahead, which {reach.ahead} does first ({' -> '.join(named)})"
    if reach.node != name:  # an output that stands for no step
        return f"{beside} looks {ahead}."
    ways = {key: _FORWARD.get(part[key].operator, "") if placed else "" for key, placed in farther.items()}
    known = dict.fromkeys(filter(None, ways.values()))
    others = [key if farther[key] else f"what {key} reads" for key in farther if not ways[key]]
    others = others if len(others) <= _NAMED else [*others[: _NAMED - 1], "others"]
    which = "that" if others == [reach.ahead] else " and ".join(others)
    remedy = ", and ".join([*known, *[f"let {which} see no later step"] * bool(others)])
    return (
        f"It is not causal: it looks {ahead}, so that an output has to wait for "
        f"{'that' if reach.future == 1 else 'these'}; to forecast, {remedy}."
    )


def _of(source, sentences):
    """Sentences that begin with "It", about one of several inputs."""
    return f"Of {source!r} i{sentences[1:]}"


def _of_others(part, name, fields):
    """What `sees` says of each input but the first."""
    for source in part.inputs[1:]:
        turned = replace(part, nodes=(part[source], *(node for node in part.nodes if node.name != source)))
        number = Quantity(fields[source].shape[1:]) if source in fields else None
        reach = time_reach(turned, name)
        moves = moved_in_time(MovedBoxes(turned), reach)
        yield _of(source, sees(turned, name, number, reach, _is_causal(turned, name, reach), moves))


def _on_series(part, name, unit, own, series):
    """What shorter and longer reaches would lose on a series, in two sentences and as totals."""
    try:
        if part.drawn:
            return by_reach_of_series(
                linear_reaches(series, own), "Its weights are random, so this is what there is to see"
            )
        return by_reach(network_reaches(part, name, unit, own, series))
    except ValueError as error:
        return (f"What another length would lose is not known: {error}.",), {"look-back": unavailable(str(error))}


def _looks(totals, given, lags):
    """How far the unit does look on samples without targets, and what would tell more; in sentences."""
    if not given:
        return (NO_DATA,) if lags else ()
    needed = totals.get("look-back, as it is")
    remedy = "What another length would lose takes a series that it predicts: pass that."
    if needed is not None and needed.value is not None:
        return (f"On these data it needs the last {plural(needed.value, 'step')}: {needed.note}.", remedy)
    number = totals.get(HeldIn("lags" if lags else "box", STATED, "gradient"))
    if number is None or number.value is None or not number.value:
        return ()
    size = plural(number.value, "step") if lags else f"{number} positions"
    return (
        f"On these data {100 * STATED:g} % of the mean squared gradient, by which single inputs act, lies in {size}.",
    )


def _is_causal(graph, name, reach):
    """Whether the units along the one axis of positions look back, none of them ahead, and the last one on the end."""
    if reach is None or not (reach.causal and reach.past):
        return False
    source = graph.inputs[0]
    ends = receptive_fields(graph, name, "last").get(source)
    return ends is not None and ends.stop[1] > graph[source].shape[1] - reach.stride


def _in_time(reach, moves, name, inputs):
    """What a sequence sees of the past and the future, and how long it waits, as totals."""
    if reach is None:
        return {}
    found = dict(zip(("past", "future", "latency"), (*moves, reach.latency - reach.future + moves[1])))
    note = "" if reach.node == name else f"of {reach.node}, the last sequence"
    totals = {key: bound(getattr(reach, key), moved, note) for key, moved in found.items()}
    if reach.causal:
        later = f"later steps of {inputs[0]!r}" if len(inputs) > 1 else "later steps"
        totals["future"] = Quantity(0, note=f"no path from {later} to any {note and 'unit '}{note or 'output'}")
    return totals


def _step(graph, name, unit, reach, lags):
    """The last step of the series that a unit stands for; of units without a position, the last one of all."""
    if reach is not None and reach.node == name:
        return reach.start + (unit[reach.axis] + 1) * reach.stride - 1
    return graph[graph.inputs[0]].shape[1] - 1 if reach is not None or lags else None


def _reads_a_series(graph):
    shape = graph[graph.inputs[0]].shape
    return len(graph.inputs) == 1 and len(shape) == 2 and shape[0] == 1


def _is_series(graph, data):
    """Whether data are a series, which is cut into windows, and no samples."""
    return not isinstance(data, Mapping) and np.ndim(data) <= 2 and _reads_a_series(graph)


def samples_of(graph, process, data, rng, most=_WINDOWS):
    """Samples of the inputs: those that are given, or at most so many of a process or windows of a series; or None."""
    if process is None and data is None:
        return None
    if process is not None and data is not None:
        raise ValueError("data: expected either a process or data, got both; leave one out")
    shape, one = graph[graph.inputs[0]].shape, _reads_a_series(graph)
    if process is not None:
        if not one or not hasattr(process, "sample"):
            raise ValueError(f"process: expected one for an input of one series, got one for shape {shape}; pass data")
        return process.sample(shape[1], most, rng=rng)[:, None]
    if np.ndim(data) == 1 and not (one or isinstance(data, Mapping)):
        raise ValueError(
            f"data: expected samples, of shape {('samples', *shape)}, since only an input of one channel reads windows "
            "of one series, got a series; save such samples as .npy"
        )
    if not _is_series(graph, data):
        as_inputs(graph, data, "data")  # refuses what does not fit
        return data
    return _spread(series_read(graph, data)[0], graph, most)


def _spread(series, graph, most):
    """Windows of a series, as many as are wanted or as there are, over all of it."""
    steps = graph[graph.inputs[0]].shape[1]
    starts = np.unique(np.linspace(0, series.size - steps, most).astype(int))
    return windows_of(series, starts + steps, steps)


def series_read(graph, data):
    """A series in the unit in which a network reads it, and which that is.

    It is scaled to mean 0 and variance 1, unless weights were trained that predict the next value better as it is.
    """
    shape = graph[graph.inputs[0]].shape
    given = as_array(data, "data", axes=1)
    if given.ndim == 2 and 1 not in given.shape:
        raise ValueError(f"data: expected one series or samples of shape {shape}, got shape {given.shape}; reshape it")
    series = balanced(given.ravel())  # so that no square leaves the range of a double
    if series.size < shape[1]:
        raise ValueError(f"data: expected at least {shape[1]} steps, got {series.size}; pass a longer series")
    scaled = (series - series.mean()) / (series.std() or 1.0)
    if not graph.drawn and series.size > shape[1]:
        unit, places = output_position(graph, None, "last")[1], np.arange(shape[1], series.size)
        places = places[np.linspace(0, places.size - 1, _WINDOWS).astype(int)]

        units = UnitValues(graph, {graph.outputs[0]: unit[1:2] or (0,)})

        def lost(each):
            values = units({graph.inputs[0]: windows_of(each, places, shape[1])})
            found = units.taken(values, graph.outputs[0], unit[1:])[:, unit[0]]
            return np.mean((found - each[places]) ** 2) / each.var()

        with np.errstate(all="ignore"):
            if lost(given.ravel()) < min(lost(scaled), 1.0):
                return given.ravel(), ", as it is"
    return scaled, ", scaled to mean 0 and variance 1"


def _rules(graph, samples, rng):
    """By rule the couplings, or why these are unknown, and what it assumes; the firmest one comes last."""
    if all(node.rule.is_linear(node) for node in graph.nodes):
        return {"capacity": (1.0, "")}
    if any(node.rule.gains == "sample" for node in graph.nodes):  # no law of them is known
        return {"sampled": _held_at(graph, samples, rng)}
    ends = {"linear": (1.0, _RULES["linear"]), "pseudo-random": (0.0, _RULES["pseudo-random"])}
    if samples is None:
        return ends
    try:
        coupling = measured_couplings(graph, samples)
    except ValueError as error:
        coupling = str(error)
    measured = {"measured": (coupling, "the two-part rule, at the couplings that activations have on the data")}
    return dict(reversed(ends.items())) | measured


def _held_at(graph, samples, rng):
    """The flow at gains as they are on the data, or else on random inputs of a law that is assumed."""
    if samples is not None:
        return partial(sampled_flow, data=samples, rng=rng), _ON_DATA
    random = {key: rng.standard_normal((_RANDOM, *graph[key].shape)) for key in graph.inputs}
    note = f"gains are held as they are at {_RANDOM} inputs of independent standard normal numbers, for want of data"
    return partial(sampled_flow, data=random, rng=rng), note


def _flows(graph, name, unit, rules, nodes=()):
    """By rule where capacity goes, or why that is unknown, and what it assumes; of the last rule also at nodes."""
    try:
        flows = UnitFlows(graph, name, unit)
    except ValueError as error:
        return {rule: (str(error), note) for rule, (_, note) in rules.items()}
    found = {}
    for rule, (coupling, note) in rules.items():
        kept = nodes if rule == list(rules)[-1] else ()
        found[rule] = _flow(flows, coupling, kept), note
    return found


def _flow(flows, coupling, nodes):
    if isinstance(coupling, str):
        return coupling
    try:
        if callable(coupling):
            return coupling(flows.part, output=flows.name, at=flows.at, kept=nodes)
        return flows.flow(coupling, nodes=nodes)
    except ValueError as error:
        return str(error)


def _known(note):
    """Kind and note of what a rule gives."""
    return ("numerical" if note == _ON_DATA else "assumed", note) if note else ("exact", "")


def _share(flow, note, name):
    if isinstance(flow, str):
        return unavailable(flow)
    return Quantity(float(f"{flow.handed_down.get(name, 0.0):.12g}"), *_known(note))


def _positions(field):
    """Capacity per position, summed over channels; of inputs without positions, per entry."""
    return field.sum(axis=0) if field.ndim > 1 else field


def _holding(path, flow_and_note, name, held):
    flow, note = flow_and_note
    if isinstance(flow, str):
        return dict.fromkeys(held, unavailable(flow))
    if name not in path:
        return dict.fromkeys(held, unavailable(_OF_GAINS))
    if name not in flow.nodes or not flow.nodes[name].any():
        return dict.fromkeys(held, unavailable("no capacity arrives there"))
    if flow.nodes[name].ndim < 2:
        return dict.fromkeys(held, Quantity((), note="without positions"))
    field = _positions(flow.nodes[name])
    if field.ndim > 1 and held[0].extent == "lags":
        return dict.fromkeys(held, unavailable("it has several axes of positions"))
    return {column: _held(field, column, *_known(note)) for column in held}


def _held(field, column, kind, note):
    if column.extent == "lags":
        return Quantity(holding_lags(field, column.share), kind, note)
    side = holding_side(field, column.share)
    return Quantity(tuple(min(math.ceil(side), n) for n in field.shape), kind, note)


def _heads(graph, flow_and_note):
    """Of each attention the share of its capacity that the largest of its heads has, with those of all in the note."""
    flow, note = flow_and_note
    found = {}
    for node in graph.nodes if not isinstance(flow, str) else ():
        heads = node.options.get("heads", 1) if node.name in flow.nodes else 1
        if heads > 1 and flow.nodes[node.name].any():
            units = np.zeros(node.shape[0])
            units[flow.boxes[node.name].start[0] : flow.boxes[node.name].stop[0]] = flow.nodes[node.name].sum(axis=1)
            shares = units.reshape(heads, -1).sum(axis=1) / units.sum()
            by_head = f"by head {', '.join(f'{share:.2f}' for share in shares)}, at the same gains"
            found[f"largest head, {node.name}"] = Quantity(float(shares.max()), _known(note)[0], by_head)
    return found


def _moving(graph):
    """Moving fields, which behind what sees the further the longer the input is are no longer than the input."""
    found, behind, sizes = moving_fields(graph), set(), graph[graph.inputs[0]].shape
    for node in graph.nodes:
        if _is_unbounded(node, graph) or not behind.isdisjoint(node.inputs):
            behind.add(node.name)
            if node.name in found:
                found[node.name] = tuple(map(_within, found[node.name], sizes))
    return found


def _is_unbounded(node, graph):
    """Whether what a node sees grows with the input, as of a pool of all positions."""
    whole = node.options.get("window") == graph.shapes_below(node)[0][1:] if node.inputs else False
    return node.operator in _UNBOUNDED or (whole and node.operator in ("average_pool", "max_pool"))


def _within(field, n):
    """The same field on n positions, without what lies outside of them for all units."""
    if field.extent is None or field.extent <= n:
        return field
    start, stop = max(field.start, 1 - n), min(field.start + field.extent, n)
    if stop - start <= n:
        return replace(field, start=start, extent=stop - start)
    return MovingField(0, n, 0, bound=field.bound or (start, stop) != (1 - n, n))


def _seen(moved, name, fields, unit, boxes):
    """Receptive field of a layer in the first input: extent, stride, and where that of its first unit starts."""
    source = moved.graph.inputs[0]
    if fields is None:
        return dict.fromkeys(SEEN, unavailable(f"it does not read {source!r}"))
    if note := next((field.note for field in fields[1:] if field.note), None):
        found = dict.fromkeys(SEEN, unavailable(note))
        if (box := boxes.get(source)) is not None:
            found[SEEN[0]] = Quantity(box.shape[1:], "assumed", f"of the unit in its centre, since {note}")
        return found
    known = ("assumed", _AT_MOST) if any(field.bound for field in fields[1:]) else ("exact", "")
    if moved.passes and source in boxes:
        found = bound(boxes[source].shape[1:], moved_field(moved, name, unit, boxes))
        known = known if found.kind == "exact" else (found.kind, found.note)
    return {
        name: Quantity(tuple(getattr(field, key) for field in fields[1:]), *known)
        for name, key in zip(SEEN, ("extent", "stride", "start"))
    }


def _parameters(graph, number, note=""):
    if number and graph.counted:
        return Quantity(number, "assumed", "; ".join(filter(None, (graph.counted, note))))
    return Quantity(number, note=note)


def _independent(parameters):
    if not (total := sum(parameters.values())):
        return Quantity(0)
    return Quantity(total, "assumed", "what the layer reads is linearly independent, all others held constant")


def _totals(graph, name, path, fields, moving):
    source = graph.inputs[0]
    shared = graph.n_parameters < sum(node.n_parameters for node in graph.nodes)
    note = "what layers share counts once, in the first of them" if shared else ""
    totals = {"inputs": Quantity(graph[source].shape), "parameters": _parameters(graph, graph.n_parameters, note)}
    totals["independent"] = independent_in_all(graph)
    counts = (node.rule.multiply_adds(node, graph.shapes_below(node)) for node in graph.nodes)
    totals["multiply-adds"] = Quantity(sum(counts))
    if source in fields:
        seen, whole = fields[source].shape[1:], tuple(field.extent for field in moving.get(name, ())[1:])
        bound = any(field.bound for field in moving.get(name, ()))
        note = "" if bound or None in whole or whole == seen else f"{' x '.join(map(str, whole))} with the pads"
        along = (moving[key][1] for key in path if len(moving.get(key, ())) == 2)
        longest = max((field.extent or 0 for field in along if not field.bound), default=0)
        if longest > graph[source].shape[-1] and not any(_is_unbounded(node, graph) for node in graph.nodes):
            note = f"as the input is shorter than the field of {longest}: take a longer one"
        totals["field"] = Quantity(seen, note=note)
    return totals


def _look_back(graph, samples, name, unit):
    """How many inputs are needed on the data, or why that is unknown."""
    try:
        note = f"with all others at their mean, at most {100 * _CHANGED:g} % of the output's variance changes"
        return Quantity(needed_lags(graph, samples, name, unit, lost=_CHANGED), "numerical", note)
    except ValueError as error:
        return unavailable(str(error))


def _gradient(graph, samples, name, unit):
    """Root of the mean squared gradient per position, or None and why."""
    try:
        field = _positions(squared_gradient(graph, samples, name, unit)[graph.inputs[0]])
    except ValueError as error:
        return None, str(error)
    if not field.any():
        return None, "the gradient is zero on all samples"
    return field / field.sum(), "share of the mean squared gradient on the data"
