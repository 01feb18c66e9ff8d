"""What outputs can see: the box of every unit, exactly, and how it moves from one unit to the next."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from capacity._validation import check_integers
from capacity_inspection.graphs.graph import Graph, Node, check_graph
from capacity_inspection.graphs.operators.boxes import Box, box_hull
from capacity_inspection.graphs.operators.spans import FAR, Spans

__all__ = [
    "MovingField",
    "boxes_below",
    "fields_of_units",
    "moving_fields",
    "output_position",
    "receptive_fields",
    "spans_of",
]

_LONGEST = 2**22  # entries beyond the borders that pads may count as, at most
_PERIODS = 64  # units after which those behind an upsampling see the same again, at most


def receptive_fields(graph: Graph, output: str | None = None, at: Any = "centre") -> dict[str, Box]:
    """Receptive field of one output unit in every input that it depends on: the smallest box around what it sees.

    Parameters
    ----------
    graph : Graph
    output : str, optional
        Name of the node. Default: the first output of the graph.
    at : "centre", "last" or tuple of int, optional
        The unit, (channel, positions). The two names stand for the middle and the last position of channel 0.

    Returns
    -------
    dict of str to Box
        By the name of the input, channels first. What it sees of other nodes `graph.above` tells.

    Notes
    -----
    Exact: along each axis the first and the last entry that all units see are followed from the input on. What a mask
    hides is not seen: zeros among other factors that are no parameters, scores of which a softmax leaves nothing, and
    zeros among other weights of a dense layer or other taps of a kernel. Other weights that are zero count, and so do
    paths that cancel.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "strides": 2})
    >>> receptive_fields(from_layers((1, 31), [layer] * 3))["input"]
    Box(start=(0, 8), stop=(1, 23))
    """
    name, at = output_position(graph, output, at)
    return fields_of_units(graph.up_to(name), [(name, at)])[name, at]


def fields_of_units(
    graph: Graph, units: Iterable[tuple[str, tuple[int, ...]]]
) -> dict[tuple[str, tuple[int, ...]], dict[str, Box]]:
    """Receptive fields of some units, by the names of their nodes and their indices, in one pass along each axis."""
    found: dict[tuple[str, tuple[int, ...]], dict[str, Box]] = {unit: {} for unit in units}
    for source in graph.inputs:
        ends: dict[tuple, list] = {unit: [] for unit in found}
        for axis in range(len(graph[source].shape)):
            for node, spans in spans_of(graph, source, axis):
                for unit in (unit for unit in found if unit[0] == node.name):
                    spans = spans.spread()
                    place = (0 if spans.size(k) == 1 else i for k, i in enumerate(unit[1]))
                    ends[unit].append(spans.ends[(slice(None), *place)])
        for unit, each in ends.items():
            if each and each[0][0] < FAR:
                found[unit][source] = Box(tuple(int(low) for low, _ in each), tuple(1 - int(high) for _, high in each))
    return found


def spans_of(graph: Graph, source: str, axis: int, margin: int = 0) -> Iterator[tuple[Node, Spans]]:
    """Each node that depends on a source, and what its units see along an axis of that.

    With a margin there are as many entries beyond each border, which pads count as.
    """
    live = dict(Counter(key for node in graph.nodes for key in node.inputs))
    rank, count = len(graph[source].shape), graph[source].shape[axis]
    places = np.arange(-margin, count + margin).reshape([-1 if k == axis else 1 for k in range(rank)])
    first = tuple(-margin if k == axis else 0 for k in range(rank))
    known = {source: Spans(np.stack([places, -places]), first, margin > 0).thinned()}
    for node in graph.nodes:
        below = [known.get(key) for key in node.inputs]
        if any(below) and node.name != source:
            known[node.name] = node.rule.spans(node, below, graph.shapes_below(node))
        if node.name in known:
            yield node, known[node.name]
        for key in node.inputs:
            live[key] -= 1
            if not live[key]:
                known.pop(key, None)


@dataclass(frozen=True)
class MovingField:
    """What the units of a node see of another one, as they move, along one axis; of all channels together.

    Attributes
    ----------
    start : int or None
        First entry that the first unit sees; below zero in the pads.
    extent : int or None
        How many it is from the first entry to the last, pads included.
    stride : int or None
        How many entries further the next unit sees; 0 where all units see the same, which lies within the borders.
    note : str
        Why there is none of these: what a unit sees depends on its place in another way.
    bound : bool
        Whether a unit may see less, since those between two steps of an upsampling see different entries, or as a mask
        hides some.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0, 1.0]]], "strides": 2})])
    >>> print(moving_fields(graph)["convolution 1"][1])
    MovingField(start=0, extent=3, stride=2, note='', bound=False)
    """

    start: int | None = None
    extent: int | None = None
    stride: int | None = None
    note: str = ""
    bound: bool = False


def moving_fields(graph: Graph, source: str | None = None) -> dict[str, tuple[MovingField, ...]]:
    """How the receptive field of each node moves with its units, as the boxes of all of them say.

    Parameters
    ----------
    graph : Graph
    source : str, optional
        The node that is seen. Default: the first input.

    Returns
    -------
    dict of str to tuple of MovingField
        By the name of the node, one for each axis of the source, channels first; nodes that do not see it are left out.

    Notes
    -----
    A unit at u sees the entries from start + stride u on, extent in number. Pads count as entries beyond the borders,
    as many as it takes.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "strides": 2, "pads": 1})
    >>> moving_fields(from_layers((1, 31), [layer] * 3))["convolution 3"][1]
    MovingField(start=-7, extent=15, stride=8, note='', bound=False)
    """
    check_graph(graph)
    source = graph.inputs[0] if source is None else graph[source].name
    found: dict[str, tuple[MovingField, ...]] = {}
    for axis in range(len(graph[source].shape)):
        for name, field in _moving_along(graph, source, axis).items():
            found[name] = (*found.get(name, ()), field)
    return found


def _moving_along(graph, source, axis):
    """The moving field of each node along one axis, with a margin that no unit sees the end of."""
    count = graph[source].shape[axis]
    margin, known = 2 * count if axis else 0, {}
    while True:
        found, short = {}, False
        for node, spans in spans_of(graph, source, axis, margin):
            found[node.name], short = _moving(node, spans, count, known), short or spans.short
        if not short or margin > _LONGEST:
            break
        margin *= 4
    alike = {name for name, field in found.items() if field.stride == 0}
    for node, spans in spans_of(graph, source, axis) if alike else ():
        if node.name in alike:
            found[node.name] = _seen_by_all(spans)
    return found


def _seen_by_all(spans):
    """The field of units that do not move, without pads, of all channels together."""
    several = spans.ends.ndim > 2
    lows, highs = (ends.min(axis=0) if several else ends for ends in spans.ends)
    highs, seen = -highs, lows < FAR
    if not seen.any():
        return MovingField(note="its units see pads only")
    start, stop = int(lows[seen].min()), int(highs[seen].max()) + 1
    return MovingField(start, stop - start, 0, bound=bool((lows != start).any() or (highs != stop - 1).any()))


def _moving(node, spans, count, known):
    """How what units see moves along the one axis along which they differ, channels aside, of so many entries.

    `known` holds what was found, since most nodes see what the one below sees.
    """
    if not (spans.ends[0] < FAR).any():
        return MovingField(note="its units see pads only")
    axes = [axis for axis in range(len(spans.first)) if spans.size(axis) > 1]
    axes = [axis for axis in axes if axis] or axes
    if len(axes) > 1:
        return MovingField(note="what a unit sees depends on its place along several axes")
    spans = spans.spread() if 0 in axes else spans
    others = tuple(axis for axis in range(len(spans.first)) if axis not in axes)
    for axis in others:
        spans = spans.between(axis, 0, node.shape[axis])
    ends = spans.ends.min(axis=tuple(axis + 1 for axis in others)).reshape(2, -1)
    first, size = (spans.first[axes[0]], node.shape[axes[0]]) if axes else (0, 1)
    key = first, size, sha256(ends.tobytes()).digest()
    if key not in known:
        known[key] = _moved(ends[0], -ends[1], first, size, count)
    return known[key]


def _moved(lows, highs, first, size, count):
    """The same of units, of which the one at 0 is the first of so many, from the ends of what they see."""
    units, seen = np.arange(len(lows)) + first, lows < FAR
    units, lows, highs = units[seen], lows[seen], highs[seen]
    stride, regular = _stride(lows, highs)
    whole = stride % 1 == 0  # exact: n / k is whole in doubles only if it is
    moved = int(stride) * units
    start, stop = int((lows - moved).min()), int((highs - moved).max()) + 1
    low, high = (start + moved).clip(lows.min()), (stop - 1 + moved).clip(None, highs.max())
    alike = (low == lows) & (high == highs)
    if whole and stride and (regular or alike.mean() > 0.5):
        return MovingField(start, stop - start, int(stride), bound=not alike.all())
    real = (units >= 0) & (units < size)
    if np.ptp(lows[real].clip(0)) == np.ptp(highs[real].clip(None, count - 1)) == 0:
        return MovingField(0, count, 0)  # or less of it
    between = "" if whole else " between steps of an upsampling"
    return MovingField(note=f"what a unit sees depends on its place{between}")


def _stride(lows, highs):
    """By how many entries the next unit sees further, and whether all units, or groups of them, are alike in that."""
    for period in range(1, min(len(lows) // 2 + 1, _PERIODS)):
        steps = lows[period:] - lows[:-period]
        size = int(np.partition(steps, len(steps) // 2)[len(steps) // 2])  # of most of them, if there is such a one
        same = (steps == size) & (highs[period:] - highs[:-period] == size)
        if same.all() or (period > 1 and same.mean() > 0.5):
            return size / period, same.all()
    if len(lows) < 2:
        return 0, True
    moves = Counter(step for ends in (lows, highs) for step in np.diff(ends).tolist() if step)
    return (moves.most_common(1)[0][0] if moves else 0), False


def boxes_below(graph, name, box):
    """The box of every node on which arrays are needed to compute a box of one, without gaps."""
    boxes = {name: box}
    for node in reversed(graph.nodes):
        if node.name in boxes:
            for source, found in zip(node.inputs, node.rule.reads(node, boxes[node.name], graph.shapes_below(node))):
                if found is not None:
                    boxes[source] = box_hull(boxes.get(source), found)
    return boxes


def output_position(graph, output, at):
    """Name of an output node, the first one by default, and the index of a unit of it."""
    check_graph(graph)
    name = graph.outputs[0] if output is None else graph[output].name
    shape = graph[name].shape
    remedy = "pass 'centre', 'last' or (channel, *positions)"
    if isinstance(at, str):
        if at not in ("centre", "last"):
            raise ValueError(f"at: expected 'centre', 'last' or an index, got {at!r}; {remedy}")
        return name, (0, *(n // 2 if at == "centre" else n - 1 for n in shape[1:]))
    at = check_integers((at,) if np.ndim(at) == 0 else at, "at", minimum=0)
    if len(at) != len(shape) or any(i >= n for i, n in zip(at, shape)):
        raise ValueError(f"at: expected an index into shape {shape} of {name!r}, got {at}; {remedy}")
    return name, at
