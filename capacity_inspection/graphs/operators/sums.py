"""Operators that add: several inputs, or the entries of an axis one after the other."""

from functools import reduce

import numpy as np

from capacity._validation import check_integer
from capacity_inspection.graphs.operators.rules import Operator

__all__ = ["Accumulate", "Add"]


class Add(Operator):
    """The sum of inputs of one shape; one that enters m times has the weight m."""

    counts = (1, 2**20)

    def complete(self, shapes, arrays, options):
        if len(set(shapes)) != 1:
            raise ValueError(f"add: expected inputs of one shape, got {shapes}; pad, crop or project them before")
        return shapes[0], {}, {}

    def _weights(self, node, power):
        """What each input adds to a power of its weight."""
        return [node.inputs.count(source) ** (power - 1) for source in node.inputs]

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        parts = [value[box.within(place)] for value, place in zip(values, boxes)]
        return reduce(np.add, map(_times, self._weights(node, power), parts))

    def transposed_part(self, node, array, box, shapes, *, power=1):
        return [(box, _times(weight, array)) for weight in self._weights(node, power)]


def _times(weight, array):
    return array if weight == 1 else weight * array


class Accumulate(Operator):
    """Sums of the entries up to each one along an axis, itself included; or of those from it on."""

    options = ("axis", "reverse")

    def complete(self, shapes, arrays, options):
        rank = len(shapes[0])
        axis = check_integer(options.get("axis", rank - 1), "axis", minimum=-rank, maximum=rank - 1) % rank
        return shapes[0], {}, {"axis": axis, "reverse": bool(options.get("reverse", False))}

    def keeps_channels(self, node):
        return node.options["axis"] > 0

    def window(self, node, axis, index, shapes):
        if axis != node.options["axis"]:
            return super().window(node, axis, index, shapes)
        count = shapes[0][axis]
        return axis, 1, range(count) if node.options["reverse"] else range(1 - count, 1)

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        own = self.reads(node, box, shapes)[0]
        return _summed(node, values[0][own.within(boxes[0])], node.options["reverse"])[box.within(own)]

    def transposed_part(self, node, array, box, shapes, *, power=1):
        own = self.reads(node, box, shapes)[0]
        whole = np.zeros((len(array), *own.shape))
        whole[box.within(own)] = array
        return [(own, _summed(node, whole, not node.options["reverse"]))]


def _summed(node, array, reverse):
    axis = node.options["axis"] + 1
    return np.flip(np.flip(array, axis).cumsum(axis), axis) if reverse else array.cumsum(axis)
