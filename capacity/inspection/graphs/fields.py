"""What an output can see: boxes of entries of every node, by interval arithmetic and by probes."""

from dataclasses import dataclass

import numpy as np

from capacity._validation import check_instance, check_integers
from capacity.inspection.graphs.boxes import Box, box_hull
from capacity.inspection.graphs.evaluation import as_inputs, node_values
from capacity.inspection.graphs.graph import Graph

__all__ = ["ReceptiveField", "boxes_below", "output_position", "probe_receptive_field", "receptive_fields"]


@dataclass(frozen=True)
class ReceptiveField:
    """The entries of a node that one output can see: the smallest box around them, channels first.

    Attributes
    ----------
    start, stop : tuple of int
        First entry along each axis, and the one after the last.
    extent : tuple of int
        Size of the box of an output that is far from all borders.
    stride : tuple of int
        How far the box moves along each axis when the output moves by one along all axes of its positions.
    """

    start: tuple[int, ...]
    stop: tuple[int, ...]
    extent: tuple[int, ...]
    stride: tuple[int, ...]

    @property
    def shape(self):
        """Number of entries along each axis."""
        return self.box.shape

    @property
    def box(self):
        """The box itself."""
        return Box(self.start, self.stop)


def receptive_fields(graph, output=None, at="centre"):
    """Receptive field of one output unit in every node that it depends on.

    Parameters
    ----------
    graph : Graph
    output : str, optional
        Name of the node. Default: the first output of the graph.
    at : "centre", "last" or tuple of int, optional
        The unit, (channel, positions). The two names stand for the middle and the last position of channel 0.

    Returns
    -------
    dict of str to ReceptiveField
        By the name of the node; those that the unit does not depend on are left out.

    Notes
    -----
    Interval arithmetic, from the output down, at a cost that does not depend on the channels. Where several paths
    lead to a node it is the hull of what they see. Weights that happen to be zero count.

    Examples
    --------
    >>> from capacity.inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "strides": 2})
    >>> field = receptive_fields(from_layers((1, 31), [layer] * 3))["input"]
    >>> field.start, field.stop, field.extent, field.stride
    ((0, 8), (1, 23), (1, 15), (0, 8))
    """
    name, at = output_position(graph, output, at)
    start = Box(at, tuple(i + 1 for i in at))
    beside = [Box((at[0], *(i + k for i in at[1:])), (at[0] + 1, *(i + k + 1 for i in at[1:]))) for k in (1, -1)]
    seen = boxes_below(graph, name, start)
    free, after, before = (boxes_below(graph, name, box, clip=False) for box in (start, *beside))

    def stride(key):  # from the neighbour that sees the node too: at the seam of a concatenation one does not
        first, second = (free, after) if key in after else (before, free)
        return (
            tuple(b - a for a, b in zip(first[key].start, second[key].start))
            if key in first
            else (0,) * len(free[key].start)
        )

    return {key: ReceptiveField(box.start, box.stop, free[key].shape, stride(key)) for key, box in seen.items()}


def boxes_below(graph, name, box, *, clip=True):
    """The box of every node that a box of one is computed from; `clip` leaves out what lies in the pads."""
    boxes = {name: box}
    for node in reversed(graph.nodes):
        if node.name in boxes:
            shapes = [graph[source].shape for source in node.inputs]
            for source, found in zip(node.inputs, node.rule.reads(node, boxes[node.name], shapes, clip=clip)):
                if found is not None:
                    boxes[source] = box_hull(boxes.get(source), found)
    return boxes


def output_position(graph, output, at):
    """Name of an output node, the first one by default, and the index of a unit of it."""
    check_instance(graph, "graph", Graph, "make one with from_layers, or read one from a file")
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
