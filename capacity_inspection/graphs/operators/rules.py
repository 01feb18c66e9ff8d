"""What an operator of a graph is: its shape, what its units read, its linear part and the transpose, its gains.

Arrays have one axis of samples, then those of a box. Nothing of the size inputs times outputs is ever stored. Numbers
are in double precision whatever the weights.
"""

import math
import numbers
from collections.abc import Sequence

import numpy as np

from capacity._validation import check_integers
from capacity_inspection.graphs.operators.boxes import Box, whole_box
from capacity_inspection.graphs.operators.spans import met

__all__ = ["Operator", "check_vector", "paired", "per_channel", "required", "summed_to"]


class Operator:
    """An operator by its defaults: one input, whose entries it passes on in place.

    A new one is a class with what differs. `completed` checks what it is given before any other method sees it; these
    take a node with the shapes of its inputs.
    """

    arrays: tuple[str, ...] = ()  # names of its weights
    options: tuple[str, ...] = ()
    counts = (1, 1)  # fewest and most inputs
    gains = ""  # random ones of each "unit", as an activation has, or "entry" of one that is chosen; or of a "sample"
    reported = False  # whether it has a row in reports although it has no weights
    rearranges = False  # whether its entries are those of its inputs, elsewhere or times constants
    equivariant = False  # whether it has channels first and does the same at all positions behind them
    by_runs = False  # whether what it reads of channels may be known by runs of them
    in_step = False  # whether each axis is that of its input, even where all units read all along it

    def __repr__(self):
        return f"{type(self).__name__}()"

    def complete(self, shapes, arrays, options):
        """Shape of the output, arrays and options, checked, with defaults filled in."""
        return shapes[0], arrays, options

    def window(self, node, axis, index, shapes):
        """What a unit reads along an axis of an input: an axis of the node, a stride that is not negative, and offsets.

        A unit at u on that axis reads stride * u + offsets, of which some may lie in the pads. The axis is None where
        all units read the same, and None stands for all three where neither is the case.
        """
        return axis, 1, (0,)

    def slide(self, node, spans, axis, index, shapes):
        """What units see through an axis of an input, of which the entries see `spans`; and which axis of theirs it is.

        None where all of them read the same.
        """
        own, stride, offsets = self.window(node, axis, index, shapes)
        if own is None:
            return spans.over(axis, offsets), None
        return spans.along(axis, stride, offsets, node.shape[own], shapes[index][axis]), own

    def spans(self, node, below, shapes):
        """What all units see along an axis of a source, from what the inputs see of it, None for nothing."""
        found = []
        for index, spans in enumerate(below):
            if spans is not None:
                spans, owns = spans if self.by_runs else spans.spread(), []
                for axis in range(len(shapes[index])):
                    spans, own = self.slide(node, spans, axis, index, shapes)
                    owns.append(own)
                found.append(spans.arranged(owns, len(node.shape)))
        return met(found)

    def interval(self, node, ends, axis, index, shapes):
        """The first index and the one behind the last, without pads, that units read along an axis of an input."""
        own, stride, offsets = self.window(node, axis, index, shapes)
        first, stop = (0, 1) if own is None else ends[own]
        low, high = stride * first + min(offsets), stride * (stop - 1) + max(offsets) + 1
        return max(low, 0), min(high, shapes[index][axis])

    def reads(self, node, box, shapes):
        """For each input the box that a box of the node is computed from, or None."""
        ends, found = list(zip(box.start, box.stop)), []
        for index, shape in enumerate(shapes):
            read = [self.interval(node, ends, axis, index, shapes) for axis in range(len(shape))]
            empty = any(low >= high for low, high in read)
            found.append(None if empty else Box(*zip(*read)))
        return found

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        """Value on a box but for biases and functions, from values of the inputs on boxes (None: not read).

        With power 2 weights are squared, which makes variances of variances.
        """
        return values[0][box.within(boxes[0])]

    def transposed_part(self, node, array, box, shapes, *, power=1):
        """The transpose of `linear_part`: for each input (box, array) of what it is handed, or None."""
        return [(box, array)]

    def value(self, node, values):
        """Value of the whole node."""
        shapes = [value.shape[1:] for value in values]
        linear = self.linear_part(node, values, list(map(whole_box, shapes)), whole_box(node.shape), shapes)
        shift = self.shift(node)
        return linear if shift is None else linear + shift

    def held(self, node, values, value=None):
        """The gains at values of the inputs, and at that of the node, if it is known.

        What has gains has them, and with them `held_jvp`, what a signal becomes, linear and without shift, and its
        transpose `held_vjp`, which gives None for inputs that are no signals.
        """

    def shift(self, node):
        """What the node adds to its linear part, None for nothing."""
        return None

    def weight_gradients(self, node, array, value):
        """What weights of the output, (samples, *node.shape), become as those of the node's own arrays, by name.

        Of what is added to the output, its `shift`, it is their sum; operators with other arrays add these.
        """
        shift = self.shift(node)
        return {key: summed_to(array, shift.shape) for key in ("bias", "shift") if key in node.arrays}

    def signals(self, node):
        """Which inputs still count where gains are held: those that are not gains themselves."""
        return range(len(node.inputs))

    def multiply_adds(self, node, shapes):
        """Products with entries of kernels, for all units."""
        return self.fan_in(node, "kernel") * math.prod(node.shape) if "kernel" in node.arrays else 0

    def fan_in(self, node, key):
        """Number of entries of a kernel that an output takes."""
        return math.prod(node.arrays[key].shape[1:])

    def with_one_tap(self, node, newest):
        """The node with only the middle tap of its windows, or the last one; None where it has no others."""
        return None

    def keeps_channels(self, node):
        """Whether a positive factor of a channel of its input is one of the same channel of what it gives."""
        return False

    def is_linear(self, node):
        """Whether gains are all one."""
        return not self.gains


