"""Operators of two computed arrays, of which one is the gain of the other.

With its gain held a product is linear in the other factor, as an activation is with its own.
"""

import math

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

    def vjp(self, node, array, values):
        signal, gain = values
        return [array * gain, summed_to(array * signal, gain.shape[1:])]

    def held(self, node, values, value=None):
        return values[1]

    def held_jvp(self, node, held, signal):
        return signal[0] * held

    def held_vjp(self, node, held, array):
        return [array * held, None]


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
        return None, 0, range(shapes[index][axis])

    def slide(self, node, spans, axis, index, shapes):
        if axis != self._summed(node, index) or "read" not in node.arrays:
            return super().slide(node, spans, axis, index, shapes)
        gain, read = node.options["gain"], node.arrays["read"] != 0
        if index == gain:
            spans = spans.masked(read.reshape((1,) * (len(node.shape) - 2) + read.shape))
            return spans.over(axis, range(shapes[index][axis])), None
        return spans.chosen(axis, read.T if gain else read), len(node.shape) - 2 + gain

    def _summed(self, node, index):
        return len(node.shape) - 1 - index

    def interval(self, node, ends, axis, index, shapes):
        return (0, shapes[index][axis]) if axis == self._summed(node, index) else ends[axis]

    def value(self, node, values):
        return values[0] @ values[1]

    def vjp(self, node, array, values):
        first, second = values
        return [array @ second.swapaxes(-1, -2), first.swapaxes(-1, -2) @ array]

    def held(self, node, values, value=None):
        return values[node.options["gain"]]

    def held_jvp(self, node, held, signal):
        return held @ signal[1] if node.options["gain"] == 0 else signal[0] @ held

    def held_vjp(self, node, held, array):
        turned = held.swapaxes(-1, -2)
        return [None, turned @ array] if node.options["gain"] == 0 else [array @ turned, None]

    def multiply_adds(self, node, shapes):
        return math.prod(node.shape) * shapes[0][-1]
