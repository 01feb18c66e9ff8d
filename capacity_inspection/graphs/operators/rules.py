"""What an operator of a graph is: its shape, what its units read, its linear part and the transpose, its gains.

Arrays have one axis of samples, then those of a box. Nothing of the size inputs times outputs is ever stored. Numbers
are in double precision whatever the weights.
"""

import math
import numbers
from collections.abc import Sequence

import numpy as np

from capacity._validation import check_integers
from capacity_inspection.graphs.operators.boxes import whole_box
from capacity_inspection.graphs.operators.regions import box_around, product_of

__all__ = ["HIDDEN", "Operator", "check_vector", "paired", "per_channel", "required", "summed_to", "sums"]

HIDDEN = -1e9  # a shift of a score that is no larger hides the key


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
    moves = False  # whether its entries are those of its inputs, elsewhere or times constants
    slides = False  # whether it has channels first and does the same at all positions behind them
    unbounded = False  # whether a unit sees the further the longer the input is, and no pads
    in_step = False  # whether each axis is that of its input, even where all units read all along it

    def __repr__(self):
        return f"{type(self).__name__}()"

    def complete(self, shapes, arrays, options):
        """Shape of the output, arrays and options, checked, with defaults filled in."""
        return shapes[0], arrays, options

    def window(self, node, axis, index, shapes):
        """What a unit reads along an axis of an input: an axis of the node, a stride that is not negative, and offsets.

        A unit at u on that axis reads stride * u + offsets, of which some may lie in the pads; where the stride is a
        fraction, what is whole between these. The axis is None where all units read the same, and None stands for all
        three where neither is the case.
        """
        return axis, 1, (0,)

    def axis_above(self, node, axis, index, shapes):
        """The one axis of the node along which units differ that read an axis of an input differently; or None."""
        window = self.window(node, axis, index, shapes)
        return window and window[0]

    def partly(self, node, axis, index):
        """Whether units may read less along an axis of an input than `window` has, as behind a mask."""
        return False

    def apart(self, node):
        """The axis along which units read differently although `window` has what all of them read; None without one."""
        return None

    def seam(self, node):
        """The axis along which units read one input each, and not all of them; None without one."""
        return None

    def entries(self, node, product, axis, index, shapes):
        """Indices along an axis of an input that a product of units reads, in increasing order, without pads."""
        own, stride, offsets = self.window(node, axis, index, shapes)
        units = np.zeros(1, int) if own is None else product[own]
        read = sums(units, stride, offsets)
        return read[(read >= 0) & (read < shapes[index][axis])]

    def sees(self, node, product, shapes):
        """For each input, products of its entries that a product of units is computed from."""
        found = []
        for index, shape in enumerate(shapes):
            read = tuple(self.entries(node, product, axis, index, shapes) for axis in range(len(shape)))
            found.append([read] if all(indices.size for indices in read) else [])
        return found

    def reads(self, node, box, shapes):
        """For each input the box that a box of the node is computed from, or None."""
        return [box_around(products) for products in self.sees(node, product_of(box), shapes)]

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        """Value on a box but for biases and functions, from values of the inputs on boxes (None: not read).

        With power 2 weights are squared, which makes variances of variances.
        """
        return values[0][box.within(boxes[0])]

    def transposed_part(self, node, array, box, shapes, *, power=1):
        """The transpose of `linear_part`: for each input (box, array) of what it is handed, or None."""
        return [(box, array)]

    def value(self, node, values):
        """Value of the whole node; a NaN goes wherever an entry is read."""
        shapes = [value.shape[1:] for value in values]
        linear = self.linear_part(node, values, list(map(whole_box, shapes)), whole_box(node.shape), shapes)
        shift = self.shift(node)
        return linear if shift is None else linear + shift

    def held_value(self, node, values, signal):
        """What other inputs become where gains stay as they are at `values`: linear, without shift."""
        shapes = [value.shape[1:] for value in values]
        return self.linear_part(node, signal, list(map(whole_box, shapes)), whole_box(node.shape), shapes)

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


def sums(units, stride, offsets):
    """The numbers stride * unit + offset, in increasing order: a run where one of the two fills the other's gaps."""
    ends, count = units[[0, -1]] * stride, len(offsets)
    if count == 1 and stride > 0:
        return units * stride + offsets[0]
    if isinstance(offsets, range) and offsets.step > 0 and stride >= 0:
        runs = units[-1] - units[0] == len(units) - 1 and stride == 1 and offsets.step <= len(units)
        if runs or (offsets.step == 1 and stride * np.diff(units).max(initial=0) <= count):
            return np.arange(ends[0] + offsets[0], ends[1] + offsets[-1] + 1)
    return np.unique(np.add.outer(units * stride, offsets))
