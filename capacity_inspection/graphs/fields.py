"""What an output can see: its entries of every node, exactly, by indices and by probes; and how that moves with it."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial

import numpy as np

from capacity._validation import check_integers
from capacity_inspection.graphs.evaluation import as_inputs, node_values
from capacity_inspection.graphs.graph import check_graph
from capacity_inspection.graphs.operators.boxes import Box, box_hull, whole_box
from capacity_inspection.graphs.operators.regions import box_around, joined, product_of

__all__ = [
    "MovingField",
    "boxes_below",
    "fields_of",
    "moving_fields",
    "output_position",
    "probe_receptive_field",
    "receptive_fields",
]


def receptive_fields(graph, output=None, at="centre"):
    """Receptive field of one output unit in every node that it depends on: the smallest box around what it sees.

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
        By the name of the node, channels first; those that the unit does not depend on are left out.

    Notes
    -----
    Exact: the entries themselves are followed, as products of indices along each axis, at a cost that does not depend
    on the channels. What a mask hides is not seen: entries with a factor of zero, scores with a shift of -1e9 or less,
    and zeros among other weights of a dense layer or other taps of a kernel. Other weights that are zero count.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "strides": 2})
    >>> receptive_fields(from_layers((1, 31), [layer] * 3))["input"]
    Box(start=(0, 8), stop=(1, 23))
    """
    name, at = output_position(graph, output, at)
    return fields_of(graph, name, Box(at, tuple(i + 1 for i in at)))


def fields_of(graph, name, box):
    """The smallest box around what a box of a node sees of every node."""
    seen = {name: [product_of(box)]}
    for node in reversed(graph.nodes):
        shapes = graph.shapes_below(node)
        for product in seen.get(node.name, ()):
            for source, found in zip(node.inputs, node.rule.sees(node, product, shapes)):
                if found:
                    seen[source] = joined(seen.get(source, ()), found)
    return {key: box_around(products) for key, products in seen.items()}


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


def moving_fields(graph, source=None):
    """How the receptive field of each node moves with its units, in closed form.

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
    A unit at u sees the entries from start + stride u on, extent in number: composed operator by operator, in one pass
    for all nodes. Branches that meet have to move alike.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "strides": 2, "pads": 1})
    >>> moving_fields(from_layers((1, 31), [layer] * 3))["convolution 3"][1]
    MovingField(start=-7, extent=15, stride=8, note='', bound=False)
    """
    check_graph(graph)
    source = graph.inputs[0] if source is None else graph[source].name

    @cache
    def seen_by_all(name):
        return fields_of(graph, name, whole_box(graph[name].shape)).get(source)

    def seen_along(name, axis):
        box = seen_by_all(name)
        return (0, -1) if box is None else (box.start[axis], box.stop[axis] - 1)

    found = {source: [_Motion(axis, 1, 0, 0) for axis in range(len(graph[source].shape))]}
    for node in graph.nodes:
        below = {index: found[name] for index, name in enumerate(node.inputs) if name in found}
        if below and node.name != source:
            shapes, moved = graph.shapes_below(node), []
            for axis in range(len(graph[source].shape)):
                ends = partial(seen_along, axis=axis)
                motions = [_through(node, i, shapes, each[axis], ends) for i, each in below.items()]
                moved.append(_met(node, motions, graph[source].shape[axis]))
            found[node.name] = moved
    return {name: tuple(motion.field() for motion in motions) for name, motions in found.items()}


@dataclass(frozen=True)
class _Motion:
    """Units at u on an axis of a node see the entries from first + stride u to last + stride u; None for all units.

    With a note that is not so, and the axis is the one along which units differ, if it is one only.
    Along the axis `uneven`, if any, units differ in what they see, and this is the hull. Strides and ends are fractions
    behind an upsampling, and bounds.
    """

    axis: int | None = None
    stride: int = 0
    first: int = 0
    last: int = 0
    uneven: int | None = None
    note: str = ""
    bound: bool = False

    def field(self):
        """The same as it is told."""
        if self.note or self.stride % 1:
            return MovingField(note=self.note or "what a unit sees depends on its place between steps of an upsampling")
        first = math.ceil(self.first)
        return MovingField(first, math.floor(self.last) - first + 1, int(self.stride), bound=self.bound)


def _through(node, index, shapes, motion, ends):
    """What the units of a node see through one of its inputs."""
    found = _through_window(node, index, shapes, motion, ends)
    if found.note:
        return found
    apart = node.rule.apart(node)
    partly = motion.bound or (motion.axis is not None and node.rule.partly(node, motion.axis, index))
    return replace(found, uneven=found.uneven if apart is None else apart, bound=found.bound or partly)


def _through_window(node, index, shapes, motion, ends):
    windows = [node.rule.window(node, axis, index, shapes) for axis in range(len(shapes[index]))]
    whole = [window is not None and _covers(node, *window, n) for window, n in zip(windows, shapes[index])]
    if all(whole) or (motion.axis is not None and whole[motion.axis]):
        if motion.axis is not None or motion.note or motion.uneven is not None:
            return _Motion(None, 0, *ends(node.inputs[index]))
        return motion
    if motion.note:
        held = None if motion.axis is None else node.rule.axis_above(node, motion.axis, index, shapes)
        return replace(motion, axis=held)
    uneven = motion.uneven
    if uneven is not None:
        window = windows[uneven]
        if whole[uneven]:
            uneven = None
        elif window is None or window[1:] != (1, (0,)) or node.shape[window[0]] != shapes[index][uneven]:
            return _Motion(note=f"what a unit sees depends on its channel below {node.name!r}")
        else:
            uneven = window[0]
    axis, stride, first, last, bound = motion.axis, motion.stride, motion.first, motion.last, motion.bound
    if axis is not None:
        if windows[axis] is None:
            held = node.rule.axis_above(node, axis, index, shapes)
            return _Motion(held, note=f"what a unit sees depends on its place in {node.name!r}")
        count, (axis, step, offsets) = shapes[index][axis], windows[axis]
        first, last, stride = first + stride * min(offsets), last + stride * max(offsets), stride * step
        bound |= isinstance(step, Fraction)
        if node.rule.unbounded and len(offsets) >= count > 1:  # the last unit sees nothing before the start
            low, high = ends(node.inputs[index])
            first, last = max(first, low - stride * (node.shape[axis] - 1)), min(last, high)
    return _Motion(axis, stride, first, last, uneven, bound=bound)


def _covers(node, axis, stride, offsets, n):
    """Whether all units read all entries along an axis."""
    return (axis is None or node.shape[axis] == 1) and set(range(n)) <= set(offsets)


def _met(node, motions, count):
    """What units see through several inputs together, of `count` entries."""
    uneven = {motion.uneven for motion in motions} - {None}
    one, seam = motions[0], node.rule.seam(node)
    alike = len({(motion.first, motion.last) for motion in motions}) == 1 and len(motions) == len(node.inputs)
    if seam is not None and not alike:
        uneven.add(seam)
    for motion in motions if len(uneven) < 2 else ():
        if motion.axis is None and motion.first <= 0 and motion.last >= count - 1 and not motion.note:
            return replace(motion, uneven=next(iter(uneven), None))
    axes = {motion.axis for motion in motions}
    if told := next((motion for motion in motions if motion.note), None):
        return told if len(axes) == 1 else replace(told, axis=None)
    if len({(motion.axis, motion.stride) for motion in motions}) > 1 or (
        seam is not None and not alike and one.axis == seam
    ):
        return _Motion(note=f"what a unit sees depends on its place in {node.name!r}")
    if len(uneven) > 1:
        return _Motion(note=f"what a unit sees depends on its channel in {node.name!r}")
    first, last = min(motion.first for motion in motions), max(motion.last for motion in motions)
    exact = any(not motion.bound and (motion.first, motion.last) == (first, last) for motion in motions)
    bound = any(motion.bound for motion in motions) and not exact
    return _Motion(one.axis, one.stride, first, last, next(iter(uneven), None), bound=bound)


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


def probe_receptive_field(graph, output=None, at="centre", *, inputs=None):
    """Receptive field of one output unit in each input, found by evaluating the network with a NaN in its inputs.

    Parameters
    ----------
    graph : Graph
    output, at : optional
        As in `receptive_fields`.
    inputs : array_like or mapping of str to array_like, optional
        One sample at which the network is evaluated. Default: zeros.

    Returns
    -------
    dict of str to Box
        Of the inputs that the unit depends on.

    Notes
    -----
    An output is NaN where it reads one. With the first i entries along an axis set to NaN, it becomes so as soon as i
    passes the start of the box, which bisection finds in the logarithm of the size of the axis; likewise from the end.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0]]], "dilations": 4})])
    >>> probe_receptive_field(graph, at=(0, 0))["input"]
    Box(start=(0, 0), stop=(1, 5))
    """
    name, at = output_position(graph, output, at)
    part = graph.up_to(name)
    if inputs is None:
        inputs = {key: np.zeros((1, *graph[key].shape)) for key in graph.inputs}
    given = {key: array[:1] for key, array in as_inputs(graph, inputs).items() if key in part.inputs}

    def sees(key, cut):
        probe = given[key].copy()
        probe[cut] = np.nan
        return bool(np.isnan(node_values(part, given | {key: probe})[name][(0, *at)]))

    found = {}
    for key in part.inputs:
        if not sees(key, ...):
            continue
        start, stop = [], []
        for axis, n in enumerate(graph[key].shape):
            before = (slice(None),) * (axis + 1)
            start.append(_first(lambda i: sees(key, (*before, slice(None, i + 1))), n))  # noqa: B023
            stop.append(n - _first(lambda i: sees(key, (*before, slice(n - i - 1, None))), n))  # noqa: B023
        found[key] = Box(tuple(start), tuple(stop))
    return found


def _first(holds, n):
    """The first of n numbers at which something holds that holds from there on."""
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
