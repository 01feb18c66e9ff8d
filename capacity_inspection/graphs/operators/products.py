"""Operators of two computed arrays, of which one is the gain of the other.

With its gain held a product is linear in the other factor, as an activation is with its own.
"""

import math

import numpy as np

from capacity._validation import check_integer
from capacity_inspection.graphs.operators.rules import Operator, summed_to

__all__ = ["MatrixProduct", "Product"]


class Product(Operator):
    """A signal times a gain, entry by entry; axes along which the gain has one entry share it."""

    counts = (2, 2)
    gains = "sample"

    def complete(self, shapes, arrays, options):
        signal, gain = shapes
        if len(signal) != len(gain) or any(n not in (1, m) for n, m in zip(gain, signal)):
            raise ValueError(
                f"product: expected a gain that broadcasts against the signal, got {gain} and {signal}; pass the "
                "signal first, and expand it if it is the smaller one"
            )
        return signal, {}, {}

    def signals(self, node):
        return (0,)

    def window(self, node, axis, index, shapes):
        return (axis, 1, (0,)) if shapes[index][axis] == node.shape[axis] else (None, 0, (0,))

    def value(self, node, values):
        return values[0] * values[1]

    def handed_back(self, node, array, values, held):
        signal, gain = values
        return [array * gain, None if held else summed_to(array * signal, gain.shape[1:])]

    def held_value(self, node, values, signal):
        return signal[0] * values[1]


class MatrixProduct(Operator):
    """Products of matrices, the last two axes of both inputs; `gain` says which of them, 0 or 1, is held.

    Where entries of the gain are zero whatever the input, as behind a mask, they and what they multiply are not read:
    `read` is an array of the gain's last two axes that is zero there.
    """

    arrays = ("read",)
    options = ("gain",)
    counts = (2, 2)
    gains = "sample"

    def complete(self, shapes, arrays, options):
        first, second = shapes
        fits = len(first) == len(second) >= 2 and first[:-2] == second[:-2] and first[-1] == second[-2]
        if not fits:
            raise ValueError(
                f"matmul: expected (..., n, k) and (..., k, m), got {first} and {second}; transpose, expand or reshape "
                "them"
            )
        gain = check_integer(options.get("gain", 0), "gain", minimum=0, maximum=1)
        if "read" in arrays and arrays["read"].shape != shapes[gain][-2:]:
            raise ValueError(
                f"matmul: expected read of the shape of its gain's matrices, {shapes[gain][-2:]}, got "
                f"{arrays['read'].shape}; broadcast it"
            )
        return (*first[:-1], second[-1]), arrays, {"gain": gain}

    def signals(self, node):
        return (1 - node.options["gain"],)

    def window(self, node, axis, index, shapes):
        if axis != self._summed(node, index):
            return axis, 1, (0,)
        rows, columns = self._read(node).shape if self._causal(node) else (0, 0)
        return (
            (self._own(node), 1, range(1 - rows, 1 + columns - rows)) if rows else (None, 0, range(shapes[index][axis]))
        )

    def partly(self, node, axis, index):
        return axis == self._summed(node, index) and "read" in node.arrays and not self._causal(node)

    def _causal(self, node):
        """Whether each unit reads the entries up to its own, counted from the end."""
        if "read" not in node.arrays:
            return False
        rows, columns = (read := self._read(node)).shape
        return rows <= columns and np.array_equal(read, np.tri(rows, columns, columns - rows, dtype=bool))

    def _summed(self, node, index):
        return len(node.shape) - 1 - index

    def _own(self, node):
        """The axis of the node along which its units differ in what they read of the gain's matrices."""
        return len(node.shape) - 2 + node.options["gain"]

    def _read(self, node):
        """Which entries of the summed axis, in columns, units along the axis of the gain read, in rows."""
        return node.arrays["read"].T != 0 if node.options["gain"] else node.arrays["read"] != 0

    def axis_above(self, node, axis, index, shapes):
        summed = axis == self._summed(node, index) and "read" in node.arrays
        return self._own(node) if summed else super().axis_above(node, axis, index, shapes)

    def entries(self, node, product, axis, index, shapes):
        if axis != self._summed(node, index) or "read" not in node.arrays:
            return super().entries(node, product, axis, index, shapes)
        return np.flatnonzero(self._read(node)[product[self._own(node)]].any(axis=0))

    def value(self, node, values):
        place = 1 - node.options["gain"]
        if "read" not in node.arrays or not (lost := np.isnan(values[place])).any():
            return values[0] @ values[1]
        clean, read = list(values), [node.arrays["read"] != 0] * 2  # a NaN that is hidden is not read
        clean[place], read[place] = np.where(lost, 0.0, values[place]), lost
        return np.where(read[0].astype(float) @ read[1].astype(float) > 0, np.nan, clean[0] @ clean[1])

    def handed_back(self, node, array, values, held):
        first, second = values
        handed = [array @ second.swapaxes(-1, -2), first.swapaxes(-1, -2) @ array]
        if held:
            handed[node.options["gain"]] = None
        return handed

    def held_value(self, node, values, signal):
        return values[0] @ signal[1] if node.options["gain"] == 0 else signal[0] @ values[1]

    def multiply_adds(self, node, shapes):
        return math.prod(node.shape) * shapes[0][-1]
