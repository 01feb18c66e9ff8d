"""Whether what paths reach moves an output, too: else it is a bound only, since paths may cancel."""

import numpy as np

from capacity_inspection.graphs.operators.boxes import Box
from capacity_inspection.reports.quantity import Quantity

__all__ = ["bound", "moved_field", "moved_in_time"]

_UNITS = 16  # that are looked at where the one that sees farthest does not


def bound(value, moved, note=""):
    """A number of structure: exact, unless another one is found to move the output."""
    if moved == value:
        return Quantity(value, note=note)
    note = f"a bound, since paths cancel: of these, {Quantity(moved)} move it at redrawn inputs and weights"
    return Quantity(value, "assumed", note)


def moved_field(moved, name, unit, fields):
    """How much of the field of the first input moves a unit, along positions."""
    source = moved.graph.inputs[0]
    found = moved(name, unit, {source: fields[source]})
    box = fields[source] if found is None else found[source]
    return (0,) * (len(fields[source].shape) - 1) if box is None else box.shape[1:]


def moved_in_time(moved, reach):
    """How many steps before and behind their own ones move outputs, or None."""
    if reach is None:
        return None
    source = moved.graph[moved.graph.inputs[0]]
    channels, steps = source.shape
    shape, past, future = moved.graph[reach.node].shape, 0, 0
    others = np.unique(np.linspace(0, shape[reach.axis] - 1, _UNITS).astype(int))
    for place, low, high in (*reach.farthest, *((k, 0, steps - 1) for k in others)):
        at = tuple(place if axis == reach.axis else slice(None) for axis in range(len(shape)))
        found = moved(reach.node, at, {source.name: Box((0, low), (channels, high + 1))})
        if found is None:
            return reach.past, reach.future
        if (box := found[source.name]) is not None:
            own = reach.start + place * reach.stride
            past = min(max(past, own - box.start[1]), reach.past)
            future = min(max(future, box.stop[1] - own - reach.stride), reach.future)
        if (past, future) == (reach.past, reach.future):
            break
    return past, future