def summed_to(array, shape):
    """Sums of an array (samples, *sizes) over what a shape leaves out or has as one: the transpose of broadcasting."""
    shape = (1,) * (array.ndim - 1 - len(shape)) + shape
    return array.sum(axis=tuple(i for i, n in enumerate(shape, 1) if n == 1), keepdims=True)


def required(mapping, key, operator):
    """An argument that has no default."""
    if mapping.get(key) is None:
        raise ValueError(f"{operator}: expected {key}, got none; pass it")
    return mapping[key]


def paired(value, name, axes):
    """Pads as a pair (before, after) for each axis."""
    if isinstance(value, numbers.Integral):
        value = [(value, value)] * axes
    elif not isinstance(value, Sequence | np.ndarray) or len(value) != axes:
        raise ValueError(f"{name}: expected a number or a pair for each of {axes} axes, got {value!r}; list the pairs")
    pairs = ((entry, entry) if isinstance(entry, numbers.Integral) else entry for entry in value)
    return tuple(check_integers(pair, f"{name}[{k}]", length=2, minimum=0) for k, pair in enumerate(pairs))


def check_vector(arrays, key, size, operator):
    """Refuse an array that is not one number per output."""
    if key in arrays and arrays[key].shape != (size,):
        raise ValueError(
            f"{operator}: expected {key} of shape ({size},), got {arrays[key].shape}; pass one number per output"
        )


def per_channel(arrays, key, shape, operator):
    """An array that broadcasts against the shape; a vector of one number per channel does after a reshape."""
    if key in arrays:
        array = arrays[key]
        if array.ndim == 1 and array.size in (1, shape[0]):
            array = array.reshape(-1, *[1] * (len(shape) - 1))
        array = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
        if array.ndim != len(shape) or any(n not in (1, m) for n, m in zip(array.shape, shape)):
            raise ValueError(
                f"{operator}: expected {key} that broadcasts against {shape}, got shape {arrays[key].shape}; pass one "
                f"number per channel, shape ({shape[0]},)"
            )
        array.flags.writeable = False
        arrays = arrays | {key: array}
    return arrays
