"""How far outputs of a sequence look back and ahead, and how long each has to wait for what it sees."""

import math
from dataclasses import dataclass

import numpy as np

from capacity_inspection.graphs.fields import fields_of, moving_fields, output_position
from capacity_inspection.graphs.operators.boxes import Box

__all__ = ["TimeReach", "time_reach"]

_UNITS = 64  # that are looked at in a row where no closed form is reached, and again spread over all


@dataclass(frozen=True)
class TimeReach:
    """Steps of an input series that outputs see beside those that they stand for, `stride` for each, in order.

    Attributes
    ----------
    node : str
        The last node that has a sequence, of which the outputs are meant.
    stride : int
    past, future : int
        The largest number of steps before the first own step, and behind the last.
    latency : int
        The largest number of steps that the first own step waits for the last one that its output sees.
    ahead : str
        The first node whose units see steps behind their own; empty if there is none.
    looked_at : int
        Of how many outputs past and future are known; 0 for all.
    causal : bool
        Whether no path leads to any output from a later step than those that it stands for.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0, 1.0]]], "pads": 1})])
    >>> reach = time_reach(graph)
    >>> reach.past, reach.future, reach.causal
    (1, 1, False)
    """

    node: str
    stride: int
    past: int
    future: int
    latency: int
    ahead: str = ""
    looked_at: int = 0
    causal: bool = False


def time_reach(graph, output=None):
    """How far a sequence looks back and ahead in the one axis of positions of its input.

    Parameters
    ----------
    graph : Graph
    output : str, optional
        Name of the node. Default: the first output of the graph. If it has one position only, the last sequence that
        it is computed from is meant.

    Returns
    -------
    TimeReach or None
        None if the first input is no series, if its steps are mixed with channels on the way, if they are no multiple
        of the outputs, or if several outputs are each computed from all of them, so that they stand for none; also
        where steps are joined one by one behind the last sequence, as by a recurrence that is written out.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": [(2, 0)]})
    >>> wide = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1, "name": "wide"})
    >>> found = time_reach(from_layers((1, 31), [layer, wide, layer]))
    >>> found.past, found.future, found.ahead
    (5, 1, 'wide')
    """
    part = graph.up_to(output_position(graph, output, "last")[0])
    source = part[part.inputs[0]]
    last = _last_sequence(part, source) if len(source.shape) == 2 else None
    if last is None or source.shape[1] % last.shape[1]:
        return None
    moving, steps, count = moving_fields(part, source.name), source.shape[1], last.shape[1]
    stride, field = steps // count, moving[last.name][1]
    ahead, bound = next((node.name for node in part.nodes if _ahead(node, moving, steps) > 0), ""), None
    if not field.note and field.stride in (0, stride):
        drift = 0 if field.stride else stride * (count - 1)  # of the last unit against what all of them see
        last_seen = field.start + field.extent - 1
        bound = [drift - field.start, last_seen - stride + 1, last_seen]
        bound = [min(max(n, 0), steps - m) for n, m in zip(bound, (stride, stride, 1))]

    def reached(units):
        seen = [fields_of(part, last.name, Box((0, u), (last.shape[0], u + 1))).get(source.name) for u in units]
        own = [(stride * u, box.start[1], box.stop[1]) for u, box in zip(units, seen) if box]
        ends = [(at - start, stop - at - stride, stop - 1 - at) for at, start, stop in own]
        return [max(0, *each) for each in zip(*ends)] or [0, 0, 0]

    looked_at, found = 0, reached(sorted({0, count // 2, count - 1}))
    if found != bound:  # such as where the units that would see most read pads only
        units = np.union1d(np.linspace(0, count - 1, _UNITS), np.arange(_UNITS) + max(count - _UNITS, 0) // 2)
        units = np.unique(units[units < count].astype(int)).tolist()
        found = reached(units)
        looked_at = 0 if len(units) == count or found == bound else len(units)
    causal = not found[1] and (not looked_at or (bound is not None and not bound[1]))
    return TimeReach(last.name, stride, *found, ahead if found[1] else "", looked_at, causal)


def _last_sequence(graph, source):
    """The last node whose axis 1 is that of the steps; None without one, or if outputs stand for no steps."""
    steps, last = {source.name: 1}, None
    for node in graph.nodes:
        shapes = graph.shapes_below(node)
        for index, name in enumerate(node.inputs):
            if name not in steps:
                continue
            window = node.rule.window(node, steps[name], index, shapes)
            if node.rule.in_step:
                steps[node.name] = steps[name]
            elif window is None:
                return None
            elif window[0] is not None and node.shape[window[0]] > 1:
                steps[node.name] = window[0]
        if node.inputs and steps.get(node.name) == 1 and len(node.shape) == 2:
            last = node
    end = graph.nodes[-1]
    if last is None or last is end:
        return last
    return last if math.prod(end.shape[1:]) == 1 and not _steps_meet(graph, last) else None


def _steps_meet(graph, last):
    """Whether parts of a sequence are added or multiplied behind it, as by a recurrence that is written out."""
    parts = {}
    for node in graph.nodes:
        found = [frozenset([node.name]) if name == last.name else parts.get(name) for name in node.inputs]
        found = {each for each in found if each}
        if len(found) > 1 and node.rule.seam(node) is None:
            return True
        if found:
            parts[node.name] = frozenset().union(*found)
    return False


def _ahead(node, moving, steps):
    """Steps that units of a node see behind their own, if they stand for some."""
    field = moving[node.name][1] if node.name in moving else None
    count = node.shape[1] if len(node.shape) == 2 else 0
    if field is None or field.note or count < 2 or steps % count or field.stride not in (0, steps // count):
        return 0
    return field.start + field.extent - steps // count
