"""Operators that may give more positions than they read: transposed convolutions, and interpolation.

A unit at u on an axis reads stride * u + offset, now with a stride that is a fraction: as far as that is whole, or the
positions on either side of it.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import scipy  # its `sparse` takes a fifth of a second, when it is first used

from capacity._validation import as_vector, check_integer, check_integers
from capacity_inspection.graphs.operators.boxes import Box
from capacity_inspection.graphs.operators.rules import Operator, check_vector, paired, required
from capacity_inspection.graphs.operators.spans import FAR
from capacity_inspection.graphs.operators.windowed import Convolution, channels_of_groups, channels_window, of_groups

__all__ = ["Interpolate", "TransposedConvolution"]

_CUBIC = -0.75  # of the kernel of Keys (1981), as all libraries have it


class TransposedConvolution(Operator):
    """The transpose of a convolution with a kernel (in, out/groups, *taps), plus a bias.

    Input i adds to the outputs s i + d t - p, with stride s, dilation d, taps t and pads p before, that are cut off.
    """

    arrays = ("kernel", "bias")
    options = ("strides", "dilations", "pads", "output_pads", "groups")
    equivariant = True

    def complete(self, shapes, arrays, options):
        kernel = required(arrays, "kernel", "transposed_convolution")
        channels, *positions = shapes[0]
        axes, taps = len(positions), kernel.shape[2:]
        groups = check_integer(options.get("groups", 1), "groups", minimum=1)
        if kernel.ndim != axes + 2 or kernel.shape[0] != channels or channels % groups:
            raise ValueError(
                f"transposed_convolution: expected a kernel ({channels}, out/groups, *taps) of {axes + 2} axes in "
                f"{groups} groups for an input of shape {shapes[0]}, got shape {kernel.shape}; transpose it"
            )
        check_vector(arrays, "bias", groups * kernel.shape[1], "transposed_convolution")
        found = {key: check_integers(options.get(key, 1), key, length=axes) for key in ("strides", "dilations")}
        found["pads"] = paired(options.get("pads", 0), "pads", axes)
        found["output_pads"] = check_integers(options.get("output_pads", 0), "output_pads", length=axes, minimum=0)
        sizes = [
            (n - 1) * stride + dilation * (k - 1) + 1 + more - sum(pad)
            for n, k, stride, dilation, pad, more in zip(positions, taps, *found.values())
        ]
        if min(sizes, default=1) < 1:
            raise ValueError(
                f"pads: expected pads that leave an output, got {found['pads']}, which leave {sizes}; shorten them"
            )
        return (groups * kernel.shape[1], *sizes), arrays, found | {"groups": groups}

    def window(self, node, axis, index, shapes):
        if not axis:
            return channels_window(node, shapes[0][0])
        taps, stride, dilation, pad = self._window(node, axis)
        offsets = range(pad - dilation * (taps - 1), pad + 1, dilation)
        return axis, Fraction(1, stride), [Fraction(k, stride) for k in offsets]

    def _window(self, node, axis):
        strides, dilations, pads = (node.options[key][axis - 1] for key in ("strides", "dilations", "pads"))
        return node.arrays["kernel"].shape[axis + 1], strides, dilations, pads[0]

    def slide(self, node, spans, axis, index, shapes):
        if not axis:
            return of_groups(node, spans, shapes[0][0]), 0 if node.options["groups"] > 1 else None
        taps, stride, dilation, pad = self._window(node, axis)
        if spans.size(axis) == 1:  # some units may read nothing
            spans = spans.per_unit([axis], shapes[0])
        known, first, start, last, short = spans.size(axis), spans.first[axis], 0, node.shape[axis] - 1, False
        if first < 0 or first + known > shapes[0][axis]:  # to those of which all taps are known
            start = min(start, stride * first + dilation * (taps - 1) - pad)
            last = max(last, stride * (first + known) - pad - 1)
            short = start == 0 or last == node.shape[axis] - 1
        ends = np.moveaxis(spans.ends, axis + 1, -1)
        least = np.full((*ends.shape[:-1], last - start + 1), FAR)
        for tap in range(taps):
            begin = stride * first + dilation * tap - pad - start
            units = np.arange(known) * stride + begin
            kept = (units >= 0) & (units < least.shape[-1])
            least[..., units[kept]] = np.minimum(least[..., units[kept]], ends[..., kept])
        spans = replace(spans, short=spans.short or short)
        return spans.put(axis, np.moveaxis(least, -1, axis + 1), start), axis

    def interval(self, node, ends, axis, index, shapes):
        if not axis:
            return channels_of_groups(node, *ends[0], shapes[0][0])
        taps, stride, dilation, pad = self._window(node, axis)
        (first, stop), entries = ends[axis], shapes[0][axis]
        return max(-((dilation * (taps - 1) - pad - first) // stride), 0), min((stop - 1 + pad) // stride + 1, entries)

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        total = np.zeros((len(values[0]), *box.shape))
        handed = _CONVOLUTION.transposed_part(
            _transposed(node, shapes[0]), values[0], boxes[0], [node.shape], power=power
        )[0]
        if handed is None:  # all that the inputs add to is cut off
            return total
        place, found = handed
        both = Box(tuple(map(max, box.start, place.start)), tuple(map(min, box.stop, place.stop)))
        if min(both.shape) > 0:
            total[both.within(box)] = found[both.within(place)]
        return total

    def transposed_part(self, node, array, box, shapes, *, power=1):
        place = self.reads(node, box, shapes)[0]
        if place is None:
            return [None]
        channels = Box((0, *box.start[1:]), (node.shape[0], *box.stop[1:]))
        whole = np.zeros((len(array), *channels.shape))  # of all groups, as the convolution reads them
        whole[box.within(channels)] = array
        mirror = _transposed(node, shapes[0])
        return [(place, _CONVOLUTION.linear_part(mirror, [whole], [channels], place, [node.shape], power=power))]

    def weight_gradients(self, node, array, value):
        mirror = _transposed(node, value.shape[1:])
        return _CONVOLUTION.weight_gradients(mirror, value, array) | super().weight_gradients(node, array, value)

    def multiply_adds(self, node, shapes):
        kernel = node.arrays["kernel"]
        return kernel[0].size * math.prod(shapes[0])

    def fan_in(self, node, key):
        """Each output takes a tap of all that a stride of them share."""
        kernel, options = node.arrays[key], node.options
        return max(kernel[:, 0].size / options["groups"] / math.prod(options["strides"]), 1)

    def shift(self, node):
        return _CONVOLUTION.shift(node)


def _transposed(node, shape):
    """The convolution whose transpose a node is, which gives a shape."""
    return replace(node, shape=shape, arrays={"kernel": node.arrays["kernel"]})


_CONVOLUTION = Convolution()


class Interpolate(Operator):
    """Values between entries at given coordinates along each axis: lines, or cubics, between those of the input.

    Coordinates of an axis are numbers, one for each entry of the output, and those beyond the ends mean the ends; None
    leaves it as it is. Nearest neighbours are lines at whole coordinates.
    """

    options = ("coordinates", "cubic")

    def complete(self, shapes, arrays, options):
        given = required(options, "coordinates", "interpolate")
        if len(given) != len(shapes[0]):
            raise ValueError(
                f"coordinates: expected numbers or None for each axis of {shapes[0]}, got {len(given)}; list all axes"
            )
        found = [None if each is None else tuple(as_vector(each, "coordinates").tolist()) for each in given]
        shape = [n if each is None else len(each) for n, each in zip(shapes[0], found)]
        return shape, {}, {"coordinates": tuple(found), "cubic": bool(options.get("cubic", False))}

    def keeps_channels(self, node):
        return node.options["coordinates"][0] is None

    def window(self, node, axis, index, shapes):
        if node.options["coordinates"][axis] is None:
            return super().window(node, axis, index, shapes)
        coordinates = np.array(node.options["coordinates"][axis])
        breaks = np.flatnonzero(np.diff(coordinates, prepend=np.nan, append=np.nan) != 1)
        longest = np.diff(breaks).argmax()
        run, least = breaks[longest + 1] - breaks[longest], len(coordinates) / 2
        if run == len(coordinates) or (run > least and len(coordinates) >= shapes[0][axis]):  # but for pads of entries
            return axis, 1, (int(coordinates[breaks[longest]]) - int(breaks[longest]),)
        stride = Fraction(shapes[0][axis], len(coordinates))
        off = coordinates - float(stride) * np.arange(len(coordinates))
        if stride != 1 and np.ptp(off) > 2 * max(stride, 1):  # of some entries in any order
            return None
        return axis, stride, (0, 1)

    def slide(self, node, spans, axis, index, shapes):
        if node.options["coordinates"][axis] is None:
            return super().slide(node, spans, axis, index, shapes)
        spans = spans.between(axis, 0, shapes[0][axis])
        if spans.size(axis) == 1:
            return spans, axis
        matrix = self._matrix(node, axis, shapes[0])
        least = np.minimum.reduceat(spans.ends.take(matrix.indices, axis=axis + 1), matrix.indptr[:-1], axis=axis + 1)
        return spans.put(axis, least), axis

    def interval(self, node, ends, axis, index, shapes):
        if node.options["coordinates"][axis] is None:
            return super().interval(node, ends, axis, index, shapes)
        read = self._matrix(node, axis, shapes[0])[slice(*ends[axis])].indices
        return int(read.min()), int(read.max()) + 1

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        return self._applied(node, values[0], box, boxes[0], shapes[0], power)

    def transposed_part(self, node, array, box, shapes, *, power=1):
        place = self.reads(node, box, shapes)[0]
        return [(place, self._applied(node, array, box, place, shapes[0], power, transposed=True))]

    def _applied(self, node, value, box, place, shape, power, transposed=False):
        """An array on a box of the input times the matrix of each axis, or one of the node times the transposes."""
        for axis, coordinates in enumerate(node.options["coordinates"]):
            rows, columns = (slice(each.start[axis], each.stop[axis]) for each in (box, place))
            if coordinates is None:
                if not transposed:
                    value = value[(slice(None),) * (axis + 1) + (box.within(place)[axis + 1],)]
                continue
            matrix = self._matrix(node, axis, shape)[rows, columns].power(power)
            matrix = matrix.T if transposed else matrix
            moved = np.moveaxis(value, axis + 1, 0)
            found = (matrix @ moved.reshape(len(moved), -1)).reshape(-1, *moved.shape[1:])
            value = np.moveaxis(found, 0, axis + 1)
        return value

    def _matrix(self, node, axis, shape):
        """Weights of the entries of an axis, sparse, with sorted indices."""
        coordinates = np.array(node.options["coordinates"][axis])
        whole = np.round(coordinates)
        near = np.abs(coordinates - whole) < 1e-9 * shape[axis]  # which rounding moved
        base = np.where(near, whole, np.floor(coordinates))
        rest = np.where(near, 0.0, coordinates - base)
        if node.options["cubic"]:
            taps = [-1, 0, 1, 2]
            weights = [_keys(np.abs(rest - tap)) for tap in taps]
        else:
            taps, weights = [0, 1], [1 - rest, rest]
        places = [np.clip(base + tap, 0, shape[axis] - 1).astype(int) for tap in taps]
        rows = np.tile(np.arange(len(coordinates)), len(taps))
        entries = np.concatenate(weights), (rows, np.concatenate(places))
        matrix = scipy.sparse.csr_matrix(entries, shape=(len(coordinates), shape[axis]))
        matrix.eliminate_zeros()
        matrix.sort_indices()
        return matrix


def _keys(distance):
    """Weight of an entry at a distance (Keys 1981, eq. 4)."""
    near = ((_CUBIC + 2) * distance - (_CUBIC + 3)) * distance**2 + 1
    far = _CUBIC * (((distance - 5) * distance + 8) * distance - 4)
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))
