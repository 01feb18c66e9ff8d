"""Operators that multiply by weights without a window: dense layers and scales."""

import math

import numpy as np

from capacity._validation import check_integer
from capacity_inspection.graphs.operators.rules import Operator, check_vector, per_channel, required, summed_to

__all__ = ["Dense", "Scale"]

_BLOCK = 2**24  # weights of a dense layer that are converted to double precision at once


class Dense(Operator):
    """A matrix (out, in) along one axis, or on the flattened input.

    Where some of its weights are zero and others are not, as those that a mask multiplies, the zeros are not read.
    """

    arrays = ("kernel", "bias")
    options = ("axis",)

    def complete(self, shapes, arrays, options):
        kernel, shape = required(arrays, "kernel", "dense"), shapes[0]
        axis = options.get("axis")
        if axis is not None:
            axis = check_integer(axis, "axis", minimum=-len(shape), maximum=len(shape) - 1) % len(shape)
        size = math.prod(shape) if axis is None else shape[axis]
        if kernel.ndim != 2 or kernel.shape[1] != size or not kernel.size:
            raise ValueError(
                f"dense: expected a kernel (out, {size}) for an input of shape {shape} along axis {axis}, got "
                f"{kernel.shape}; transpose it, or name the axis"
            )
        check_vector(arrays, "bias", kernel.shape[0], "dense")
        output = (kernel.shape[0],) if axis is None else (*shape[:axis], kernel.shape[0], *shape[axis + 1 :])
        return output, arrays, {"axis": axis}

    def window(self, node, axis, index, shapes):
        everything = node.options["axis"] in (None, axis)
        return (None, 0, range(shapes[0][axis])) if everything else (axis, 1, (0,))

    def spans(self, node, below, shapes):
        """Where some weights of a row are zero and others are not, what the zeros multiply is not read."""
        axis, read = node.options["axis"], node.arrays["kernel"] != 0
        if read.all() or not read.any():
            return super().spans(node, below, shapes)
        spans = below[0].spread()
        if axis is None:
            axis, spans = 0, spans.of(spans.per_unit(range(len(shapes[0])), shapes[0]).ends.reshape(2, -1))
        return spans.chosen(axis, read)

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        axis = node.options["axis"] or 0
        value = values[0][self.reads(node, box, shapes)[0].within(boxes[0])]
        value = _as_matrices(value, node.arrays["kernel"].shape[1], box.shape[axis + 1 :])
        parts = [_times(rows, value) for _, rows in _rows(node, box.start[axis], box.stop[axis], power)]
        return (parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)).reshape(-1, *box.shape)

    def transposed_part(self, node, array, box, shapes, *, power=1):
        axis, place = node.options["axis"] or 0, self.reads(node, box, shapes)[0]
        array = _as_matrices(array, box.shape[axis], box.shape[axis + 1 :])
        rows = _rows(node, box.start[axis], box.stop[axis], power)
        return [(place, sum(_times(each.T, array[:, part]) for part, each in rows).reshape(-1, *place.shape))]

    def weight_gradients(self, node, array, value):
        axis = node.options["axis"]
        if axis is None:
            value, axis = value.reshape(len(value), -1), 0
        above, below = (
            np.moveaxis(each, axis + 1, 1).reshape(len(each), each.shape[axis + 1], -1) for each in (array, value)
        )
        return {"kernel": above @ below.swapaxes(1, 2)} | super().weight_gradients(node, array, value)

    def shift(self, node):
        bias, axis = node.arrays.get("bias"), node.options["axis"] or 0
        return None if bias is None else bias.reshape(-1, *[1] * (len(node.shape) - 1 - axis))


def _as_matrices(array, size, after):
    """An array as matrices, (all before an axis of some size, that axis, all after it)."""
    return array.reshape(-1, size, math.prod(after))


def _times(matrix, array):
    """A matrix times each of several; of vectors all at once."""
    return (array[..., 0] @ matrix.T)[..., None] if array.shape[2] == 1 else matrix @ array


def _rows(node, start, stop, power):
    """Rows of the kernel of a dense layer, in blocks that are converted to double precision one after the other."""
    kernel = node.arrays["kernel"][start:stop]
    step = max(_BLOCK // kernel.shape[1], 1)
    for i in range(0, len(kernel), step):
        block = kernel[i : i + step].astype(float)
        yield slice(i, i + step), block if power == 1 else block**power


class Scale(Operator):
    """A factor and a shift per channel, as of a normalisation at inference, or arrays that broadcast.

    Where some factors are zero, others are not and none is a parameter, they are a mask: what it hides is not read.
    """

    arrays = ("factor", "shift")
    rearranges = True

    def complete(self, shapes, arrays, options):
        for key in self.arrays:
            arrays = per_channel(arrays, key, shapes[0], "scale")
        return shapes[0], arrays, {}

    def spans(self, node, below, shapes):
        factor = node.arrays.get("factor", np.ones(1))
        mask = not node.parameters and not factor.all() and factor.any()
        return below[0].masked(factor != 0) if mask else below[0]

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        return values[0][box.within(boxes[0])] * _factor(node, box, power)

    def transposed_part(self, node, array, box, shapes, *, power=1):
        return [(box, array * _factor(node, box, power))]

    def weight_gradients(self, node, array, value):
        found = super().weight_gradients(node, array, value)
        if "factor" in node.arrays:
            found["factor"] = summed_to(array * value, node.arrays["factor"].shape)
        return found

    def shift(self, node):
        return node.arrays.get("shift")


def _factor(node, box, power):
    return box.cut(node.arrays.get("factor", np.ones(())).astype(float) ** power)
